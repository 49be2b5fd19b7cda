package escape

import (
	"html"
	"strings"
)

// HTML returns a text as the content of an element of HTML or SVG, or as the value of an attribute in quotes.
func HTML(text string) string { return html.EscapeString(Terminal(text)) }

// HTMLData returns JSON with the same values as the content of a script element of HTML. There "</script" and "<!--" mean
// something, which can be in JSON texts alone.
func HTMLData(text []byte) string { return strings.ReplaceAll(string(JSON(text)), "<", `\u003c`) }
