package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// PythonString writes a Python string literal.
func PythonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// PythonFloat writes a Python expression for a float.
func PythonFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return `float("nan")`
	case math.IsInf(x, 1):
		return `float("inf")`
	case math.IsInf(x, -1):
		return `float("-inf")`
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
