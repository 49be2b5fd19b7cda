package shown

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestTextThatActsIsShownByItsNumber(t *testing.T) {
	for text, want := range map[string]string{
		"grüße 世界 🙂 \\x": "grüße 世界 🙂 \\x", "a\x1b[31m\u202e\U000e0041\u3164": `a\x1b[31m\u202e\U000e0041\u3164`, "\xff\u0085": `\xff\x85`,
	} {
		if got := Line(text); got != want {
			t.Errorf("Line(%q) = %q, expected %q", text, got, want)
		}
	}
	if got := Text("a\n\tb\r"); got != "a\n\tb\\x0d" {
		t.Errorf("got %q", got)
	}
	if got := Line("a\n\tb"); got != `a\x0a\x09b` {
		t.Errorf("got %q", got)
	}
}

// The C code of the runtime has the hidden characters in a table of its own, newlines and tabs apart, which it keeps.
func TestTheTableOfTheRuntimeHasTheSameCharacters(t *testing.T) {
	source := testenv.Value(os.ReadFile("../plane/core/shown.c"))(t)
	var table [][2]rune
	for _, pair := range regexp.MustCompile(`\{0x([0-9A-F]+), 0x([0-9A-F]+)\}`).FindAllSubmatch(source, -1) {
		first, _ := strconv.ParseInt(string(pair[1]), 16, 32)
		last, _ := strconv.ParseInt(string(pair[2]), 16, 32)
		table = append(table, [2]rune{rune(first), rune(last)})
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		inC := r&0xFFFE == 0xFFFE
		for _, pair := range table {
			inC = inC || pair[0] <= r && r <= pair[1]
		}
		if want := Hidden(r) && r != '\n' && r != '\t'; inC != want {
			t.Errorf("%U: hidden in C: %v, in Go: %v", r, inC, want)
		}
	}
}
