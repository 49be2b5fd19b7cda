package decide

import (
	"go/types"
)

// number adds the operators with which Go code joins flags and calculates with values of a number type. Their results are of the
// type, as in Go. Division of whole numbers is left out, because Go and Python round it differently.
func (d *Decider) number(c *Class, b *types.Basic, add adder) {
	add("__bool__", "Whether the value is not 0.", ") bool { return *o.Go() != 0 }")
	add("__hash__", "The hash of the value.", ") int64 { return selfsame.HashOfNumber(*o.Go()) }")
	binary := func(name, doc, result, expression, swapped string) {
		add("__"+name+"__", doc, ", x %s) %s { return "+expression+" }", c.GoType, result)
		add("__r"+name+"__", doc, ", x %s) %s { return "+swapped+" }", c.GoType, result)
	}
	if b.Info()&types.IsInteger != 0 {
		add("__int__", "The value.", ") %[1]s { return %[1]s(*o.Go()) }", b.Name())
		add("__index__", "The value.", ") %[1]s { return %[1]s(*o.Go()) }", b.Name())
		add("__invert__", "The value with each bit turned over.", ") %s { return ^*o.Go() }", c.GoType)
		for _, bits := range [][3]string{{"or", "|", "one of"}, {"and", "&", "both"}, {"xor", "^", "exactly one of"}} {
			binary(bits[0], "The bits that are in "+bits[2]+" the values.", c.GoType, "*o.Go() "+bits[1]+" x", "x "+bits[1]+" *o.Go()")
		}
	} else {
		add("__float__", "The value.", ") float64 { return float64(*o.Go()) }")
	}
	checked := [][3]string{{"add", "SumOf", "sum"}, {"sub", "DifferenceOf", "difference"}, {"mul", "ProductOf", "product"}}
	if b.Info()&types.IsFloat != 0 {
		checked = append(checked, [3]string{"truediv", "QuotientOf", "quotient"})
	}
	result := "(" + c.GoType + ", error)"
	for _, one := range checked {
		binary(one[0], "The "+one[2]+" of both values.", result, "selfsame."+one[1]+"(*o.Go(), x)", "selfsame."+one[1]+"(x, *o.Go())")
	}
	add("__neg__", "The value with the other sign.", ") %s { return selfsame.NegativeOf(*o.Go()) }", result)
	for _, operator := range [][2]string{{"__lt__", "<"}, {"__le__", "<="}, {"__gt__", ">"}, {"__ge__", ">="}} {
		if !c.Has(operator[0]) { // a method of the type goes before
			add(operator[0], "Compares the values.", ", x %s) bool { return *o.Go() %s x }", c.GoType, operator[1])
		}
	}
}
