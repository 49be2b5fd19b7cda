package escape

import "strconv"

// PythonASCII returns a string literal of Python in ASCII. A byte that is no UTF-8 is the character with its number.
func PythonASCII(text string) string { return strconv.QuoteToASCII(text) }
