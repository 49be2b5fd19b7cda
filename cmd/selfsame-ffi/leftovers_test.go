package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirements: G1, I13

func TestBuildWritesIntoNoFolderThatItDidNotMake(t *testing.T) {
	dir := module(t, "// Package geo has points.\npackage geo\n\nimport _ \"github.com/selfsame-ffi/selfsame\"\n")
	out := t.TempDir()
	writeAll(t, out, map[string]string{"geo/notes.txt": "mine\n", "geo/_geo.so": "of a build that was killed"})
	if _, err := selfsame(t, "build", dir, "-o", out); err == nil || !strings.Contains(err.Error(), "has notes.txt and was not made by selfsame-ffi build") {
		t.Errorf("got %v", err)
	}
	if got := files(t, out); len(got) != 2 {
		t.Errorf("the folder has %q", got)
	}
	if err := prepare(filepath.Join(out, "geo"), "_geo.so"); err == nil {
		t.Error("the folder was taken")
	}
	testenv.OK(t, os.Remove(filepath.Join(out, "geo", "notes.txt")))
	if err := prepare(filepath.Join(out, "geo"), "_geo.so"); err != nil {
		t.Errorf("what a build that was killed left: %v", err)
	}
}

func TestGraphOverwritesPicturesAlone(t *testing.T) {
	folder := t.TempDir()
	writeAll(t, folder, map[string]string{"tree.json": oneObject, "own.svg": "<svg><!-- mine --></svg>\n", "own.html": "<!doctype html>\n<p>mine\n"})
	data := filepath.Join(folder, "tree.json")
	for _, name := range []string{"tree.json", "own.svg", "own.html"} {
		before := readText(t, folder, name)
		_, err := selfsame(t, "graph", data, "-o", filepath.Join(folder, name))
		if err == nil || !strings.Contains(err.Error(), "was not written by selfsame-ffi graph and is not overwritten") || readText(t, folder, name) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a.svg", "a.html"} {
		for range 2 {
			if _, err := selfsame(t, "graph", data, "-o", filepath.Join(folder, name)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAnInterruptedBuildLeavesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("build is for Linux")
	}
	dir := module(t, "// Package geo has points.\npackage geo\n\nimport \"github.com/selfsame-ffi/selfsame\"\n\n"+
		"var _ = selfsame.MustRegisterFunc(\"geo.one\", func() int { return 1 })\n")
	temporary, cache, out := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "out")
	t.Setenv("TMPDIR", temporary)
	t.Setenv("GOCACHE", cache) // so that all is compiled, which takes long enough
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	compiles := make(chan struct{})
	go func() {
		defer close(compiles)
		for ctx.Err() == nil {
			if found, _ := filepath.Glob(filepath.Join(temporary, "*", "go-build*", "b*")); len(found) > 0 {
				interrupt()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	root := newRootCommand()
	root.SetArgs([]string{"build", dir, "-o", out})
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	interrupt()
	<-compiles
	for _, folder := range []string{temporary, out} {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
			t.Errorf("%s has %v, %v", folder, entries, err)
		}
	}
}

// symlink makes a link.
func symlink(t *testing.T, to, path string) {
	t.Helper()
	testenv.OK(t, os.Symlink(to, path))
}
