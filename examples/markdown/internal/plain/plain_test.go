package plain

import (
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`a \* b`: "a * b", "&copy; &#169; &#xA9;": "© © ©", `\&copy;`: "&copy;", "a < b & c": "a < b & c", `\a`: `\a`, "": "", "é": "é",
	} {
		if got := Text([]byte(in)); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestURL(t *testing.T) {
	for in, want := range map[string]string{"a b": "a%20b", `a\*b`: "a*b", "?a=1&amp;b=2": "?a=1&b=2", "": ""} {
		if got := URL([]byte(in)); got != want {
			t.Errorf("URL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAutoLinkURL(t *testing.T) {
	for in, want := range map[string]string{
		"<me@example.org>": "mailto:me@example.org", "<mailto:me@example.org>": "mailto:me@example.org", "<https://example.org/ä>": "https://example.org/%C3%A4",
	} {
		source := []byte(in)
		doc := goldmark.DefaultParser().Parse(text.NewReader(source))
		link, ok := doc.FirstChild().FirstChild().(*ast.AutoLink)
		if !ok {
			t.Fatalf("%s is no automatic link", in)
		}
		if got := AutoLinkURL(link, source); got != want {
			t.Errorf("AutoLinkURL(%q) = %q, want %q", in, got, want)
		}
	}
}
