package initstack

import (
	"runtime"
	"strings"
	"testing"
)

// Requirement: D11

const sleeping = "goroutine 7 [sleep]:\nexample.org/slow.init.0()\n\t/other.go:3 +0x2\n\n"

func TestInitFunctionThatWaitsIsNamed(t *testing.T) {
	for _, c := range []struct{ stack, want string }{
		{"goroutine 1 [chan receive, locked to thread]:\nexample.org/slow.wait(...)\n\t/src/slow.go:4\nexample.org/slow.init.0()\n\t/src/slow.go:9 +0x1d\n",
			"example.org/slow.init.0 at /src/slow.go:9 (chan receive)"},
		{"goroutine 1 [sync.Mutex.Lock, 2 minutes]:\nexample.org/slow.(*T).init.func1(0x1)\n\t/src/t.go:2 +0x4\nexample.org/slow.init()\n\t/src/v.go:7 +0x1d",
			"example.org/slow.init at /src/v.go:7 (sync.Mutex.Lock)"},
		{"goroutine 1 [runnable]:\nexample.org/slow.initialise()\n\t/src/slow.go:9 +0x1d\n", ""},
		{"goroutine 12 [select]:\nexample.org/slow.init.0()\n\t/src/slow.go:9 +0x1d\n", ""},
		{"goroutine 1 [chan receive]:", ""},
		{"", ""},
	} {
		if got := Read(sleeping + c.stack); got != c.want {
			t.Errorf("%q: got %q, want %q", c.stack, got, c.want)
		}
	}
}

var duringInit = stacks()

func stacks() string {
	text := make([]byte, 1<<16)
	return string(text[:runtime.Stack(text, true)])
}

func TestStacksOfThisReleaseOfGoAreRead(t *testing.T) {
	if got := Read(duringInit); !strings.Contains(got, "internal/initstack.init at ") || !strings.Contains(got, "initstack_test.go:") {
		t.Errorf("got %q from %s", got, duringInit)
	}
	if got := Read(stacks()); got != "" {
		t.Errorf("got %q when all packages were initialised", got)
	}
}
