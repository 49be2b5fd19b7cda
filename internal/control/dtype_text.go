package control

import (
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// dataTypeText returns the text of a DataType, such as "float32x4". The C function has no names for complex numbers and for
// codes that nobody has registered, which tensors of other libraries may have: abi.DataType has them.
func dataTypeText(t abi.DataType) (string, error) {
	if t.Code == abi.CodeComplex || t.Code > abi.CodeFloat4E2M1FN && t.Code < abi.CodeCustomBegin {
		return t.String(), nil
	}
	text, ok := plane.DataTypeText(t)
	if ok {
		return text, nil
	}
	if t.Code >= abi.CodeCustomBegin {
		takeRaised()
		return t.String(), nil
	}
	return "", errRaised
}

// parseDataType parses a text of dataTypeText from a string value.
func parseDataType(value *abi.Any) (abi.DataType, error) {
	name := text(value)
	if t, ok := parseUnnamed(name); ok {
		return t, nil
	}
	t, ok := plane.ParseDataType(name)
	if !ok {
		return t, errRaised
	}
	return t, nil
}

// parseUnnamed parses what abi.DataType.String returns for the data types that have no name in C.
func parseUnnamed(name string) (t abi.DataType, ok bool) {
	rest, isComplex := strings.CutPrefix(name, "complex")
	code := uint64(abi.CodeComplex)
	if !isComplex {
		number, after, found := strings.Cut(strings.TrimPrefix(name, "custom["), "]")
		parsed, err := strconv.ParseUint(number, 10, 8)
		if !strings.HasPrefix(name, "custom[") || !found || err != nil {
			return t, false
		}
		code, rest = parsed, after
	}
	width, lanes, vector := strings.Cut(rest, "x")
	bits, err := strconv.ParseUint(width, 10, 8)
	if err != nil || bits == 0 {
		return t, false
	}
	count := int64(1)
	if vector {
		fixed, scalable := strings.CutPrefix(lanes, "vscalex")
		if count, err = strconv.ParseInt(fixed, 10, 17); err != nil || count < 1 {
			return t, false
		}
		if scalable {
			count = -count
		}
	}
	return abi.DataType{Code: uint8(code), Bits: uint8(bits), Lanes: uint16(count)}, true
}
