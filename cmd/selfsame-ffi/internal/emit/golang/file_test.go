package golang

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/internal/layers"
)

// A file imports what its writer used, whatever its comments and strings say.
func TestAFileImportsWhatWasUsed(t *testing.T) {
	for _, c := range []struct {
		single bool
		want   string
	}{
		{false, "// head\n\npackage p\n\nimport (\n\tgofmt \"fmt\"\n\t\"unsafe\"\n)\n\n// A says gotime.Now and \"gosort.X\".\n//\n// more\nvar A = gofmt.Sprint\n"},
		{true, "// head\n\npackage p\n\nimport gofmt \"fmt\"\n\nimport \"unsafe\"\n\n// A says gotime.Now and \"gosort.X\".\n//\n// more\nvar A = gofmt.Sprint\n"},
	} {
		f := &File{Header: "// head\n\n", Package: "p", Single: c.single}
		f.Comment("A says gotime.Now and \"gosort.X\".", "\tmore\r\n")
		if f.Line() != 4 {
			t.Errorf("the next line is %d, want 4", f.Line())
		}
		f.Printf("var A = %s.Sprint\n", f.Import("fmt", "gofmt"))
		f.Import("unsafe", "unsafe")
		text, err := f.Format()
		if err != nil || string(text) != c.want {
			t.Errorf("%v\ngot\n%s\nwant\n%s", err, text, c.want)
		}
	}
}

// A generated file imports those packages of the frontend that it uses, and only those that are for generated code.
func TestAFileImportsTheFrontendsPackagesForGeneratedCode(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"var A selfsame.Object\n", "selfsame"},
		{"var A gen.ObjectHandle\n", "gen"},
		{"var A = gen.Wrap(selfsame.Some(1))\nvar _ = overlay.Adapter(nil)\n", "selfsame gen overlay"},
		{"// gen.Wrap\nvar A = \"overlay.Adapter\"\n", ""},
	} {
		f := &File{Package: "p"}
		f.Frontend()
		f.Print(c.body)
		text, _ := f.Text()
		var names []string
		for _, path := range regexp.MustCompile(`"(\S+/\S+)"`).FindAllStringSubmatch(text, -1) {
			below := strings.TrimPrefix(strings.TrimPrefix(path[1], gosource.FrontendPath), "/")
			if !slices.Contains(layers.Generated, below) {
				t.Errorf("%q: a generated file imports %s", c.body, path[1])
			}
			names = append(names, path[1][strings.LastIndexByte(path[1], '/')+1:])
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%q: got the imports %q, want %q", c.body, got, c.want)
		}
	}
}
