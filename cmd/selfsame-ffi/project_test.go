package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/progress"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestBuildWarnsOfPointersThatOutliveTheirHandle(t *testing.T) {
	dir := t.TempDir()
	source := "package p\n\nfunc f() float64 {\n\th := NodeClass.New(nil)\n\treturn h.Get().total()\n}\n"
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600))
	var out strings.Builder
	p := &project{packages: []*gosource.Package{{Dir: dir, GoFiles: []string{"p.go"}}}}
	testenv.OK(t, p.warnBorrowed(progress.New(&out, false)))
	if want := "warning: " + filepath.Join(dir, "p.go") + ":5:9: h may be finalized before total is done"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q, want it to begin with %q", out.String(), want)
	}
}
