package recursive

import (
	"math"
	"strconv"
)

const hexDigits = "0123456789abcdef"

// appendFloat appends a float with six significant digits.
func appendFloat(out []byte, f float64) []byte {
	switch {
	case math.IsNaN(f) && math.Signbit(f):
		return append(out, "-nan"...)
	case math.IsNaN(f):
		return append(out, "nan"...)
	case math.IsInf(f, 1):
		return append(out, "inf"...)
	case math.IsInf(f, -1):
		return append(out, "-inf"...)
	}
	return strconv.AppendFloat(out, f, 'g', 6, 64)
}

func appendHexByte(out []byte, c byte) []byte {
	return append(out, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
}

// appendCode appends a code point as an escape with n digits.
func appendCode(out []byte, letter byte, code uint32, n int) []byte {
	out = append(out, '\\', letter)
	for shift := 4 * (n - 1); shift >= 0; shift -= 4 {
		out = append(out, hexDigits[code>>shift&15])
	}
	return out
}

// appendBytes appends bytes as a literal of Python, in double quotes.
func appendBytes(out, content []byte) []byte {
	out = append(out, 'b', '"')
	for _, c := range content {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			out = appendHexByte(out, c)
		} else {
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// appendString appends a string as a literal of Python, in double quotes, with escapes for everything but ASCII.
func appendString(out, s []byte) []byte {
	out = append(out, '"')
	for len(s) != 0 {
		if n := colorCode(s); n != 0 {
			out = append(append(out, `\x1b[`...), s[2:n]...)
			s = s[n:]
			continue
		}
		if n, code := codePoint(s); n > 1 {
			if n == 4 {
				out = appendCode(out, 'U', code, 8)
			} else {
				out = appendCode(out, 'u', code, 4)
			}
			s = s[n:]
			continue
		}
		switch c := s[0]; {
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\\' || c == '"':
			out = append(out, '\\', c)
		case c < ' ' || c >= 0x7f:
			out = appendHexByte(out, c)
		default:
			out = append(out, c)
		}
		s = s[1:]
	}
	return append(out, '"')
}

// colorCode returns the length of the terminal sequence at the start of s that sets colors or clears a line, 0 if there
// is none.
func colorCode(s []byte) int {
	if len(s) < 3 || s[0] != 0x1b || s[1] != '[' {
		return 0
	}
	i := 2
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == ';') {
		i++
	}
	if i < len(s) && (s[i] == 'm' || s[i] == 'K') {
		return i + 1
	}
	return 0
}

// codePoint reads the UTF-8 sequence of n = 2 to 4 bytes at the start of s; n is 1 when there is none. It accepts overlong
// sequences and surrogates.
func codePoint(s []byte) (n int, code uint32) {
	switch c := s[0]; {
	case c&0xe0 == 0xc0:
		n, code = 2, uint32(c&0x1f)
	case c&0xf0 == 0xe0:
		n, code = 3, uint32(c&0x0f)
	case c&0xf8 == 0xf0:
		n, code = 4, uint32(c&0x07)
	default:
		return 1, 0
	}
	if len(s) < n {
		return 1, 0
	}
	for _, c := range s[1:n] {
		if c&0xc0 != 0x80 {
			return 1, 0
		}
		code = code<<6 | uint32(c&0x3f)
	}
	return n, code
}
