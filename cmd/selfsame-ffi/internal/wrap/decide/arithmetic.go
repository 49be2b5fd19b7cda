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
	{"Subtract", "sub"}, {"Multiply", "mul"}, {"Divide", "truediv"},
}

// arithmetic adds the operators of a type that calculates: with a value of its own it makes a third one, as decimal numbers do, or it
// stores that of two others in itself, as the numbers of math/big do.
func (s *special) arithmetic() {
	if _, basic := s.Named.Underlying().(*types.Basic); basic || s.Kind != form.Pointer || !s.isOwn(s.operand("Add")) || s.operand("Sub", "Subtract", "Mul", "Multiply") == nil {
		return
	}
	value := s.find("Add").Results().At(0).Type()
	into := s.find("Add").Params().Len() == 2
	isWhole := s.find("Lsh") != nil // Go and Python round quotients of whole numbers differently
	for _, c := range calculating {
		python, operand := "__"+c.operator+"__", s.operand(c.method)
		if operand == nil || s.Has(python) || isWhole && (c.operator == "truediv" || c.operator == "mod") || (c.operator == "add" || c.operator == "sub") && !s.isOwn(operand) {
			continue
		}
		made := form.Operation{Op: form.Operates, Go: c.method, Key: operand, Value: value, Into: into, Fails: s.find(c.method).Results().Len() == 2}
		s.add(python, "As the method "+pythonName(c.method)+".", made)
		if c.operator == "mul" && !s.isOwn(operand) {
			s.add("__rmul__", "As the method "+pythonName(c.method)+".", made)
		}
	}
	if f := s.fromInt(value); f != nil {
		s.add("__go_from_int__", "The value of an int.", form.Operation{Op: form.MakesOfInt, Func: f, Value: value})
	} else {
		s.add("__radd__", "The value itself, for sum().", form.Operation{Op: form.StartsSum, Value: value})
	}
	for _, c := range []struct{ name, python string }{{"Neg", "__neg__"}, {"Negate", "__neg__"}, {"Abs", "__abs__"}, {"Absolute", "__abs__"}} {
		params := map[bool]int{true: 1}[into]
		if sig := s.find(c.name); !s.Has(c.python) && returnsOne(sig, params) && types.Identical(sig.Results().At(0).Type(), value) {
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

// isNumber says whether a type is int, float64 or another such type of Go's own.
func isNumber(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// operand returns the type of the other value of the first of some methods that calculates: of a value of the type and another one, or of two
// others, it makes a third, perhaps with an error. Any number of others is one too. Beside a value of the type, which all but the products
// have, the other one is a number. It is nil where no method does.
func (s *special) operand(names ...string) types.Type {
	for _, name := range names {
		sig := s.find(name)
		if sig == nil || sig.Params().Len() == 0 || sig.Params().Len() > 2 || sig.Results().Len() == 0 || sig.Results().Len() > 2 {
			continue
		}
		into, result := sig.Params().Len() == 2, sig.Results().At(0).Type()
		if _, pointer := types.Unalias(result).(*types.Pointer); !s.isOwn(result) || into && (!pointer || sig.Variadic() || sig.Results().Len() == 2) ||
			sig.Results().Len() == 2 && !isError(sig.Results().At(1).Type()) {
			continue
		}
		operand := paramType(sig, 0)
		if isNumber := !into && isNumber(operand); !types.Identical(operand, result) && !isNumber || into && !types.Identical(sig.Params().At(1).Type(), result) {
			continue
		}
		return operand
	}
	return nil
}
