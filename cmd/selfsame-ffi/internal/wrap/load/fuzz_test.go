package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// FuzzDocs reads the comments of Go source that may not compile: it ends.
func FuzzDocs(f *testing.F) {
	f.Add("// Package a.\npackage a\n\n// T is.\ntype T[P any] struct {\n\t// X is.\n\tX, Y int // both\n}\n\n// M does.\nfunc (t *T[P]) M() {}\n")
	f.Add("package a\n\nfunc () f() {}\n\nfunc ((((*T)))) g() {}\n\nfunc (a, b T) h() {}")
	f.Add("package a\n\nconst (\n\ta, b = iota, 1 // one\n\tc, _\n)\n\nvar x, y = f()\n\ntype I interface {\n\tM(); ~int | string\n}")
	f.Fuzz(func(t *testing.T, source string) {
		path := filepath.Join(t.TempDir(), "a.go")
		testenv.OK(t, os.WriteFile(path, []byte(source), 0o600))
		docs := ReadDocs([]string{path})
		for name, text := range docs.Of {
			if name == "" || text == "" {
				t.Errorf("the comment %q of %q", text, name)
			}
		}
	})
}
