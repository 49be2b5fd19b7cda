package gen

import (
	"container/list"
	"math"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

type knot struct {
	value int
	next  *knot
}

type chain struct {
	head, tail *knot
	names      map[string][]float64
	any        any
	When       time.Time
	raw        []byte
	Twice      map[string]int
	again      map[string]int
}

type guarded struct {
	//lint:ignore U1000 a lock that copies leave free
	mu    sync.Mutex
	Names []string
	count int
}

func copied[T any](t *testing.T, value *T) *T {
	t.Helper()
	form, data, err := Dump(value)
	if err != nil {
		t.Fatal(err)
	}
	made := new(T)
	if err := Load(made, form, data); err != nil || !reflect.DeepEqual(made, value) {
		t.Fatalf("%+v, %v of %s", made, err, data)
	}
	return made
}

// Requirement: D17
func TestACopyHasTheFieldsThatAreNotExportedAndSharesWhatTheyShare(t *testing.T) {
	last := &knot{value: 2}
	of := &chain{
		head: &knot{1, last}, tail: last, names: map[string][]float64{"b": {1.5, math.Inf(1)}, "a": nil}, any: []any{1, "x", nil, 2.5},
		When: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), raw: []byte{0, 255}, Twice: map[string]int{"n": 1},
	}
	of.again = of.Twice
	made := copied(t, of)
	made.tail.value, made.again["n"], made.raw[0] = 9, 8, 7
	if made.head.next.value != 9 || made.Twice["n"] != 8 || last.value != 2 || of.Twice["n"] != 1 || of.raw[0] != 0 {
		t.Errorf("%+v of %+v", made, of)
	}
}

// Requirement: D17
func TestACopyHasWhatAnInterfaceHoldsOfATypeWithAClass(t *testing.T) {
	of := &struct {
		tellers []teller
		one     any
	}{[]teller{&ledger{sum: 3}}, rank(2)}
	if made := copied(t, of); made.tellers[0].Tell() != 3 || made.tellers[0] == of.tellers[0] {
		t.Errorf("%+v", made)
	}
}

// Requirement: D17
func TestACopyOfARingIsARing(t *testing.T) {
	ring := list.New() // its root refers to itself
	if made := copied(t, ring); made.PushBack(1) != made.Front() || ring.Len() != 0 {
		t.Errorf("%v", made)
	}
	one := &knot{value: 1}
	one.next = one
	if made := copied(t, one); made.next != made {
		t.Errorf("%v", made)
	}
}

// Requirement: D17
func TestWhatNobodyMayHaveTwiceIsNotCopied(t *testing.T) {
	file := testenv.Value(os.Open(os.DevNull))(t)
	defer file.Close()
	open := struct{ File *os.File }{file}
	used := &guarded{count: 1}
	foreign := struct{ at *time.Location }{time.FixedZone("x", 1)}
	for _, one := range []struct {
		of   any
		want string
	}{
		{&struct{ f func() }{func() {}}, "it holds a func()"},
		{&struct{ c chan int }{make(chan int)}, "it holds a chan int"},
		{&struct{ v any }{knot{}}, "it holds a gen.knot as interface {}"},
		{&open, "its field file is not exported"},
		{used, "its field count is not exported"},
		{&foreign, "refers to a time.Location of another package"},
	} {
		if _, _, err := Dump(one.of); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%T: %v, want %q", one.of, err, one.want)
		}
	}
	copied(t, &guarded{Names: []string{"a"}})
}

// Requirement: D17
func TestACopyWithinAProcessSharesFuncs(t *testing.T) {
	type button struct {
		Name  string
		On    func(int) int
		any   any
		inner *button
		names []string
	}
	of := &button{Name: "a", On: func(n int) int { return n + 1 }, any: func() string { return "any" }, names: []string{"x"}}
	of.inner = &button{Name: "b", On: of.On, inner: of}
	form, data, err := Dump(of, true)
	if err != nil {
		t.Fatal(err)
	}
	made := new(button)
	if err := Load(made, form, data); err != nil {
		t.Fatal(err)
	}
	made.names[0], made.inner.Name = "y", "c"
	if made.On(1) != 2 || made.any.(func() string)() != "any" || made.inner.On(2) != 3 || made.inner.inner != made {
		t.Errorf("%+v", made)
	}
	if of.names[0] != "x" || of.inner.Name != "b" {
		t.Errorf("%+v", of)
	}
	if err := Load(new(button), form, data); err == nil {
		t.Error("the bytes serve a second time")
	}
	if _, _, err := Dump(&struct{ c chan int }{make(chan int)}, true); err == nil || !strings.Contains(err.Error(), "it holds a chan int") {
		t.Error(err)
	}
}

// Requirement: D17
func TestFieldsOfOtherBytesAreRefused(t *testing.T) {
	for _, data := range []string{``, `[]`, `{"value":"x"}`, `{"value":1e99}`, `{"next":7}`, `{"next":[{},{}]}`, `{"other":1}`} {
		if err := Load(new(knot), "fields", []byte(data)); err == nil {
			t.Errorf("%s", data)
		}
	}
}
