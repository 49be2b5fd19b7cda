package shown

import "testing"

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
