package client

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// directive is a comment that a Go tool obeys.
var directive = regexp.MustCompile(`^//(go:|line |export |extern |nolint|sys)|^// \+build `)

// fuzzedPackage has a doc, a name of a parameter and a registered name wherever each can be.
func fuzzedPackage(doc, argument, registered string) *Library {
	f := method("geo.f", schema("int"), schema("ffi.String"))
	f.Doc, f.ArgNames = doc, []string{argument}
	named, init, member := f, f, f
	named.Name, init.Name, member.Name = "geo."+registered, "__ffi_init__", registered
	return &Library{Name: "geo", Sources: []string{doc}, Content: model.Library{
		Classes: []model.Class{
			{
				Key: "geo.Class", Parent: "ffi.Object", Doc: doc, Init: &init, Methods: []model.Function{member},
				Fields: []model.Field{{Name: "x", Type: schema("int"), Writable: true, Doc: doc}, {Name: registered, Type: schema("float"), Doc: doc}},
			},
			{Key: "geo.Color", Parent: "ffi.IntEnum", Members: []model.Member{{Name: "red", Number: 1}, {Name: registered, Number: 2}}},
		},
		Functions: []model.Function{f, named},
	}}
}

// tokensOf returns the tokens of a file but comments and the contents of texts.
func tokensOf(t *testing.T, name, text string) string {
	t.Helper()
	if _, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(text)), []byte(text), nil, scanner.ScanComments)
	var tokens strings.Builder
	for {
		_, kind, literal := s.Scan()
		switch kind {
		case token.EOF:
			return tokens.String()
		case token.COMMENT:
			if strings.ContainsFunc(literal, func(r rune) bool {
				return r != '\t' && r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			}) {
				t.Fatalf("a comment has a character that acts: %q", literal)
			}
			if directive.MatchString(literal) && !strings.HasPrefix(literal, "//go:build ") {
				t.Fatalf("a comment is a directive: %q", literal)
			}
		case token.STRING, token.CHAR:
			tokens.WriteString(`"" `)
		default:
			tokens.WriteString(kind.String() + " " + literal + " ")
		}
	}
}

// Whatever docs and registered names say, the files are Go, docs stay comments, and no comment is a directive.
func FuzzPackage(f *testing.F) {
	f.Add("A doc.", "value", "name")
	f.Add("go:build ignore\n\n//go:build ignore\nline x.go:1\nexport f\n+build ignore", "func", "type")
	f.Add("*/ }; func init() { panic(1) } /*", "a b", "名")
	f.Add("carriage\rreturn \x00 \xff \u202e", "", "init")
	f.Add("```\n    code\n", "_", "a.b")
	f.Fuzz(func(t *testing.T, doc, argument, registered string) {
		files, err := Files(fuzzedPackage(doc, argument, registered))
		if err != nil {
			return // names that are refused
		}
		plain, err := Files(fuzzedPackage("A doc.", argument, registered))
		if err != nil || len(plain) != len(files) {
			t.Fatalf("with a harmless doc alone: %d files, %v; expected %d", len(plain), err, len(files))
		}
		for name, text := range files {
			if got, want := tokensOf(t, name, text), tokensOf(t, name, plain[name]); got != want {
				t.Errorf("%s: a doc changes the code:\n%s\nexpected that of\n%s", name, text, plain[name])
			}
		}
	})
}
