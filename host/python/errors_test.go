package python_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

func TestAnExceptionHasKindTracebackNotesAndItsObject(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
class Lost(KeyError):
    code = 7
def find(key):
    e = Lost(key)
    e.__notes__ = ["asked twice"]
    raise e
`, space); err != nil {
		t.Fatal(err)
	}
	find := must[*python.Object](t)(space.Item("find"))
	_, err := find.Call("it")
	var exception *python.Exception
	if !errors.As(err, &exception) || exception.Kind() != "Lost" || exception.Message() != "'it'" {
		t.Fatalf("the error is %v", err)
	}
	for _, kind := range []string{"Lost", "KeyError", "LookupError", "Exception", "__go__.Lost"} {
		if !python.Is(err, kind) {
			t.Errorf("the error is no %s", kind)
		}
	}
	if python.Is(err, "ValueError") {
		t.Error("the error is a ValueError")
	}
	object := must[*python.Object](t)(exception.Object())
	if code := must[int](t)(python.As[int](object.Attr("code"))); code != 7 {
		t.Errorf("the code is %d", code)
	}
	if again := must[*python.Object](t)(exception.Object()); again != object {
		t.Error("the exception has two handles")
	}
	if notes := must[[]string](t)(exception.Notes()); fmt.Sprint(notes) != "[asked twice]" {
		t.Errorf("the notes are %v", notes)
	}
	if trace := fmt.Sprintf("%+v", err); !strings.Contains(trace, "in find") || !strings.Contains(trace, "raise e") || !strings.Contains(trace, "errors_test.go") {
		t.Errorf("the traceback is %s", trace)
	}
}

func TestAnExceptionIsOfTheNameThatAnyModuleHasForItsClass(t *testing.T) {
	err := py.Exec("import json\njson.loads('{')", nil)
	for _, kind := range []string{"JSONDecodeError", "json.decoder.JSONDecodeError", "json.JSONDecodeError", "builtins.ValueError"} {
		if !python.Is(err, kind) {
			t.Errorf("the error is no %s", kind)
		}
	}
	if !python.Is(py.Exec("open('/no/such/file')", nil), "IOError") {
		t.Error("IOError, another name of OSError, is not found")
	}
	for _, kind := range []string{"json.loads", "json.Other", "no.such.module.ValueError", "builtins.KeyError", ""} {
		if python.Is(err, kind) {
			t.Errorf("the error is a %s", kind)
		}
	}
}

func TestARefusedArgumentHasTheNameOrNumberOfTheCaller(t *testing.T) {
	f := must[*python.Object](t)(py.Eval("lambda *args, **keywords: args", nil))
	ch, ctx := make(chan int), context.Background()
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"argument 1: ":          second(f.Call(ch)),
		"argument 2: ":          second(f.CallMethod("__call__", 1, ch)),
		"argument 3: ":          second(python.CallAs[int](f, 1, 2, ch)),
		"argument 4: ":          second(f.CallContext(ctx, 1, 2, 3, ch)),
		"argument 5: ":          second(f.CallMethodContext(ctx, "__call__", 1, 2, 3, 4, ch)),
		"argument of: ":         second(f.Call(1, python.Kw{"an": 1, "of": ch})),
		"argument on: ":         second(f.CallMethod("__call__", python.Kw{"an": 1, "on": ch})),
		"argument to: ":         second(f.CallMethodContext(ctx, "__call__", 1, python.Kw{"to": ch})),
		"variable: ":            second(py.Namespace(map[string]any{"variable": ch})),
		"member: ":              second(py.Subclass("Made", nil, map[string]any{"member": ch})),
		"Array[index 1]: ":      second(py.Value([]any{1, ch})),
		"chan int has no count": f.SetAttr("at", ch),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "TypeError: python: "+name) || !strings.Contains(err.Error(), "iter.Seq[int]") {
			t.Errorf("%q: the error is %v", name, err)
		}
	}
}

func TestAGoErrorComesThroughPythonAsItself(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	testenv.OK(t, py.Exec("def through(f):\n    return f()\n", space))
	through := must[*python.Object](t)(space.Item("through"))
	mine := errors.New("mine")
	if _, err := through.Call(func() error { return fmt.Errorf("wrapped: %w", mine) }); !errors.Is(err, mine) {
		t.Errorf("the error is %v", err)
	}
	_, err := through.Call(func() error { return selfsame.Errorf("app.Late", "too late") })
	var e *selfsame.Error
	if !errors.As(err, &e) || e.Kind != "app.Late" || !python.Is(err, "RuntimeError") {
		t.Errorf("the error is %v", err)
	}
	if _, err := through.Call(func() error { panic("oh") }); !python.Is(err, "RuntimeError") || !strings.Contains(err.Error(), "oh") {
		t.Errorf("the panic is %v", err)
	}
	if _, err := imported(t, "os").CallMethod("stat", "/no/such/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

func TestIsFindsEveryExceptionOfATree(t *testing.T) {
	lookup, value := py.Exec("raise KeyError(1)", nil), py.Exec("raise ValueError(2)", nil)
	joined := fmt.Errorf("both: %w", errors.Join(lookup, value))
	if !python.Is(joined, "LookupError") || !python.Is(joined, "ValueError") || python.Is(joined, "OSError") || python.Is(nil, "OSError") {
		t.Errorf("%v has other kinds", joined)
	}
}

func TestExitAndInterruptAreErrors(t *testing.T) {
	_, err := imported(t, "sys").CallMethod("exit", 3)
	var exception *python.Exception
	if !errors.As(err, &exception) || exception.Kind() != "SystemExit" {
		t.Fatalf("the error is %v", err)
	}
	code := must[int](t)(python.As[int](must[*python.Object](t)(exception.Object()).Attr("code")))
	if code != 3 {
		t.Errorf("the code is %d", code)
	}
	if err := py.Exec("raise KeyboardInterrupt", nil); !python.Is(err, "KeyboardInterrupt") || python.Is(err, "Exception") {
		t.Errorf("the error is %v", err)
	}
}

func TestAnExceptionThatPassesThroughGoIsTheSameObject(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
class Mine(Exception): pass
first = Mine("told")
def fail(): raise first
def call(f):
    try: f()
    except Mine as e: return e is first and str(e) == "told"
`, space); err != nil {
		t.Fatal(err)
	}
	item := func(name string) *python.Object { return must[*python.Object](t)(space.Item(name)) }
	fail := func() error {
		_, err := item("fail").Call()
		return err
	}
	if !must[bool](t)(python.CallAs[bool](item("call"), fail)) {
		t.Error("Python got another exception")
	}
	err := must[*python.Object](t)(imported(t, "contextlib").CallMethod("nullcontext")).With(func(*python.Object) error { return fail() })
	var raised *python.Exception
	if !errors.As(err, &raised) || raised.Error() != "Mine: told" || must[*python.Object](t)(raised.Object()) != item("first") {
		t.Errorf("the error is %v", err)
	}
	var wrapped error
	call := must[*python.Object](t)(py.Eval("lambda f: f()", nil))
	_, wrapped = call.Call(func() error { return fmt.Errorf("loading: %w", fail()) })
	if wrapped.Error() != "Mine: loading: Mine: told" || !errors.Is(wrapped, raised) {
		t.Errorf("the error is %v", wrapped)
	}
}

func TestTracebacksHaveTheLinesOfEachSourceOfALine(t *testing.T) {
	var functions []*python.Object
	for _, body := range []string{"raise KeyError(1)", "raise KeyError(2)", "raise KeyError(1)"} {
		space := must[*python.Object](t)(py.Namespace(nil))
		if err := py.Exec("def fail():\n    "+body, space); err != nil {
			t.Fatal(err)
		}
		functions = append(functions, must[*python.Object](t)(space.Item("fail")))
	}
	for i, want := range []string{"raise KeyError(1)", "raise KeyError(2)", "raise KeyError(1)"} {
		if _, err := functions[i].Call(); !strings.Contains(fmt.Sprintf("%+v", err), want+"\n") {
			t.Errorf("the traceback is %+v", err)
		}
	}
	lines := must[*python.Object](t)(imported(t, "linecache").Attr("cache"))
	for i := range 600 {
		must[*python.Object](t)(py.Eval(fmt.Sprint(i), nil))
	}
	if n := must[int](t)(lines.Len()); n > 500 {
		t.Errorf("%d sources are kept", n)
	}
}
