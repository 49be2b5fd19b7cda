package python

import (
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// nativeItems are the native methods of classes with items, of which the base of such a class makes a list, a dict or a set.
var nativeItems = []string{"__len__", "__getitem__", "__setitem__", "__delitem__", "__getslice__"}

// methodsOfItems are the methods of those bases. A method of Go with such a name takes its place.
var methodsOfItems = []string{
	"add", "append", "clear", "copy", "count", "discard", "extend", "get", "index", "insert", "isdisjoint", "items", "keys", "pop", "popitem",
	"remove", "reverse", "setdefault", "sort", "update", "values",
}

// ofItems returns classes without the native methods that their bases have.
func ofItems(classes []model.Class) []model.Class {
	made := slices.Clone(classes)
	for i, c := range made {
		if c.Items != nil {
			made[i].Methods = slices.DeleteFunc(slices.Clone(c.Methods), func(f model.Function) bool { return slices.Contains(nativeItems, f.Name) })
		}
	}
	return made
}

// base returns what a class derives from that has no class of the module above it.
func (w *writer) base(c model.Class) string {
	switch {
	case c.Items == nil || w.module.Runtime != Selfsame:
		return "_ffi.Object"
	case slices.Contains(c.Operators, "numbers"):
		return "_ffi.GoNumbers[" + w.types.result(c.Items.Args[0]) + "]"
	}
	return w.types.result(*c.Items)
}
