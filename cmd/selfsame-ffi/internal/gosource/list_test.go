package gosource

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestFindRefuses(t *testing.T) {
	dir := t.TempDir()
	module := "module example.org/x\n\ngo 1.24\n"
	write(t, filepath.Join(dir, "file.go"), "package x\n")
	write(t, filepath.Join(dir, "empty", "go.mod"), module)
	write(t, filepath.Join(dir, "program", "go.mod"), module)
	write(t, filepath.Join(dir, "program", "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(dir, "plain", "go.mod"), module)
	write(t, filepath.Join(dir, "plain", "x.go"), "package plain\n\nimport _ \"strings\"\n")
	write(t, filepath.Join(dir, "tagged", "go.mod"), module)
	write(t, filepath.Join(dir, "tagged", "x.go"), "package tagged\n")
	write(t, filepath.Join(dir, "tagged", "special.go"), "//go:build special\n\npackage tagged\n\nimport _ \""+FrontendPath+"\"\n")
	write(t, filepath.Join(dir, "syntax", "go.mod"), module)
	write(t, filepath.Join(dir, "syntax", "x.go"), "package syntax\n\nimport {\n")
	write(t, filepath.Join(dir, "missing", "go.mod"), module)
	write(t, filepath.Join(dir, "missing", "x.go"), "package missing\n\nimport _ \"example.org/nowhere\"\n")
	write(t, filepath.Join(dir, "loose", "x.go"), "package loose\n")
	for _, c := range []struct{ folder, want, advice string }{
		{"gone", "no such folder", "give the folder of a Go package"},
		{"file.go", "is a file", "give the folder of a Go package"},
		{"empty", "no Go files", ""},
		{"program", "package main", "a package of its own"},
		{"plain", "does not import " + FrontendPath, "or let `selfsame-ffi wrap "},
		{"tagged", "does not import " + FrontendPath, "build constraints leave out special.go: --tags chooses other files"},
		{"syntax", "x.go:3", ""},
		{"missing", "example.org/nowhere", ""},
		{"loose", "go mod init", "go mod init"},
	} {
		_, err := Find(filepath.Join(dir, c.folder), []string{SharedTag})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.advice) {
			t.Errorf("%s: got error %v, want one that contains %q and %q", c.folder, err, c.want, c.advice)
		}
	}
}

func TestFindWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Find(".", nil)
	if err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("got error %v, want one that says to install Go", err)
	}
}
