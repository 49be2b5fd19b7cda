package escape

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// RustName makes a name of Rust of any text: what is neither an ASCII letter, digit nor underscore becomes an underscore. A
// keyword and a name in reserved get one at the end.
func RustName(text string, reserved ...string) string {
	return naming.Rust.Identifier(text, reserved...)
}

// RustComment returns a line of text behind // or /// in Rust.
func RustComment(line string) string { return each(line, "\t", numbered, numberedByte) }

// RustString returns a string literal of Rust. Bytes that are no UTF-8, which no text of Rust has, become U+FFFD.
func RustString(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	return `"` + each(text, "", func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }, func(byte) string { return `\u{fffd}` }) + `"`
}
