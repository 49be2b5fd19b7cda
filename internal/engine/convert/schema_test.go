package convert

import (
	"encoding/json"
	"testing"
)

func TestQuoteWritesWhatMarshalWrites(t *testing.T) {
	texts := []string{"", "geo.Point", `say "it"`, `C:\geo`, "two\nlines", "a\tb", "a<b>&c", "Größe", "\x00\x1f", "~\x7f", "\xff", "\u2028"}
	for c := range 0x180 {
		texts = append(texts, "x"+string(rune(c))+"y")
	}
	for _, text := range texts {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Quote(text); got != string(want) {
			t.Errorf("Quote(%q) = %s, want %s", text, got, want)
		}
	}
}
