// Package escape is the only way of text from outside (names, docs and messages of libraries, processes and files) into each
// kind of output that this tool makes. A language has a file: how it writes a name, a text and a comment. A writer of code
// puts nothing from outside into its output that no func of this package returned.
//
// In every output, characters that act on a terminal or change the order in which a text is read are shown by their
// number. A reader of generated code then sees the order that the compiler reads.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden reports whether a character acts instead of being shown: controls, marks of the direction of text, line
// separators that few programs know, the byte order mark, and what is no character. Also what no reader sees, so that no
// text hides in it: fillers, the space without width, and the block of tags and further variation selectors.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x061C, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F,
		r == 0xFEFF, 0xFFF9 <= r && r <= 0xFFFB, 0xE0000 <= r && r <= 0xE0FFF,
		r == 0x115F, r == 0x1160, r == 0x180E, r == 0x200B, r == 0x3164, r == 0xFFA0:
		return true
	}
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// each replaces hidden characters but those in kept, and bytes that are no UTF-8.
func each(text, kept string, char func(rune) string, bad func(byte) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(bad(text[i]))
		case hidden(r) && !strings.ContainsRune(kept, r):
			b.WriteString(char(r))
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// numbered shows a character by its number, for readers.
func numbered(r rune) string {
	switch {
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xFFFF:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

func numberedByte(c byte) string { return fmt.Sprintf(`\x%02x`, c) }
