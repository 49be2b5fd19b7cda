// Package escape is the only way of text from outside (names, docs and messages of libraries, processes and files) into each
// kind of output that this tool makes. A language has a file: how it writes a name, a text and a comment. A writer of code
// puts nothing from outside into its output that no func of this package returned.
//
// In every output, characters that act on a terminal or change the order in which a text is read are shown by their
// number. A reader of generated code then sees the order that the compiler reads.
package escape

import "github.com/selfsame-ffi/selfsame/internal/shown"

func hidden(r rune) bool { return shown.Hidden(r) }

func each(text, kept string, char func(rune) string, bad func(byte) string) string {
	return shown.Replace(text, kept, char, bad)
}

func numbered(r rune) string { return shown.Numbered(r) }

func numberedByte(c byte) string { return shown.NumberedByte(c) }
