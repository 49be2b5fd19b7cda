package decide

import (
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// calculating are the methods of number types that Python has operators for.
var calculating = []struct{ method, operator string }{
	{"Add", "add"}, {"Sub", "sub"}, {"Mul", "mul"}, {"Div", "truediv"}, {"Quo", "truediv"}, {"Mod", "mod"}, {"Rem", "mod"}, {"Pow", "pow"},
}

// arithmetic adds the operators of a type that calculates: with a value of its own it makes a third one, as decimal numbers do.
func (s *special) arithmetic() {
	if _, basic := s.Named.Underlying().(*types.Basic); basic || s.Kind != form.Pointer || !s.calculates("Add") || !s.calculates("Sub") && !s.calculates("Mul") {
		return
	}
	value := s.find("Add").Results().At(0).Type()
	for _, c := range calculating {
		if python := "__" + c.operator + "__"; s.calculates(c.method) && !s.Has(python) {
			s.add(python, "As the method "+pythonName(c.method)+".", form.Operation{Op: form.Operates, Go: c.method, Key: value, Value: value})
		}
	}
	s.add("__radd__", "The value itself, for sum().", form.Operation{Op: form.StartsSum, Value: value})
	for _, c := range []struct{ name, python string }{{"Neg", "__neg__"}, {"Abs", "__abs__"}} {
		name, python := c.name, c.python
		if sig := s.find(name); returnsOne(sig, 0) && types.Identical(sig.Results().At(0).Type(), value) {
			s.add(python, "As the method "+pythonName(name)+".", form.Operation{Op: form.Calls, Go: name, Value: value})
		}
	}
	s.converted("__float__", types.Typ[types.Float64], "InexactFloat64", "Float64")
	s.converted("__int__", types.Typ[types.Int64], "IntPart", "Int64")
	if sig := s.find("IsZero"); returnsOne(sig, 0) && isBool(sig.Results().At(0).Type()) {
		s.add("__bool__", "Whether it is not 0.", form.Operation{Op: form.CallsNot, Go: "IsZero"})
	}
}

// converted adds the conversion to a number by the first method that gives one, perhaps with a bool that says whether it is exact.
func (s *special) converted(python string, to types.Type, names ...string) {
	sig, name := s.first(names...)
	if sig == nil || sig.Params().Len() != 0 || sig.Results().Len() == 0 || !types.Identical(sig.Results().At(0).Type(), to) {
		return
	}
	one := form.Operation{Op: form.Calls, Go: name, Value: to}
	switch {
	case sig.Results().Len() == 2 && isBool(sig.Results().At(1).Type()):
		one.Op = form.CallsFirst
	case sig.Results().Len() != 1:
		return
	}
	s.add(python, "As the method "+pythonName(name)+".", one)
}

// calculates says whether a method of another value of the type returns a third.
func (s *special) calculates(name string) bool {
	sig := s.find(name)
	if !returnsOne(sig, 1) || !types.Identical(sig.Params().At(0).Type(), sig.Results().At(0).Type()) {
		return false
	}
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return types.Identical(t, s.Named)
}
