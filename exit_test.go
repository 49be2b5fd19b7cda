package selfsame_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Goexit in a function that native code called must end the program with a message, not hang it.
func TestGoexitEndsTheProgram(t *testing.T) {
	if os.Getenv("SELFSAME_TEST_GOEXIT") != "" {
		f := must(selfsame.NewFunc(func() { runtime.Goexit() }))(t)
		_, _ = f.Call()
		t.Fatal("the call returned")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestGoexitEndsTheProgram$")
	child.Env = append(os.Environ(), "SELFSAME_TEST_GOEXIT=1")
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "runtime.Goexit in `() -> void`") {
		t.Errorf("%v\n%s", err, out)
	}
}
