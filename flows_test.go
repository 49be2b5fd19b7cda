package selfsame_test

import (
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
)

// goSteps returns the functions of the flow of a call into Go in docs/architecture.md, by the number of their step: those in Go
// files, from the entry on.
func goSteps(t *testing.T) map[string]string {
	t.Helper()
	page := must(os.ReadFile("docs/architecture.md"))(t)
	_, flow, _ := strings.Cut(string(page), "### A Go func called from Python")
	flow, _, _ = strings.Cut(flow, "\n### ")
	steps := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (\\S+) \\| `internal/[\\w/]+\\.go` \\| `(\\w+)` \\|").FindAllStringSubmatch(flow, -1) {
		steps[row[1]] = row[2]
	}
	return steps
}

// functionsBelow returns the names of the functions that a func called from native code runs in, the entry into Go first,
// without package and type.
func functionsBelow() []string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var names []string
	for {
		frame, more := frames.Next()
		name := regexp.MustCompile(`(\[\.\.\.\])?(\.func\d+)*(\.\d+)*$`).ReplaceAllString(frame.Function, "")
		names = append(names, name[strings.LastIndexByte(name, '.')+1:])
		if !more || strings.HasSuffix(name, "ssgo_bridge_invoke") {
			slices.Reverse(names)
			return names
		}
	}
}

// The page on architecture names the functions on the way of a call into Go as they are, in their order.
func TestCallsIntoGoRunAsThePageSays(t *testing.T) {
	steps := goSteps(t)
	var found []string
	note := func() { found = functionsBelow() }
	overlay.Adapter(func(f func(float32) bool, c overlay.AdaptedCall) error {
		x, err := overlay.AdaptedArgument[float32](c, 0)
		if err != nil {
			return err
		}
		return overlay.AdaptedResult(c, f(x))
	})
	for last, fn := range map[string]any{
		"8":   func(float32) bool { note(); return true },
		"8'":  func(int16, float32) int16 { note(); return 1 },
		"8\"": func(n ...float32) (bool, int16) { note(); return true, 1 },
	} {
		f := must(selfsame.NewFunc(fn))(t)
		args := []any{1.5}
		if last == "8'" {
			args = []any{1, 1.5}
		}
		must(f.Call(args...))(t)
		f.Release()
		at := -1
		for _, step := range []string{"5", "6", "7", last} {
			if steps[step] == "" {
				t.Fatalf("docs/architecture.md has no step %s", step)
			}
			next := slices.Index(found[at+1:], steps[step])
			if next < 0 {
				t.Fatalf("step %s, %s: not on the stack behind step %d: %q", step, steps[step], at, found)
			}
			at += 1 + next
		}
	}
}
