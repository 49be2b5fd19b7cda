package escape

import "fmt"

// JSON returns JSON with the same values that a terminal may show.
func JSON(text []byte) []byte {
	// Outside of texts JSON has no hidden characters but white space, and in texts an escape may stand for any.
	return []byte(each(string(text), "\n\t\r", func(r rune) string {
		if r > 0xFFFF {
			high, low := utf16(r)
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}, func(byte) string { return `\ufffd` }))
}

func utf16(r rune) (high, low rune) {
	r -= 0x10000
	return 0xD800 + r>>10, 0xDC00 + r&0x3FF
}
