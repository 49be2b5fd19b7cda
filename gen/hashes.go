package gen

import (
	"hash/maphash"
	"reflect"
)

var hashSeed = maphash.MakeSeed()

// HashOf returns a number that is the same for equal values, in one process. It panics for an interface that holds a value
// which is not comparable. Generated code makes hash() of it.
func HashOf[T comparable](value T) int64 { return int64(maphash.Comparable(hashSeed, value) >> 2) }

// HashOfParts returns a number that is the same for values that [reflect.DeepEqual] finds equal, in one process. Generated code makes hash()
// of it for a value that is not comparable. The hash has the length of a map, and nothing of what is behind an interface.
func HashOfParts(value any) int64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	hashParts(&h, reflect.ValueOf(value))
	return int64(h.Sum64() >> 2)
}

func hashParts(h *maphash.Hash, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			hashParts(h, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		maphash.WriteComparable(h, v.Len())
		for i := range v.Len() {
			hashParts(h, v.Index(i))
		}
	case reflect.Map:
		maphash.WriteComparable(h, v.Len())
	case reflect.String:
		h.WriteString(v.String())
		h.WriteByte(0)
	case reflect.Bool:
		maphash.WriteComparable(h, v.Bool())
	case reflect.Float32, reflect.Float64:
		maphash.WriteComparable(h, v.Float())
	case reflect.Complex64, reflect.Complex128:
		maphash.WriteComparable(h, v.Complex())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		maphash.WriteComparable(h, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		maphash.WriteComparable(h, v.Uint())
	}
}
