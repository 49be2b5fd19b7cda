// Package shown shows text from outside (names, docs and messages of libraries) to readers: characters that act, on a terminal
// or on the order in which a text is read, stand there by their number.
package shown

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden reports whether a character acts instead of being shown: controls, marks of the direction of text, line
// separators that few programs know, the byte order mark, and what is no character. Also what no reader sees, so that no
// text hides in it: fillers, the space without width, and the block of tags and further variation selectors.
func Hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x061C, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F,
		r == 0xFEFF, 0xFFF9 <= r && r <= 0xFFFB, 0xE0000 <= r && r <= 0xE0FFF,
		r == 0x115F, r == 0x1160, r == 0x180E, r == 0x200B, r == 0x3164, r == 0xFFA0:
		return true
	}
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// Replace replaces hidden characters but those in kept, and bytes that are no UTF-8.
func Replace(text, kept string, char func(rune) string, bad func(byte) string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(bad(text[i]))
		case Hidden(r) && !strings.ContainsRune(kept, r):
			b.WriteString(char(r))
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// Numbered shows a character by its number, for readers.
func Numbered(r rune) string {
	switch {
	case r <= 0xFF:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xFFFF:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// NumberedByte shows a byte that is no UTF-8 by its number.
func NumberedByte(c byte) string { return fmt.Sprintf(`\x%02x`, c) }

// Text returns a text of several lines as a terminal may show it.
func Text(text string) string { return Replace(text, "\n\t", Numbered, NumberedByte) }

// Line returns a text as a part of one line on a terminal.
func Line(text string) string { return Replace(text, "", Numbered, NumberedByte) }
