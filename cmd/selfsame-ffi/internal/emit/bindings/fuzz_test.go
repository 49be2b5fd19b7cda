package bindings_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/bindings"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/cpp"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/rust"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// A lexer finds the comments and literals of a language: what it matches first at a place. Only what the generators write is
// in it, so raw strings, block comments and characters in quotes are code that must not be there.
var (
	cppToken  = regexp.MustCompile(`^(//[^\n]*|"(?:[^"\\\n]|\\[^\n])*")`)
	rustToken = regexp.MustCompile(`^(//[^\n]*|"(?:[^"\\]|\\.)*")`)
)

// codeOf returns the code without its comments, and with "" in the place of each text.
func codeOf(t *testing.T, language, text string) string {
	t.Helper()
	token := rustToken
	if language == "C++" {
		token = cppToken
		// The compiler does so before all else: trigraphs, then lines that a backslash joins.
		text = strings.ReplaceAll(text, "??/", `\`)
		text = regexp.MustCompile(`\\[ \t]*\r?\n`).ReplaceAllString(text, "")
	}
	var code strings.Builder
	for len(text) > 0 {
		if found := token.FindString(text); found != "" {
			if found[0] == '"' {
				code.WriteString(`""`)
			}
			text = text[len(found):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		if r == '"' || r != '\n' && r != '\t' && (r < 0x20 || r > 0x7e) {
			t.Fatalf("%s: %q is in the code, before %.60q", language, r, text)
		}
		code.WriteString(text[:size])
		text = text[size:]
	}
	return code.String()
}

// fuzzedLibrary has a doc, a name of a parameter, a default and a registered name wherever each can be.
func fuzzedLibrary(doc, argument, value, registered string) *bindings.Library {
	f := model.Function{
		Name: "evil.f", Doc: doc, Static: true, Typed: true, Result: schema("int"), Args: []model.Schema{schema("ffi.String")},
		ArgNames: []string{argument}, ArgDefaults: []string{fmt.Sprintf("%q", value)},
	}
	method, other := f, f
	method.Name, method.Static, other.Name = registered, false, "evil."+registered
	init := f
	init.Name = "__ffi_init__"
	return &bindings.Library{Name: "evil", Source: doc, Foreign: true, Content: model.Library{
		Classes: []model.Class{{
			Key: "evil.Class", Parent: "ffi.Object", Doc: doc, Init: &init, Methods: []model.Function{method},
			Fields: []model.Field{{Name: "x", Type: schema("int"), Writable: true, Doc: doc}, {Name: registered + "y", Type: schema("float"), Doc: doc}},
		}},
		Functions: []model.Function{f, other},
	}}
}

// Whatever docs, defaults and registered names say, the code is that of harmless ones: docs stay comments, defaults and names
// stay literals, and no name brings a bracket, a semicolon or a character that is not ASCII into it.
func FuzzBindings(f *testing.F) {
	for _, doc := range hostileDocs {
		f.Add(doc, "value", "text", "name")
		f.Add("doc", doc, doc, "name")
		f.Add("doc", "value", doc, doc)
	}
	f.Add("```\nfn main() {}\n", "class", `R"(`, "operator()")
	f.Add("/* open", "/*", "*/", "a;b{c}d(e)")
	f.Fuzz(func(t *testing.T, doc, argument, value, registered string) {
		for language, write := range map[string]func(*bindings.Library) (string, error){"C++": cpp.Header, "Rust": rust.Module} {
			text, err := write(fuzzedLibrary(doc, argument, value, registered))
			if err != nil {
				continue // names that are refused
			}
			code := codeOf(t, language, text)
			plain, err := write(fuzzedLibrary("doc", argument, "text", registered))
			if err != nil {
				t.Fatalf("%s: refused with a harmless doc alone: %v", language, err)
			}
			if want := codeOf(t, language, plain); lines(code) != lines(want) {
				t.Errorf("%s: a doc or default changes the code:\n%s\nexpected\n%s", language, code, want)
			}
			plain, err = write(fuzzedLibrary("doc", "value", "text", "name"))
			if err != nil {
				t.Fatal(err)
			}
			want := codeOf(t, language, plain)
			for _, mark := range []string{"{", "}", "(", ")", ";", "[", "]", "#"} {
				if strings.Count(code, mark) != strings.Count(want, mark) {
					t.Errorf("%s: a name changes the number of %s:\n%s", language, mark, text)
				}
			}
		}
	})
}

// lines leaves out blank lines, as a doc has any number of lines.
func lines(code string) string {
	return regexp.MustCompile(`(?m)^[ \t]*\n`).ReplaceAllString(code, "")
}
