package python_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: D18

func imported(t testing.TB, name string) *python.Object {
	t.Helper()
	return must[*python.Object](t)(py.Import(name))
}

func TestAModuleIsImportedOnceAndItsFunctionsAreCalled(t *testing.T) {
	math := imported(t, "math")
	if again := imported(t, "math"); again != math {
		t.Error("a module has two handles")
	}
	if root := must[float64](t)(python.As[float64](math.CallMethod("sqrt", 2.25))); root != 1.5 {
		t.Errorf("sqrt is %v", root)
	}
	sqrt := must[*python.Object](t)(math.Attr("sqrt"))
	if root := must[float64](t)(python.CallAs[float64](sqrt, 9)); root != 3 {
		t.Errorf("sqrt is %v", root)
	}
	if _, err := py.Import("no.such.module"); !python.Is(err, "ModuleNotFoundError") || !python.Is(err, "ImportError") {
		t.Errorf("the error is %v", err)
	}
}

func TestKeywordsItemsAndAttributes(t *testing.T) {
	json := imported(t, "json")
	text := must[string](t)(python.As[string](json.CallMethod("dumps", map[string]any{"b": []int{1, 2}, "a": nil, "c": []any{1.5, "x"}},
		python.Kw{"sort_keys": true, "separators": []string{",", ":"}})))
	if text != `{"a":null,"b":[1,2],"c":[1.5,"x"]}` {
		t.Errorf("dumps is %s", text)
	}
	loaded := must[*python.Object](t)(json.CallMethod("loads", text))
	if name := must[string](t)(loaded.TypeName()); name != "dict" {
		t.Errorf("loads returned a %s", name)
	}
	if err := loaded.SetItem("d", loaded); err != nil {
		t.Error(err)
	}
	if d := must[*python.Object](t)(loaded.Item("d")); d != loaded {
		t.Error("an object in itself has another handle")
	}
	if err := loaded.DeleteItem("d"); err != nil {
		t.Error(err)
	}
	if has := must[bool](t)(loaded.Contains("d")); has {
		t.Error("the item is there still")
	}
	if n := must[int](t)(loaded.Len()); n != 3 {
		t.Errorf("the length is %d", n)
	}
	got := must[map[string]any](t)(python.As[map[string]any](loaded, nil))
	if want := map[string]any{"a": nil, "b": []any{int64(1), int64(2)}, "c": []any{1.5, "x"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the map is %#v", got)
	}
	types := imported(t, "types")
	space := must[*python.Object](t)(types.CallMethod("SimpleNamespace", python.Kw{"x": 1}))
	if err := space.SetAttr("y", "two"); err != nil {
		t.Error(err)
	}
	if y := must[string](t)(python.As[string](space.Attr("y"))); y != "two" {
		t.Errorf("y is %s", y)
	}
	if err := space.DeleteAttr("x"); err != nil {
		t.Error(err)
	}
	if has := must[bool](t)(space.HasAttr("x")); has {
		t.Error("the attribute is there still")
	}
	if space.String() != "namespace(y='two')" {
		t.Errorf("the text is %s", space)
	}
}

func TestValuesThatGoHasNothingForAreObjectsInContainers(t *testing.T) {
	made := must[*python.Object](t)(py.Eval("{'at': __import__('datetime').datetime(2026, 1, 2), 'cost': __import__('decimal').Decimal('1.10')}", nil))
	got := must[map[string]any](t)(python.As[map[string]any](made, nil))
	for name, want := range map[string]string{"at": "2026-01-02 00:00:00", "cost": "1.10"} {
		object, ok := got[name].(*python.Object)
		if !ok || object.String() != want || object != must[*python.Object](t)(made.Item(name)) {
			t.Errorf("%s is %#v", name, got[name])
		}
	}
}

func TestIterationEndsWithTheObjectOrItsError(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
def up(n):
    yield None
    for i in range(n):
        yield i
    raise KeyError("end")
`, space); err != nil {
		t.Fatal(err)
	}
	up := must[*python.Object](t)(space.Item("up"))
	var seen []string
	var last error
	for element, err := range must[*python.Object](t)(up.Call(2)).All() {
		if err != nil {
			last = err
			break
		}
		seen = append(seen, element.String())
	}
	if fmt.Sprint(seen) != "[None 0 1]" || !python.Is(last, "LookupError") {
		t.Errorf("the elements are %v, the error %v", seen, last)
	}
	for _, err := range up.All() {
		if !python.Is(err, "TypeError") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestValuesOfEveryKindComeBack(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	if got := must[time.Time](t)(python.As[time.Time](py.Value(when))); !got.Equal(when) {
		t.Errorf("the time is %v", got)
	}
	if got := must[[]float64](t)(python.As[[]float64](py.Eval("[x / 2 for x in range(3)]", nil))); !reflect.DeepEqual(got, []float64{0, 0.5, 1}) {
		t.Errorf("the numbers are %v", got)
	}
	if got := must[[]byte](t)(python.As[[]byte](py.Value([]byte("ab")))); string(got) != "ab" {
		t.Errorf("the bytes are %s", got)
	}
	type record struct{ X, Y int }
	if got := must[record](t)(python.As[record](py.Value(record{1, 2}))); got != (record{1, 2}) {
		t.Errorf("the record is %v", got)
	}
	object := must[any](t)(python.As[any](py.Eval("object()", nil)))
	if _, ok := object.(*python.Object); !ok {
		t.Errorf("an object is a %T", object)
	}
	if got := must[any](t)(python.As[any](py.Eval("2 ** 70", nil))); fmt.Sprint(got) != "1180591620717411303424" {
		t.Errorf("the number is %v", got)
	}
	_, err := python.As[int](py.Value("x"))
	if err == nil || err.Error() != "TypeError: python: expected int for a Go int, got str" {
		t.Errorf("the error is %v", err)
	}
}

func TestGoFuncsAreCallableAndClassesCanBeDerived(t *testing.T) {
	functools := imported(t, "functools")
	add := func(a, b int) int { return a + b }
	if sum := must[int](t)(python.As[int](functools.CallMethod("reduce", add, []int{1, 2, 3}))); sum != 6 {
		t.Errorf("the sum is %d", sum)
	}
	visitor := must[*python.Object](t)(imported(t, "ast").Attr("NodeVisitor"))
	var names []string
	class := must[*python.Object](t)(py.Subclass("Names", []*python.Object{visitor}, map[string]any{
		"visit_Name": func(self, node *python.Object) error {
			name, err := python.As[string](node.Attr("id"))
			names = append(names, name)
			return err
		},
	}))
	tree := must[*python.Object](t)(imported(t, "ast").CallMethod("parse", "a + b * a"))
	must[*python.Object](t)(must[*python.Object](t)(class.Call()).CallMethod("visit", tree))
	if fmt.Sprint(names) != "[a b a]" {
		t.Errorf("the names are %v", names)
	}
	if name := must[string](t)(python.As[string](py.Eval("str(class_.visit_Name)", must[*python.Object](t)(py.Namespace(map[string]any{"class_": class}))))); !strings.HasPrefix(name, "<function Names.visit_Name at ") {
		t.Errorf("the method is %s", name)
	}
	if name := must[string](t)(must[*python.Object](t)(class.Call()).TypeName()); name != "__go__.Names" {
		t.Errorf("the class is %s", name)
	}
}

func TestWithHandlesErrorsAsPythonDoes(t *testing.T) {
	contextlib := imported(t, "contextlib")
	broken := errors.New("broken")
	null := must[*python.Object](t)(contextlib.CallMethod("nullcontext", 5))
	err := null.With(func(entered *python.Object) error {
		if n, err := python.As[int](entered, nil); err != nil || n != 5 {
			t.Errorf("entered with %v, %v", n, err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	builtins := imported(t, "builtins")
	suppress := must[*python.Object](t)(contextlib.CallMethod("suppress", must[*python.Object](t)(builtins.Attr("RuntimeError"))))
	if err := suppress.With(func(*python.Object) error { return broken }); err != nil {
		t.Errorf("the error was not suppressed: %v", err)
	}
}

type point struct {
	selfsame.Object
	X float64 `ffi:"rw"`
}

var pointClass = selfsame.MustRegister[point]("hosttest.Point", selfsame.Init(func(p *point, x float64) { p.X = x }, "x"))

func init() {
	selfsame.MustRegisterFunc("hosttest.twice", func(x int) int { return 2 * x })
}

func TestTheProcessHasOneRuntime(t *testing.T) {
	space := must[*python.Object](t)(py.Namespace(nil))
	if err := py.Exec(`
import selfsame_ffi
twice = selfsame_ffi.get_global_func("hosttest.twice")
kept = []
def keep(p):
    kept.append(p)
    assert all(k is p for k in kept)
    p.x += 1
    return p
@selfsame_ffi.register_global_func("hosttest.back")
def back():
    return kept[0]
`, space); err != nil {
		t.Fatal(err)
	}
	if n := must[int](t)(python.As[int](must[*python.Object](t)(space.Item("twice")).Call(21))); n != 42 {
		t.Errorf("twice is %d", n)
	}
	p := pointClass.New(func(p *point) { p.X = 1 })
	keep := must[*python.Object](t)(space.Item("keep"))
	for range 2 {
		if q := must[*selfsame.Handle[point]](t)(python.CallAs[*selfsame.Handle[point]](keep, p)); q != p {
			t.Error("the object has another handle")
		}
	}
	back := must[*selfsame.Function](t)(selfsame.GetFunc("hosttest.back"))
	if q := must[any](t)(back.Call()); q != any(p) || p.Get().X != 3 {
		t.Errorf("the object is %v", q)
	}
	object := must[*python.Object](t)(py.Value(p))
	if q := must[*selfsame.Handle[point]](t)(python.As[*selfsame.Handle[point]](object, nil)); q != p {
		t.Error("an object of Go has another handle after As")
	}
}

func TestNumPySharesMemory(t *testing.T) {
	if _, err := py.Import("numpy"); err != nil {
		t.Skip("NumPy is not installed")
	}
	numbers := []float64{1, 2, 3, 4}
	array := must[*python.Object](t)(python.NumPy(numbers, 2, 2))
	testenv.OK(t, py.Exec("a *= 2", must[*python.Object](t)(py.Namespace(map[string]any{"a": array}))))
	if !reflect.DeepEqual(numbers, []float64{2, 4, 6, 8}) {
		t.Errorf("the slice is %v", numbers)
	}
	tensor := must[*selfsame.Tensor](t)(python.As[*selfsame.Tensor](array.CallMethod("reshape", 4)))
	back := must[[]float64](t)(selfsame.Elements[float64](tensor))
	back[0] = 7
	if numbers[0] != 7 {
		t.Errorf("the slice of the array is a copy")
	}
}

func TestRowsAreColumnsOfArrowBothWays(t *testing.T) {
	type trade struct {
		ID   int64
		Name string
		Paid *float64
		Tags []string
	}
	paid := 2.5
	trades := []trade{{1, "é", &paid, []string{"a", "b"}}, {2, "y", nil, []string{}}}
	rows := must[*python.Object](t)(python.Rows(trades))
	if n := must[int](t)(rows.Len()); n != 2 {
		t.Errorf("there are %d rows", n)
	}
	space := must[*python.Object](t)(py.Namespace(map[string]any{"rows": rows}))
	testenv.OK(t, py.Exec("class Table:\n    def __arrow_c_stream__(self, schema=None): return rows.__arrow_c_stream__(schema)\n", space))
	table := must[*python.Object](t)(py.Eval("Table()", space))
	if back := must[[]trade](t)(python.As[[]trade](table, nil)); !reflect.DeepEqual(back, trades) {
		t.Errorf("the rows are %+v", back)
	}
	if _, err := python.Rows([]int{1}); !python.Is(err, "TypeError") || !strings.Contains(err.Error(), "expected structs, got int") {
		t.Errorf("the error is %v", err)
	}
	if _, err := python.Rows([]struct{ Done chan int }{{}}); !python.Is(err, "TypeError") || !strings.Contains(err.Error(), "Done") {
		t.Errorf("the error is %v", err)
	}
}

func TestArraysOfEveryKindAreSlicesOrObjects(t *testing.T) {
	numpy, err := py.Import("numpy")
	if err != nil {
		t.Skip("NumPy is not installed")
	}
	space := must[*python.Object](t)(py.Namespace(map[string]any{"np": numpy}))
	array := func(code string) *python.Object { return must[*python.Object](t)(py.Eval(code, space)) }
	if got := must[[]byte](t)(python.As[[]byte](array("np.arange(6, dtype='u1').reshape(2, 3)"), nil)); string(got) != "\x00\x01\x02\x03\x04\x05" {
		t.Errorf("the bytes are %v", got)
	}
	if got := must[[]complex128](t)(python.As[[]complex128](array("np.array([1, 2j])"), nil)); !reflect.DeepEqual(got, []complex128{1, 2i}) {
		t.Errorf("the numbers are %v", got)
	}
	if got, err := python.As[[]byte](array("np.arange(6, dtype='u1')[::2]"), nil); !python.Is(err, "ValueError") || got != nil {
		t.Errorf("the bytes are %v, %v", got, err)
	}
	for _, code := range []string{"np.array(['a', 'b'])", "np.array([1, 'x'], dtype=object)", "np.zeros(2, dtype=[('a', 'i4')])"} {
		of := array(code)
		if got := must[any](t)(python.As[any](of, nil)); got != any(of) {
			t.Errorf("%s is %v", code, got)
		}
		if _, err := python.As[*selfsame.Tensor](of, nil); !python.Is(err, "BufferError") {
			t.Errorf("%s: the error is %v", code, err)
		}
	}
}
