package abi

import "strconv"

var codeNames = [...]string{
	CodeInt: "int", CodeUInt: "uint", CodeFloat: "float", CodeOpaqueHandle: "handle", CodeBfloat: "bfloat",
	CodeComplex: "complex", CodeBool: "bool", CodeFloat8E3M4: "float8_e3m4", CodeFloat8E4M3: "float8_e4m3",
	CodeFloat8E4M3B11FNUZ: "float8_e4m3b11fnuz", CodeFloat8E4M3FN: "float8_e4m3fn",
	CodeFloat8E4M3FNUZ: "float8_e4m3fnuz", CodeFloat8E5M2: "float8_e5m2", CodeFloat8E5M2FNUZ: "float8_e5m2fnuz",
	CodeFloat8E8M0FNU: "float8_e8m0fnu", CodeFloat6E2M3FN: "float6_e2m3fn", CodeFloat6E3M2FN: "float6_e3m2fn",
	CodeFloat4E2M1FN: "float4_e2m1fn",
}

// String returns the data type as text, such as float32, int8x4 or bool. A type that a program registered is shown by
// its code.
func (t DataType) String() string {
	if (t == DataType{Code: CodeOpaqueHandle}) {
		return "" // a function without a result
	}
	var text string
	switch {
	case int(t.Code) >= len(codeNames):
		text = "custom[" + strconv.Itoa(int(t.Code)) + "]" + strconv.Itoa(int(t.Bits))
	case t.Code == CodeOpaqueHandle:
		return "handle"
	case t.Code > CodeBool || t.Code == CodeBool && t.Bits == 8:
		text = codeNames[t.Code]
	default:
		text = codeNames[t.Code] + strconv.Itoa(int(t.Bits))
	}
	if lanes := int16(t.Lanes); lanes > 1 {
		text += "x" + strconv.Itoa(int(lanes))
	} else if lanes < -1 {
		text += "xvscalex" + strconv.Itoa(-int(lanes))
	}
	return text
}
