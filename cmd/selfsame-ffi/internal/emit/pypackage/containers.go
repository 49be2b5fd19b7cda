package pypackage

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
	case w.module.Runtime != Selfsame:
	case c.Abstract != "":
		return "_ffi.Object, " + w.abstract(c)
	case isSequence(c):
		return "_ffi.Object, _typing.Sequence[" + w.types.result(itemOf(c)) + "]"
	case c.Items == nil:
	case slices.Contains(c.Operators, "numbers"):
		return "_ffi.GoNumbers[" + w.types.result(c.Items.Args[0]) + "]"
	default:
		return w.types.result(*c.Items)
	}
	return "_ffi.Object"
}

// abstract returns the base of typing for the class of collections.abc that a class is.
func (w *writer) abstract(c model.Class) string {
	method := func(name string) model.Function {
		return c.Methods[slices.IndexFunc(c.Methods, func(f model.Function) bool { return f.Name == name })]
	}
	if c.Abstract == "Mapping" || c.Abstract == "MutableMapping" {
		get := method("__getitem__")
		return "_typing." + c.Abstract + "[" + w.types.result(get.Args[0]) + ", " + w.types.result(get.Result) + "]"
	}
	return map[string]string{"Set": "_typing.AbstractSet", "Iterator": "_typing.Iterator"}[c.Abstract] + "[" + w.element(method("__iter__").Result) + "]"
}

// isSequence says whether methods of a class make it a sequence: it has a length and elements by index, and no loop of its own.
func isSequence(c model.Class) bool {
	return c.Items == nil && c.Abstract == "" && itemOf(c).Type != "" && hasMethod(c, "__len__") && !hasMethod(c, "__iter__") &&
		!slices.ContainsFunc(c.Methods, func(f model.Function) bool { return f.Property == "index" || f.Property == "count" })
}

// itemOf returns the schema of the element of a class by index, the zero Schema without one.
func itemOf(c model.Class) model.Schema {
	for _, f := range c.Methods {
		if f.Name == "__getitem__" && f.Typed && len(f.Args) == 1 && f.Args[0].Type == "int" {
			return f.Result
		}
	}
	return model.Schema{}
}
