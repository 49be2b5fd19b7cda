package convert

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// The scalars with a fast path. This file says for each kind which values it is made of and which value it makes; the fast
// paths of calls, of elements of containers, and of whole slices and maps go by it.

// scalarKindOf returns the kind of a type's values when they are scalars with a fast path.
func scalarKindOf(t reflect.Type) FastKind {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return FastInt64
	case reflect.Float64:
		return FastFloat64
	case reflect.Bool:
		return FastBool
	case reflect.String:
		return FastString
	}
	return NoFastPath
}

// staticKind does scalarKindOf's work for a type that the compiler knows, without reflection.
func staticKind[E any]() FastKind {
	switch any((*E)(nil)).(type) {
	case *int64, *int:
		return FastInt64
	case *float64:
		return FastFloat64
	case *bool:
		return FastBool
	case *string:
		return FastString
	}
	return NoFastPath
}

// NoBitsIndex is a type index that no value has.
const NoBitsIndex = -1 << 31

// bitsIndexOf returns the type index of the values whose 8 bytes are the Go value, NoBitsIndex when there is none.
func bitsIndexOf(kind FastKind) int32 {
	switch kind {
	case FastInt64:
		return abi.IndexInt
	case FastFloat64:
		return abi.IndexFloat
	}
	return NoBitsIndex
}

// BitsIndexFor does bitsIndexOf's work for a type that the compiler knows.
func BitsIndexFor[E any]() int32 { return bitsIndexOf(staticKind[E]()) }

func readsInt64(v *abi.Any) (int64, bool) { return v.Int64(), v.TypeIndex == abi.IndexInt }

func readsFloat64(v *abi.Any) (float64, bool) { return v.Float64(), v.TypeIndex == abi.IndexFloat }

func readsBool(v *abi.Any) (bool, bool) { return v.Bits != 0, v.TypeIndex == abi.IndexBool }

// loadScalar stores the Go value of a borrowed value at dst. It returns false, and stores nothing, when the value needs the
// general conversion or the kind is no scalar.
func loadScalar(kind FastKind, v *abi.Any, dst unsafe.Pointer) (ok bool) {
	switch kind {
	case FastInt64:
		return loaded(readsInt64, v, dst)
	case FastFloat64:
		return loaded(readsFloat64, v, dst)
	case FastBool:
		return loaded(readsBool, v, dst)
	case FastString:
		return loaded((*abi.Any).Text, v, dst)
	}
	return false
}

func loaded[E any](read func(v *abi.Any) (E, bool), v *abi.Any, dst unsafe.Pointer) bool {
	e, ok := read(v)
	if ok {
		*(*E)(dst) = e
	}
	return ok
}

// storeScalar returns the value of the number or bool at src; ok is false for other kinds.
func storeScalar(kind FastKind, src unsafe.Pointer) (v abi.Any, ok bool) {
	switch kind {
	case FastInt64:
		return abi.Int(*(*int64)(src)), true
	case FastFloat64:
		return abi.Float(*(*float64)(src)), true
	case FastBool:
		return abi.Bool(*(*bool)(src)), true
	}
	return v, false
}

func writesInt64(w *bulkWriter, n int64) bool { w.views = append(w.views, abi.Int(n)); return true }

func writesFloat64(w *bulkWriter, x float64) bool {
	w.views = append(w.views, abi.Float(x))
	return true
}

func writesBool(w *bulkWriter, b bool) bool { w.views = append(w.views, abi.Bool(b)); return true }

func writesText(w *bulkWriter, s string) bool {
	small, isSmall, ok := TextForView(s)
	switch {
	case !ok:
		return false
	case isSmall:
		w.views = append(w.views, small)
		return true
	}
	w.at = append(w.at, len(w.views))
	w.views = append(w.views, abi.Any{TypeIndex: abi.IndexRawStr, Bits: uint64(len(w.texts))})
	w.texts = append(append(w.texts, s...), 0)
	return true
}

// TextForView returns a text as a value, if it is small enough; else ok says whether it can be one that points to a copy with a
// terminating zero.
func TextForView(s string) (small abi.Any, isSmall, ok bool) {
	if !values.IsUTF8(s) {
		return small, false, false
	}
	if small, isSmall = abi.SmallStr(s); isSmall {
		return small, true, true
	}
	return small, false, strings.IndexByte(s, 0) < 0
}

// scalarLoops has the loops for slices and maps of each kind.
var scalarLoops = [...]*elementLoops{
	FastInt64:   inWords(abi.IndexInt, &pythonInts, loopsOf(scalar[int64]{reads: readsInt64, writes: writesInt64})),
	FastFloat64: inWords(abi.IndexFloat, &pythonFloats, loopsOf(scalar[float64]{reads: readsFloat64, writes: writesFloat64})),
	FastBool:    loopsOf(scalar[bool]{reads: readsBool, writes: writesBool}),
	FastString:  loopsOf(scalar[string]{writes: writesText}),
}
