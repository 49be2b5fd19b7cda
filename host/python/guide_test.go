//lint:file-ignore SA4006 the guide shows an error at each call, and a program looks at each

package python_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

// The code of docs/python-from-go.md stands here and in testdata.

func TestTheFirstProgramOfTheGuideRuns(t *testing.T) {
	folder := t.TempDir()
	testenv.OK(t, os.Symlink(filepath.Dir(filepath.Dir(py.Executable)), filepath.Join(folder, ".venv")))
	program := filepath.Join(folder, "first")
	testenv.Run(t, "go", "build", "-o", program, "./testdata/first")
	cmd := testenv.Program(t, program)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "3 <nil>\n" {
		t.Errorf("the program printed %s, %v", out, err)
	}
}

func TestTheGuide(t *testing.T) {
	numpy, err := py.Import("numpy")
	if err != nil {
		t.Skip("NumPy is not installed")
	}
	builtins := imported(t, "builtins")
	words := []string{"three", "to", "one"}
	array, err := numpy.CallMethod("arange", 6, python.Kw{"dtype": "float64"}) // keywords come last
	table, err := array.CallMethod("reshape", 2, 3)
	n, err := table.Len()
	first, err := table.Item(0)
	for row, err := range table.All() {
		fmt.Println(row, err)
	}
	total, err := python.As[float64](table.CallMethod("sum"))
	sorted, err := builtins.CallMethod("sorted", words, python.Kw{"key": func(word string) int { return len(word) }})
	if err != nil || n != 2 || total != 15 || first.String() != "[0. 1. 2.]" || sorted.String() != "['to', 'one', 'three']" {
		t.Errorf("the guide gives %v, %v, %v, %v, %v", err, n, total, first, sorted)
	}
	ctx, url := context.Background(), 0
	client := must[*python.Object](t)(py.Eval("__import__('types').SimpleNamespace(get=__import__('asyncio').sleep)", nil))
	coroutine, err := client.CallMethod("get", url)
	response, err := coroutine.Await(ctx)
	if err != nil || response == nil {
		t.Errorf("the response is %v, %v", response, err)
	}
	_, err = table.Item("x")
	var raised *python.Exception
	if errors.As(err, &raised) {
		fmt.Println(raised.Kind(), raised.Message())
		fmt.Println(raised.Traceback())
		exception, err := raised.Object() // with its attributes
		fmt.Println(exception, err)
	}
	python.Is(err, "LookupError") // knows derived classes
	if raised == nil || !strings.Contains(raised.Kind(), "IndexError") {
		t.Errorf("the error is %v", err)
	}
}
