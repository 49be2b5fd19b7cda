package pypackage

import (
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// nativeItems are the native methods of classes with items, of which the base of such a class makes a list, a dict or a set.
var nativeItems = []string{"__len__", "__getitem__", "__setitem__", "__delitem__", "__getslice__"}

// methodsOfItems are the methods of those bases. A method of Go with such a name takes its place.
var methodsOfItems = []string{
	"add", "append", "clear", "copy", "count", "discard", "extend", "get", "index", "insert", "isdisjoint", "items", "keys", "pop", "popitem",
	"remove", "reverse", "setdefault", "sort", "update", "values", "__hash__",
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
	method := func(name string) model.Function {
		return c.Methods[slices.IndexFunc(c.Methods, func(f model.Function) bool { return f.Name == name })]
	}
	const object = "_ffi.Object"
	switch {
	case w.module.Runtime != Selfsame:
	case c.Abstract == "Mapping" || c.Abstract == "MutableMapping":
		get := method("__getitem__")
		return object + ", _typing." + c.Abstract + w.parts(w.types.result(get.Args[0]), w.types.result(get.Result))
	case c.Abstract == "Set":
		return object + ", _typing.AbstractSet" + w.parts(w.element(method("__iter__").Result))
	case c.Abstract != "":
		return object + ", _typing." + c.Abstract + w.parts(w.element(method("__iter__").Result))
	case isSequence(c):
		return object + ", _typing.Sequence" + w.parts(w.types.result(itemOf(c)))
	case c.Items != nil:
		name, _, _ := known(c.Items.Type)
		if slices.Contains(c.Operators, "numbers") {
			name = "_ffi.GoNumbers"
		}
		var parts []string
		for _, a := range c.Items.Args {
			parts = append(parts, w.types.result(a))
		}
		return name + w.parts(parts...)
	}
	return object
}

// ofElements returns the constructor of a class: that of a slice takes its elements, or one iterable of them.
func ofElements(c model.Class) model.Function {
	f := *c.Init
	if c.Items == nil || c.Items.Type != "go.Sequence" || !f.Variadic || len(f.Args) != 1 || len(f.Args[0].Args) != 1 {
		return f
	}
	elements := f.Args[0]
	one := model.Schema{Type: "Variant", Args: []model.Schema{elements.Args[0], elements}}
	f.Args = []model.Schema{{Type: elements.Type, Args: []model.Schema{one}}}
	return f
}

// parts writes what stands in the brackets of a base. A class of the module that follows is written as a text, as is a union, which Python
// 3.9 cannot make.
func (w *writer) parts(annotations ...string) string {
	for i, text := range annotations {
		isLater := func(name string) bool { return w.later[name] }
		if strings.Contains(text, " | ") || slices.ContainsFunc(annotationName.FindAllString(text, -1), isLater) {
			annotations[i] = quote(text)
		}
	}
	return "[" + strings.Join(annotations, ", ") + "]"
}

// annotationName finds the names in an annotation, those with dots as a whole.
var annotationName = regexp.MustCompile(`[\w.]+`)

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
