package runtime

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

// A static constructor of a Go program runs before the runtime can start. What it calls is an error, and does not wait
// for ever; the program then goes on, where the function can return an error, and says why it ends where not.
func TestStaticConstructorOfAProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "early")
	testenv.Run(t, "go", "build", "-o", program, "./testdata/static_constructor")
	for _, c := range []struct {
		asked, function string
		goesOn          bool
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
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), "EARLY="+c.asked)
		out, err := cmd.CombinedOutput()
		cancel()
		text := string(out)
		if (err == nil) != c.goesOn || strings.HasSuffix(text, "main: ok\n") != c.goesOn {
			t.Errorf("%q: %v\n%s", c.asked, err, text)
		}
		if c.function != "" && !strings.Contains(text, c.function+": the runtime has not started: ") {
			t.Errorf("%q says:\n%s", c.asked, text)
		}
		if c.goesOn && c.asked != "" && !strings.Contains(text, c.asked+": -1 RuntimeError: ") {
			t.Errorf("%q says:\n%s", c.asked, text)
		}
	}
}
