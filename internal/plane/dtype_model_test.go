package plane

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// An independent description of the data type grammar, to compare the parser in C with: regular expressions over the
// whole text, exact arithmetic, and the order of errors.

var (
	modelShort = []struct {
		pattern *regexp.Regexp
		long    string
	}{
		{regexp.MustCompile(`^i([0-9])`), "int$1"},
		{regexp.MustCompile(`^u([0-9])`), "uint$1"},
		{regexp.MustCompile(`^bf([0-9])`), "bfloat$1"},
		{regexp.MustCompile(`^f([0-9])`), "float$1"},
		{regexp.MustCompile(`^fp([864]_)`), "float$1"},
	}
	modelExact  = regexp.MustCompile(`(?s)^float([864])_(.*)$`)
	modelPlain  = regexp.MustCompile(`(?s)^(bfloat|float|uint|int|bool|handle)([0-9]*)(.*)$`)
	modelCustom = regexp.MustCompile(`(?s)^custom`)
	modelLanes  = regexp.MustCompile(`(?s)^x([0-9]*)(.*)$`)
	modelScaled = regexp.MustCompile(`(?s)^xvscale(?:x([0-9]*))?(.*)$`)

	modelBases = map[string]abi.DataType{
		"int": {Code: abi.CodeInt, Bits: 32}, "uint": {Code: abi.CodeUInt, Bits: 32},
		"float": {Code: abi.CodeFloat, Bits: 32}, "bfloat": {Code: abi.CodeBfloat, Bits: 16},
		"bool": {Code: abi.CodeBool, Bits: 8}, "handle": {Code: abi.CodeOpaqueHandle, Bits: 64},
	}
	modelNarrow = map[string]uint8{
		"8e3m4": 7, "8e4m3": 8, "8e4m3b11fnuz": 9, "8e4m3fn": 10, "8e4m3fnuz": 11, "8e5m2": 12, "8e5m2fnuz": 13,
		"8e8m0fnu": 14, "6e2m3fn": 15, "6e3m2fn": 16, "4e2m1fn": 17,
	}
)

// model returns the data type of a text, or the message of the ValueError. It knows no custom types.
func model(text string) (t abi.DataType, message string) {
	if text == "" || text == "void" {
		return abi.DataType{Code: abi.CodeOpaqueHandle}, ""
	}
	full := text
	for _, short := range modelShort {
		if short.pattern.MatchString(text) {
			full = short.pattern.ReplaceAllString(text, short.long)
			break
		}
	}
	rest := ""
	scalable := true
	if m := modelExact.FindStringSubmatch(full); m != nil {
		end := strings.IndexAny(m[2], map[string]string{"8": "x", "6": "x", "4": "x_"}[m[1]])
		if end < 0 {
			end = len(m[2])
		}
		code, ok := modelNarrow[m[1]+m[2][:end]]
		if !ok {
			return t, fmt.Sprintf("unknown float%s type `%s`", m[1], full)
		}
		t = abi.DataType{Code: code, Bits: m[1][0] - '0'}
		rest = m[2][end:]
		if m[1] == "4" {
			rest = strings.TrimPrefix(rest, "_")
		}
		scalable = false
	} else if m := modelPlain.FindStringSubmatch(full); m != nil {
		t = modelBases[m[1]]
		bits, large := modelNumber(m[2], 255)
		switch {
		case large == modelHuge:
			return t, modelNoNumber(m[2])
		case large == modelLarge:
			return t, fmt.Sprintf("Bits value %d is out of range for uint8_t in dtype '%s'", bits, full)
		case bits != 0:
			t.Bits = uint8(bits)
		}
		rest = m[3]
	} else if modelCustom.MatchString(full) {
		after := strings.TrimPrefix(full, "custom")
		switch {
		case !strings.HasPrefix(after, "["):
			return t, "expected opening brace after 'custom' type in" + full
		case !strings.Contains(after, "]"):
			return t, "expected closing brace after 'custom' type in" + full
		case strings.Contains(after[:strings.Index(after, "]")], "\x00"):
			return t, fmt.Sprintf("unknown dtype `%s`", full)
		}
		return t, "Function dtype.get_custom_type_code not found"
	} else {
		return t, fmt.Sprintf("unknown dtype `%s`", full)
	}
	t.Lanes, rest, message = modelReadLanes(rest, scalable, full)
	if message == "" && rest != "" {
		message = fmt.Sprintf("unknown dtype `%s`", full)
	}
	return t, message
}

func modelReadLanes(rest string, mayScale bool, full string) (lanes uint16, after, message string) {
	m := modelLanes.FindStringSubmatch(rest)
	if m == nil {
		return 1, rest, ""
	}
	scaled := false
	if s := modelScaled.FindStringSubmatch(rest); s != nil && mayScale {
		if !strings.HasPrefix(rest, "xvscalex") {
			return 1, s[2], ""
		}
		m, scaled = s, true
	}
	n, large := modelNumber(m[1], 65535)
	switch {
	case large == modelHuge:
		return 0, "", modelNoNumber(m[1])
	case large == modelLarge:
		return 0, "", fmt.Sprintf("Lanes value %d is out of range for uint16_t in dtype '%s'", n, full)
	case n == 0:
		return 0, "", fmt.Sprintf("Invalid lanes specification in dtype '%s'. Lanes must be a positive integer.", full)
	case scaled && n > 32768:
		return 0, "", fmt.Sprintf("Lanes value %d is out of range for a scalable vector in dtype '%s'", n, full)
	case scaled:
		return uint16(0x10000 - n), m[2], ""
	}
	return uint16(n), m[2], ""
}

type modelSize int

const (
	modelFits modelSize = iota
	modelLarge
	modelHuge
)

func modelNumber(digits string, limit int64) (int64, modelSize) {
	v, _ := new(big.Int).SetString("0"+digits, 10)
	switch {
	case v.Cmp(big.NewInt(1<<32-1)) > 0:
		return 0, modelHuge
	case v.Int64() > limit:
		return v.Int64(), modelLarge
	}
	return v.Int64(), modelFits
}

func modelNoNumber(digits string) string {
	return fmt.Sprintf("Integer value in dtype string '%s' is out of range for uint32_t", digits)
}

// modelWords returns the words of the grammar, for the fuzzer and the generator.
func modelWords() []string {
	words := []string{
		"", "void", "i", "u", "f", "bf", "fp", "x", "xx", "vscale", "xvscale", "xvscalex", "_", "custom", "custom[", "]",
		"[a]", "_x2", " ", "\x00", "-1", "+", "0", "1", "8", "16", "32", "255", "256", "65535", "65536", "32768", "32769",
		"4294967295", "4294967296", "18446744073709551616", "8_", "6_", "4_", "e4m3", "fn", "fnuz", "b11fnuz",
	}
	for base := range modelBases {
		words = append(words, base)
	}
	for narrow := range modelNarrow {
		words = append(words, "float"+narrow[:1]+"_"+narrow[1:], narrow[1:])
	}
	slices.Sort(words)
	return words
}
