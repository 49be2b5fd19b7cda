package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The test binary replaces the tool: Run starts it again as its child process.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == ChildCommand {
		if err := Serve(os.Args[2]); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// shapes compiles the test's extension.
func shapes(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "shapes.so")
	cmd := exec.Command("cc", "-std=c11", "-Wall", "-Wextra", "-shared", "-fPIC", "-I../../../../abi/include",
		"testdata/shapes.c", "-o", out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	return out
}

func TestRun(t *testing.T) {
	got := testenv.Value(Run(t.Context(), Source{Path: shapes(t)}))(t)
	float := model.Schema{Type: "float"}
	square := model.Schema{Type: "shapes.Square"}
	want := &model.Library{
		Classes: []model.Class{{
			Key: "shapes.Square", Parent: "ffi.Object", Doc: "A square.",
			Fields: []model.Field{{Name: "side", Doc: "its length", Type: float, Writable: true}},
			Init: &model.Function{
				Name: "__ffi_init__", Static: true, Typed: true, Result: square, Args: []model.Schema{float}, ArgNames: []string{"side"}, Keywords: true,
			},
			Methods: []model.Function{{Name: "area", Doc: "Its area.", Typed: true, Result: float}},
			Memory:  &model.Memory{Size: 32, Parts: []model.Part{{Name: "side", Type: "float", Offset: 24, Size: 8}}},
		}},
		Functions: []model.Function{{Name: "shapes.total", Static: true}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// Requirement: I11
func TestRunFailures(t *testing.T) {
	library := shapes(t)
	for _, c := range []struct{ name, variable, value, want string }{
		{"registration error", "SHAPES_FAIL", "1", "ValueError: shapes.Square: field side: no such type"},
		{"exit", "SHAPES_EXIT", "1", "exit status 3"},
		{"wait", "SHAPES_WAIT", "1", "did not finish loading in 2s: an init function"},
		{"crash", "SHAPES_ABORT", "1", "SIGABRT"},
		{"bad metadata", "SHAPES_METADATA", "{", "field side: metadata"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			if c.name == "wait" {
				defer func(before time.Duration) { Patience = before }(Patience)
				Patience = 2 * time.Second
			}
			_, err := Run(t.Context(), Source{Path: library})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one that contains %q", err, c.want)
			}
		})
	}
}

// A package may start a process when it is loaded, which has the child's output and lives on.
func TestRunEndsWithItsChild(t *testing.T) {
	library := shapes(t)
	for _, exit := range []bool{false, true} {
		left := filepath.Join(t.TempDir(), "left")
		t.Setenv("SHAPES_LEAVE", left)
		if exit {
			t.Setenv("SHAPES_FAIL", "1")
		}
		got, err := Run(t.Context(), Source{Path: library})
		text, readErr := os.ReadFile(left)
		pid, numberErr := strconv.Atoi(string(text))
		if readErr != nil || numberErr != nil {
			t.Fatal(readErr, numberErr)
		}
		process, findErr := os.FindProcess(pid)
		if findErr != nil {
			t.Fatal(findErr)
		}
		if err := process.Kill(); err != nil {
			t.Errorf("the process that was left: %v", err)
		}
		if exit != (err != nil) || exit && !strings.Contains(err.Error(), "no such type") || !exit && len(got.Classes) != 1 {
			t.Errorf("got %+v, error %v", got, err)
		}
	}
}

func TestRunOtherFiles(t *testing.T) {
	_, err := Run(t.Context(), Source{Path: filepath.Join(t.TempDir(), "gone.so")})
	if err == nil || !strings.Contains(err.Error(), "cannot be loaded") {
		t.Errorf("missing file: got error %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty.so")
	cmd := exec.Command("cc", "-shared", "-x", "c", "/dev/null", "-o", empty)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	got, err := Run(t.Context(), Source{Path: empty})
	if err != nil || !reflect.DeepEqual(got, &model.Library{}) {
		t.Errorf("a library that registers nothing: got %+v, error %v", got, err)
	}
}
