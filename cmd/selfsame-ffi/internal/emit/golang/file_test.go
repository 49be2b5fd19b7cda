package golang

import "testing"

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
