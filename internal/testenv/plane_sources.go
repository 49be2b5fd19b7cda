package testenv

import (
	"path/filepath"
	"testing"
)

// PlaneSources returns the C files of the data plane, those of its rooms too, and what they need of package selfcopy. Programs of
// tests compile them without Go. PlaneIncludes has the folders of their headers.
func PlaneSources(t *testing.T) []string {
	t.Helper()
	var sources []string
	for _, pattern := range []string{"internal/plane/*.c", "internal/plane/*/*.c", "internal/selfcopy/*.c"} {
		for _, file := range Value(filepath.Glob(filepath.Join(Root(), pattern)))(t) {
			if filepath.Base(filepath.Dir(file)) != "testdata" {
				sources = append(sources, file)
			}
		}
	}
	if len(sources) == 0 {
		t.Fatal("no C files of the data plane")
	}
	return sources
}

// PlaneIncludes returns the compiler's arguments for the headers of PlaneSources.
func PlaneIncludes() []string {
	var args []string
	for _, folder := range []string{"abi/include", "internal/plane", "internal/selfcopy"} {
		args = append(args, "-I", filepath.Join(Root(), folder))
	}
	return args
}
