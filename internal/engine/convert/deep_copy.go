package convert

import (
	"reflect"
	"sync"
)

// separation gives a value memory of its own where its bits, a copy of another value's, lead to memory that can change. v must be
// settable. nil stands for types whose bits are all.
type separation func(v reflect.Value)

// separations keeps those of deepCopy by type, first without pointers.
var separations [2]sync.Map

// deepCopy copies a value with the slices, maps and structs in it, but for fields that other languages do not see. What a pointer leads
// to is copied if pointers says so, unless it is an object of a class (AddForeign); then no value may lead to itself.
func deepCopy(v reflect.Value, pointers bool) reflect.Value {
	cache := &separations[0]
	if pointers {
		cache = &separations[1]
	}
	known, ok := cache.Load(v.Type())
	if !ok {
		known, _ = cache.LoadOrStore(v.Type(), separationOf(v.Type(), pointers, map[reflect.Type]*separation{}))
	}
	return known.(separation).copyOf(v)
}

func (s separation) copyOf(v reflect.Value) reflect.Value {
	made := reflect.New(v.Type()).Elem()
	made.Set(v)
	if s != nil {
		s(made)
	}
	return made
}

func (s separation) elements(v reflect.Value) {
	for i := 0; s != nil && i < v.Len(); i++ {
		s(v.Index(i))
	}
}

// separationOf returns the separation of a type within others, which may be the same type again: type Tree []Tree.
func separationOf(t reflect.Type, pointers bool, within map[reflect.Type]*separation) (made separation) {
	if outer := within[t]; outer != nil {
		return func(v reflect.Value) { (*outer)(v) }
	}
	within[t] = &made
	defer delete(within, t)
	switch k := t.Kind(); {
	case k == reflect.Slice, k == reflect.Map, k == reflect.Pointer && pointers && !IsForeign(t):
		made = separateReference(t, separationOf(t.Elem(), pointers, within))
	case k == reflect.Array:
		if each := separationOf(t.Elem(), pointers, within); each != nil {
			made = each.elements
		}
	case k == reflect.Struct:
		type part struct {
			field    int
			separate separation
		}
		var parts []part
		for i := range t.NumField() {
			f := t.Field(i)
			isSeen := f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct
			if !isSeen || f.Tag.Get("ffi") == "-" {
				continue
			}
			if separate := separationOf(f.Type, pointers, within); separate != nil {
				parts = append(parts, part{i, separate})
			}
		}
		if len(parts) > 0 {
			made = func(v reflect.Value) {
				for _, p := range parts {
					p.separate(v.Field(p.field))
				}
			}
		}
	}
	return made
}

// separateReference returns the separation of a slice, a map or a pointer, from that of what it leads to.
func separateReference(t reflect.Type, each separation) separation {
	return func(v reflect.Value) {
		if v.IsNil() {
			return
		}
		var made reflect.Value
		switch t.Kind() {
		case reflect.Slice:
			made = reflect.MakeSlice(t, v.Len(), v.Len())
			reflect.Copy(made, v)
			each.elements(made)
		case reflect.Map:
			made = reflect.MakeMapWithSize(t, v.Len())
			for entries := v.MapRange(); entries.Next(); {
				made.SetMapIndex(entries.Key(), each.copyOf(entries.Value()))
			}
		default:
			made = reflect.New(t.Elem())
			made.Elem().Set(each.copyOf(v.Elem()))
		}
		v.Set(made)
	}
}
