package pypackage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// operands are the special methods of two operands. At run time they return NotImplemented for an operand of another type.
var operands = func() []string {
	names := []string{"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
	for _, name := range []string{
		"add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "xor", "or",
	} {
		names = append(names, "__"+name+"__", "__r"+name+"__", "__i"+name+"__")
	}
	return names
}()

// specialMethods writes the special methods of a class for type checkers: those among its methods, and those that its
// options Equality and Order stand for.
func (w *writer) specialMethods(c model.Class, name string) {
	seen := map[string]bool{}
	for _, f := range c.Methods {
		if !isSpecial(f.Name) || seen[f.Name] || f.Static {
			continue
		}
		seen[f.Name] = true
		w.line(0, "")
		w.specialMethod(c, name, f)
	}
	if seen["__exit__"] && !seen["__enter__"] {
		w.line(0, "")
		w.line(2, "def __enter__(self) -> %s: ...", name)
	}
	if c.Abstract == "Iterator" {
		i := slices.IndexFunc(c.Methods, func(f model.Function) bool { return f.Name == "__iter__" })
		element := w.element(c.Methods[i].Result)
		w.line(0, "")
		w.line(2, "def __next__(self) -> %s: ...", element)
		w.line(0, "")
		w.line(2, "def __aiter__(self) -> _typing.AsyncIterator[%s]: ...", element)
		w.line(0, "")
		w.line(2, "async def __anext__(self) -> %s: ...", element)
	}
	if slices.Contains(c.Operators, "eq") {
		if !seen["__eq__"] {
			w.line(0, "")
			w.line(2, "def __eq__(self, other: %s) -> %s: ...", w.types.builtin("object"), w.types.builtin("bool"))
		}
		if !seen["__hash__"] {
			w.line(0, "")
			w.line(2, "def __hash__(self) -> %s: ...", w.types.builtin("int"))
		}
	}
	if slices.Contains(c.Operators, "order") {
		for _, method := range []string{"__lt__", "__le__", "__gt__", "__ge__"} {
			if !seen[method] {
				w.line(0, "")
				w.line(2, "def %s(self, other: %s) -> %s: ...", method, name, w.types.builtin("bool"))
			}
		}
	}
}

// isSpecial says whether a method is a special method of Python that stubs should have.
func isSpecial(name string) bool {
	return escape.IsPythonSpecial(name) && !strings.HasPrefix(name, "__ffi_") && !strings.HasPrefix(name, "__go_") && name != "__init__" && name != "__getslice__"
}

// hook reports whether a field has a name between double underscores, by which Python would use it. Its class does not get it.
func hook(field string) bool { return strings.HasPrefix(field, "__") && strings.HasSuffix(field, "__") }

// leftOut tells readers of the fields that classes do not get, and of the methods that begin like special ones and are none:
// Python has no way to write their names.
func (w *writer) leftOut(c model.Class) {
	for _, f := range c.Fields {
		if hook(f.Name) {
			w.line(1, "# The field %s is left out: Python would use it by itself.", escape.PythonComment(quote(f.Name)))
		}
	}
	for _, f := range c.Methods {
		if strings.HasPrefix(f.Name, "__") && !escape.IsPythonSpecial(f.Name) {
			w.line(1, "# The method %s is left out: it is not the name of a special method.", escape.PythonComment(quote(f.Name)))
		}
	}
}

func (w *writer) specialMethod(c model.Class, name string, f model.Function) {
	object := w.types.builtin("object")
	switch {
	case f.Name == "__eq__" || f.Name == "__ne__" || f.Name == "__contains__":
		w.stub(2, fmt.Sprintf("def %s(self, other: %s, /) -> %s:", f.Name, object, w.types.builtin("bool")), f.Doc)
	case f.Name == "__exit__":
		w.stub(2, fmt.Sprintf("def __exit__(self, *exception: %s) -> None:", object), f.Doc)
	case f.Name == "__iter__" && f.Typed:
		w.stub(2, fmt.Sprintf("def __iter__(self) -> _typing.Iterator[%s]:", w.element(f.Result)), f.Doc)
	case f.Name == "__getitem__" && f.Typed && len(f.Args) == 1 && f.Args[0].Type == "int" && hasMethod(c, "__len__"):
		part := w.types.builtin("list") + "[" + w.types.result(f.Result) + "]"
		if i := slices.IndexFunc(c.Methods, func(m model.Function) bool { return m.Name == "__getslice__" }); i >= 0 {
			part = w.types.result(c.Methods[i].Result)
		}
		w.line(2, "@_typing.overload")
		w.line(2, "def __getitem__(self, index: %s, /) -> %s: ...", w.types.argument(f.Args[0]), w.types.result(f.Result))
		w.line(0, "")
		w.line(2, "@_typing.overload")
		w.line(2, "def __getitem__(self, index: %s, /) -> %s: ...", w.types.builtin("slice"), part)
		w.line(0, "")
		w.stub(2, "def __getitem__(self, index: _typing.Any, /) -> _typing.Any:", f.Doc)
	default:
		if slices.Contains(operands, f.Name) {
			f.Keywords, f.Args = false, operandsOf(f.Args)
			if hasMethod(c, "__go_from_int__") && len(f.Args) == 1 {
				w.numberOperand(f)
				return
			}
		}
		w.define(2, f.Name, f, ofObjects)
	}
}

// numberOperand writes an operator of a number type, which takes an int too, and the one for an int in front.
func (w *writer) numberOperand(f model.Function) {
	result := w.types.result(f.Result)
	w.stub(2, fmt.Sprintf("def %s(self, other: %s | %s, /) -> %s:", f.Name, w.types.argument(f.Args[0]), w.types.builtin("int"), result), f.Doc)
	if name := strings.TrimPrefix(f.Name, "__"); !slices.Contains(operands[:6], f.Name) {
		w.line(0, "")
		w.stub(2, fmt.Sprintf("def __r%s(self, other: %s, /) -> %s:", name, w.types.builtin("int"), result), f.Doc)
	}
}

// operandsOf returns the schemas of operands, of which those for Go pointers and interfaces do not take None.
func operandsOf(args []model.Schema) []model.Schema {
	taken := slices.Clone(args)
	for i, s := range taken {
		if s.Type == "go.Pointer" || s.Type == "go.Interface" {
			taken[i].Type = "go.Named"
		}
	}
	return taken
}

// element returns the annotation of what an iteration over a result gives.
func (w *writer) element(s model.Schema) string {
	if s.Type == "go.Plain" && len(s.Args) == 1 {
		s = s.Args[0]
	}
	switch {
	case len(s.Args) == 1 && s.Type == "go.Iterator":
		return w.types.result(s.Args[0])
	case len(s.Args) > 0 && (s.Type == "ffi.Array" || s.Type == "ffi.List" || s.Type == "ffi.Map" || s.Type == "ffi.Dict"):
		return w.types.result(s.Args[0])
	case s.Type == "ffi.Shape":
		return w.types.builtin("int")
	}
	return "_typing.Any"
}

func hasMethod(c model.Class, name string) bool {
	return slices.ContainsFunc(c.Methods, func(m model.Function) bool { return m.Name == name })
}

// properties writes the attributes that methods get and set.
func (w *writer) properties(c model.Class) {
	for _, f := range c.Methods {
		if f.Property == "" || f.Property != f.Name {
			continue
		}
		w.line(0, "")
		w.line(2, "@%s", w.types.builtin("property"))
		w.define(2, identifier(f.Name), f, ofObjects)
		i := slices.IndexFunc(c.Methods, func(m model.Function) bool { return m.Property == f.Name && m.Name != f.Name })
		if i < 0 || len(c.Methods[i].Args) != 1 {
			continue
		}
		w.line(0, "")
		w.line(2, "@%s.setter", identifier(f.Name))
		w.stub(2, fmt.Sprintf("def %s(self, value: %s) -> None:", identifier(f.Name), w.types.argument(c.Methods[i].Args[0])), c.Methods[i].Doc)
	}
}
