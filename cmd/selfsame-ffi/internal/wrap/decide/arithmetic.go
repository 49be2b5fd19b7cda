package decide

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// calculating are the methods of number types that Python has operators for.
var calculating = []struct{ method, operator string }{
	{"Add", "add"}, {"Sub", "sub"}, {"Mul", "mul"}, {"Div", "truediv"}, {"Quo", "truediv"}, {"Mod", "mod"}, {"Rem", "mod"}, {"Pow", "pow"},
}

// arithmetic adds the operators of a type that calculates: with a value of its own it makes a third one, as decimal numbers do, or it
// stores that of two others in itself, as the numbers of math/big do.
func (s *special) arithmetic() {
	if _, basic := s.Named.Underlying().(*types.Basic); basic || s.Kind != form.Pointer || !s.calculates("Add") || !s.calculates("Sub") && !s.calculates("Mul") {
		return
	}
	value := s.find("Add").Results().At(0).Type()
	into := s.find("Add").Params().Len() == 2
	isWhole := s.find("Lsh") != nil // Go and Python round quotients of whole numbers differently
	for _, c := range calculating {
		if python := "__" + c.operator + "__"; s.calculates(c.method) && !s.Has(python) && !(isWhole && (c.operator == "truediv" || c.operator == "mod")) {
			s.add(python, "As the method "+pythonName(c.method)+".", form.Operation{Op: form.Operates, Go: c.method, Key: value, Value: value, Into: into})
		}
	}
	if f := s.fromInt(value); f != nil {
		s.add("__go_from_int__", "The value of an int.", form.Operation{Op: form.MakesOfInt, Func: f, Value: value})
	} else {
		s.add("__radd__", "The value itself, for sum().", form.Operation{Op: form.StartsSum, Value: value})
	}
	for _, c := range []struct{ name, python string }{{"Neg", "__neg__"}, {"Abs", "__abs__"}} {
		params := map[bool]int{true: 1}[into]
		if sig := s.find(c.name); returnsOne(sig, params) && types.Identical(sig.Results().At(0).Type(), value) {
			s.add(c.python, "As the method "+pythonName(c.name)+".", form.Operation{Op: form.Calls, Go: c.name, Value: value, Into: into})
		}
	}
	s.converted("__float__", "float64", "InexactFloat64", "Float64")
	s.converted("__int__", "*math/big.Int", "BigInt")
	if !s.Has("__int__") {
		s.converted("__int__", "int64", "IntPart", "Int64")
	}
	if sig := s.find("IsZero"); returnsOne(sig, 0) && isBool(sig.Results().At(0).Type()) {
		s.add("__bool__", "Whether it is not 0.", form.Operation{Op: form.CallsNot, Go: "IsZero"})
	} else if isFunction(s.find("Sign"), "", "int") {
		s.add("__bool__", "Whether it is not 0.", form.Operation{Op: form.HasSign, Go: "Sign"})
	}
}

// combinations are the funcs and methods of sets that Python has operators for.
var combinations = [][2]string{{"Union", "__or__"}, {"Intersection", "__and__"}, {"Intersect", "__and__"}, {"Difference", "__sub__"},
	{"SymmetricDifference", "__xor__"}}

// combining adds the operators of sets: methods of another set that return a third one, and leave their own as it is.
func (s *special) combining() {
	for _, c := range combinations {
		sig := s.find(c[0])
		if !returnsOne(sig, 1) || s.Has(c[1]) || !s.isOwn(sig.Params().At(0).Type()) || !types.Identical(sig.Params().At(0).Type(), sig.Results().At(0).Type()) {
			continue
		}
		f, _ := s.methods.Lookup(s.Named.Obj().Pkg(), c[0]).Obj().(*types.Func)
		if s.Kind == form.Pointer && s.receiver(f).Writes {
			continue
		}
		value := sig.Results().At(0).Type()
		s.add(c[1], "As the method "+pythonName(c[0])+".", form.Operation{Op: form.Operates, Go: c[0], Key: value, Value: value})
	}
}

// fromInt returns the func of the type's package that makes a value of a whole number, as NewFromInt; nil if there is none.
func (s *special) fromInt(value types.Type) *types.Func {
	scope := s.Named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if ok && fromInt.MatchString(strings.Replace(name, s.Named.Obj().Name(), "", 1)) && isFunction(f.Signature(), "int64", value.String()) && !s.rules.Omits(name) {
			return f
		}
	}
	return nil
}

var fromInt = regexp.MustCompile(`^(New)?(From)?Int(64)?$`)

// converted adds the conversion to a number by the first method that gives one, perhaps with a bool that says whether it is exact.
func (s *special) converted(python, to string, names ...string) {
	sig, name := s.first(names...)
	if sig == nil || sig.Params().Len() != 0 || sig.Results().Len() == 0 || sig.Results().At(0).Type().String() != to {
		return
	}
	one := form.Operation{Op: form.Calls, Go: name, Value: sig.Results().At(0).Type()}
	switch {
	case sig.Results().Len() == 2 && (isBool(sig.Results().At(1).Type()) || to == "float64"):
		one.Op = form.CallsFirst
	case sig.Results().Len() != 1:
		return
	}
	s.add(python, "As the method "+pythonName(name)+".", one)
}

// calculates says whether a method of another value of the type, or of two, returns a third.
func (s *special) calculates(name string) bool {
	sig := s.find(name)
	if sig == nil || sig.Variadic() || sig.Params().Len() == 0 || sig.Params().Len() > 2 || sig.Results().Len() != 1 {
		return false
	}
	t := types.Unalias(sig.Results().At(0).Type())
	for p := range sig.Params().Variables() {
		if !types.Identical(p.Type(), t) {
			return false
		}
	}
	p, pointer := t.(*types.Pointer)
	if pointer {
		t = types.Unalias(p.Elem())
	} else if sig.Params().Len() == 2 {
		return false
	}
	return types.Identical(t, s.Named)
}
