package control

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A static constructor of a Go program runs before the runtime can start. A C function that it calls must not wait for
// the start: it returns an error, or, if it cannot, prints the reason and ends the program.
func TestCallsFromAStaticConstructorAreErrors(t *testing.T) {
	program := filepath.Join(t.TempDir(), "early")
	testenv.Run(t, "go", "build", "-o", program, "./testdata/static_constructor")
	for _, c := range []struct {
		asked, function string
		continues       bool
	}{
		{"", "", true},
		{"get", "TVMFFIFunctionGetGlobal", true},
		{"key", "TVMFFITypeKeyToIndex", true},
		{"set", "TVMFFIFunctionSetGlobal", true},
		{"type", "TVMFFITypeGetOrAllocIndex", false},
		{"ask", "TVMFFITypeGetOrAllocIndex", false},
		{"info", "TVMFFIGetTypeInfo", false},
		{"column", "TVMFFIGetTypeAttrColumn", false},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), "EARLY="+c.asked)
		out, err := cmd.CombinedOutput()
		cancel()
		text := string(out)
		if (err == nil) != c.continues || strings.HasSuffix(text, "main: ok\n") != c.continues {
			t.Errorf("%q: %v\n%s", c.asked, err, text)
		}
		if c.function != "" && !strings.Contains(text, c.function+": the runtime has not started: ") {
			t.Errorf("%q says:\n%s", c.asked, text)
		}
		if c.continues && c.asked != "" && !strings.Contains(text, c.asked+": -1 RuntimeError: ") {
			t.Errorf("%q says:\n%s", c.asked, text)
		}
	}
}
