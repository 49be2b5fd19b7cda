package python_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

func TestTypedCallsTakeNoMemory(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	testenv.OK(t, py.Exec("class A:\n    def add(self, a, b): return a + b\nadd = A().add\na = A()", space))
	add, a := must[*python.Object](t)(space.Item("add")), must[*python.Object](t)(space.Item("a"))
	sum := must[*python.Object](t)(add.Call(1, 2))
	for name, call := range map[string]func() (int, error){
		"CallAs":       func() (int, error) { return python.CallAs[int](add, 1, 2) },
		"CallMethodAs": func() (int, error) { return python.CallMethodAs[int](a, "add", 1, 2) },
		"As":           func() (int, error) { return python.As[int](sum, nil) },
	} {
		if n := testing.AllocsPerRun(100, func() {
			if got, err := call(); err != nil || got != 3 {
				t.Errorf("%s: the sum is %d, %v", name, got, err)
			}
		}); n >= 1 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestArgumentsMeanTheSameHoweverTheyCross(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	testenv.OK(t, py.Exec("class A:\n    name_longer_than_a_word = 'x'\n    def texts(self, *a): return repr(a)\na = A()\ntexts = a.texts", space))
	a, texts := must[*python.Object](t)(space.Item("a")), must[*python.Object](t)(space.Item("texts"))
	for want, args := range map[string][]any{
		"()":                            nil,
		"(None, True, 2.5)":             {nil, true, 2.5},
		"(None, None, -1)":              {python.None, (*python.Object)(nil), int64(-1)},
		"('', 'short', 'with a \\x00')": {"", "short", "with a \x00"},
		"(1, 2, 3, 4, 5)":               {1, 2, 3, 4, 5},
		"([1], {'k': 2}, 'longer than one word')": {[]int{1}, map[string]int{"k": 2}, "longer than one word"},
		"(9223372036854775807, 255, b'', (1, 2))": {int64(1<<63 - 1), uint8(255), []byte{}, [2]int{1, 2}},
	} {
		for name, call := range map[string]func() (string, error){
			"CallAs":       func() (string, error) { return python.CallAs[string](texts, args...) },
			"Call":         func() (string, error) { return python.As[string](texts.Call(args...)) },
			"CallMethodAs": func() (string, error) { return python.CallMethodAs[string](a, "texts", args...) },
			"CallMethod":   func() (string, error) { return python.As[string](a.CallMethod("texts", args...)) },
		} {
			if got, err := call(); err != nil || got != want {
				t.Errorf("%s: got %s, %v, not %s", name, got, err, want)
			}
		}
	}
	if x := must[string](t)(python.As[string](a.Attr("name_longer_than_a_word"))); x != "x" {
		t.Errorf("the attribute is %s", x)
	}
	if _, err := texts.Call("a\xff"); err == nil || !strings.Contains(err.Error(), "not UTF-8") {
		t.Errorf("the error is %v", err)
	}
	if _, err := python.CallMethodAs[int](a, "texts"); err == nil || err.Error() != "TypeError: python: expected int for a Go int, got str" {
		t.Errorf("the error is %v", err)
	}
	if _, err := a.CallMethod("missing", 1); !python.Is(err, "AttributeError") {
		t.Errorf("the error is %v", err)
	}
}

func TestMethodsAreFoundAsPythonFindsThem(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
class A:
    def __init__(self): self.own = lambda *a: ("own", a)
    def plain(self, *a): return "plain", a
    @classmethod
    def of_class(cls, *a): return cls.__name__, a
    @staticmethod
    def static(*a): return "static", a
    @property
    def made(self): return lambda *a: ("made", a)
    def __getattr__(self, name): return lambda *a: (name, a)
a = A()`, space); err != nil {
		t.Fatal(err)
	}
	a := must[*python.Object](t)(space.Item("a"))
	for name, want := range map[string]string{"own": "own", "plain": "plain", "of_class": "A", "static": "static", "made": "made", "any": "any"} {
		for range 2 {
			if got := must[string](t)(python.As[string](must[*python.Object](t)(a.CallMethod(name, 1, 2)).CallMethod("__repr__"))); got != "('"+want+"', (1, 2))" {
				t.Errorf("%s: got %s", name, got)
			}
		}
	}
	for i := range 1000 { // names that share places in the memory of names
		name := fmt.Sprint("made_", i)
		if got := must[string](t)(python.As[string](must[*python.Object](t)(a.CallMethod(name)).Item(0))); got != name {
			t.Errorf("%s was called for %s", got, name)
		}
	}
	if n := must[int](t)(python.CallMethodAs[int](imported(t, "operator"), "add", 1, 2)); n != 3 {
		t.Errorf("the sum is %d", n)
	}
}

func TestFunctionsOfTheCoreCheckTheirArguments(t *testing.T) {
	attr := must[*selfsame.Function](t)(selfsame.GetFunc("selfsame.host.attr"))
	for want, args := range map[string][]any{"expected 2 arguments, got 1": {"x"}, "expected 2 arguments, got 3": {"x", "upper", 1}, "attribute name must be string": {"x", 1}} {
		if _, err := attr.Call(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, not %q", err, want)
		}
	}
}

func TestNumbersOfEverySizeComeBack(t *testing.T) {
	for text, want := range map[string]string{
		"-2**63": "-9223372036854775808", "2**63": "9223372036854775808", "1.5": "1.5", "True": "true", "None": "<nil>", "float('inf')": "+Inf",
	} {
		if got := must[any](t)(python.As[any](py.Eval(text, nil))); fmt.Sprint(got) != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	big := must[*python.Object](t)(py.Eval("300", nil))
	if n, err := python.As[float32](big, nil); err != nil || n != 300 {
		t.Errorf("the number is %v, %v", n, err)
	}
	if _, err := python.As[int8](big, nil); !python.Is(err, "OverflowError") {
		t.Errorf("the error is %v", err)
	}
	if _, err := python.As[string](big, nil); err == nil || err.Error() != "TypeError: python: expected str for a Go string, got int" {
		t.Errorf("the error is %v", err)
	}
	if p := must[*int](t)(python.As[*int](big, nil)); *p != 300 {
		t.Errorf("the number is %d", *p)
	}
	if same := must[*python.Object](t)(python.As[*python.Object](big, nil)); same != big {
		t.Error("an object is another one")
	}
	member := must[*python.Object](t)(py.Eval("__import__('enum').IntEnum('E', 'A B').B", nil))
	if n := must[int](t)(python.As[int](member, nil)); n != 2 {
		t.Errorf("the member is %d", n)
	}
}
