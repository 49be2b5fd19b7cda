package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Headers of the published package that the suite need not include, and why.
var headersLeftOut = map[string]string{
	"tvm/ffi/extra/cuda/base.h":                 "needs the headers of CUDA",
	"tvm/ffi/extra/cuda/cubin_launcher.h":       "needs the headers of CUDA",
	"tvm/ffi/extra/cuda/device_guard.h":         "needs the headers of CUDA",
	"tvm/ffi/extra/cuda/internal/unified_api.h": "needs the headers of CUDA",
}

var includeLine = regexp.MustCompile(`(?m)^#include <(tvm/ffi/[^>]+)>`)

// The C++ suite uses every header that the package publishes. A new release with a new header fails here until a
// file of the suite uses it.
// Requirement: E1
func TestEveryHeaderIsUsed(t *testing.T) {
	include, _ := testenv.TvmFFI(t)
	sources, err := filepath.Glob(filepath.Join(testenv.Root(), "conformance", "cpp", "*_test.cc"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	used := map[string]bool{}
	for _, source := range sources {
		text := testenv.Value(os.ReadFile(source))(t)
		for _, match := range includeLine.FindAllStringSubmatch(string(text), -1) {
			used[match[1]] = true
		}
	}
	published := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(include, "tvm", "ffi"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".h") {
			name, _ := filepath.Rel(include, path)
			published[filepath.ToSlash(name)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(published) < 30 {
		t.Fatalf("only %d headers in %s", len(published), include)
	}
	for name := range published {
		reason := headersLeftOut[name]
		if !used[name] && reason == "" {
			t.Errorf("no file of conformance/cpp includes %s", name)
		}
		if used[name] && reason != "" {
			t.Errorf("%s is included, although it %s", name, reason)
		}
	}
	for name := range headersLeftOut {
		if !published[name] {
			t.Errorf("%s is left out, but is not published", name)
		}
	}
}
