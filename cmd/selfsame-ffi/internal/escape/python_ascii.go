package escape

import "strconv"

// PythonASCII returns a string literal of Python in ASCII. A byte that is no UTF-8 is the character with its number.
func PythonASCII(text string) string { return strconv.QuoteToASCII(text) }

// PythonBytes returns a literal of bytes.
func PythonBytes(text string) string {
	quoted := make([]byte, 0, 4*len(text)+3)
	quoted = append(quoted, 'b', '"')
	for _, c := range []byte(text) {
		quoted = append(quoted, '\\', 'x', digits[c>>4], digits[c&15])
	}
	return string(append(quoted, '"'))
}

const digits = "0123456789abcdef"
