package tie_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/selfsame-ffi/selfsame/runtime" // the C functions that joining the table calls
)

// TestSanitizers runs the record code from many threads, compiled with each sanitizer. The harness counts what it made
// and fails when an object, a block or a record is left over.
func TestSanitizers(t *testing.T) {
	for name, flags := range map[string][]string{
		"plain":     {"-O2"},
		"thread":    {"-O1", "-fsanitize=thread"},
		"address":   {"-O1", "-fsanitize=address"},
		"undefined": {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := filepath.Join(t.TempDir(), "tie_race")
			args := append([]string{"-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-I../include"}, flags...)
			args = append(args, "testdata/tie_race.c", "tie.c", "-o", binary, "-pthread")
			if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
				t.Fatalf("gcc %v: %v\n%s", args, err, out)
			}
			if out, err := exec.Command(binary).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
