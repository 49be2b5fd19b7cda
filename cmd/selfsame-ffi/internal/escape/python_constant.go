package escape

import (
	"fmt"
	"go/constant"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PythonConstant writes the value of a Go constant as Python does, and its type. float says that the constant is of a type of floats,
// whatever its value.
func PythonConstant(value constant.Value, float bool) (text, kind string) {
	switch v := value; v.Kind() {
	case constant.Bool:
		if constant.BoolVal(v) {
			return "True", "bool"
		}
		return "False", "bool"
	case constant.String:
		if text := constant.StringVal(v); !utf8.ValidString(text) {
			return PythonBytes(text), "bytes" // no str has them
		}
		return PythonASCII(constant.StringVal(v)), "str"
	case constant.Complex:
		re, _ := constant.Float64Val(constant.Real(v))
		im, _ := constant.Float64Val(constant.Imag(v))
		return fmt.Sprintf("complex(%v, %v)", re, im), "complex"
	case constant.Float:
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text, "float"
	default:
		if float {
			return v.ExactString() + ".0", "float"
		}
		return v.ExactString(), "int"
	}
}
