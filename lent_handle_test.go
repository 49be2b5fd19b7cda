package selfsame_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/gen/overlay"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// kept is the table that selfsame-ffi build would have the linker set, for the funcs of this file. What it says of keepsAll is
// wrong.
//
//go:linkname kept github.com/selfsame-ffi/selfsame/internal/engine/sourcetext.kept
var kept string

var _ = func() bool { // before the class is registered
	kept = "example.org/other .first=+;github.com/selfsame-ffi/selfsame_test .(*lentThing).fill=-- .anyThings=- .asAny=0 " +
		".callsBack=- .countThings=- .firstThing=0 .keepsAll=- .keepsFetched=- .laterArgument=-- .listOfThings=- " +
		".manyThings=-- .movesThing=0 .numberedThings=-- .optionalThing=- .pairOfThings=- .panicsWithThings=- " +
		".recordOfThings=- .releasesThing=- .thingsByName=- .thingsOrError=-- .withContext=--;"
	return true
}()

type lentThing struct {
	selfsame.Object
	Number int64
	Other  selfsame.Opt[lentThing]
}

func (t *lentThing) fill(others []*selfsame.Handle[lentThing]) {
	for _, h := range others {
		t.Number += h.Get().Number
	}
}

var lentThingClass = selfsame.MustRegister[lentThing]("test.LentThing", selfsame.Init((*lentThing).fill))

type things = []*selfsame.Handle[lentThing]

type thingRecord struct {
	Some things
	Text string
}

var (
	keptThings  []*selfsame.Handle[lentThing]
	errNoThings = errors.New("no things")
)

func firstThing(hs things) *selfsame.Handle[lentThing] { return hs[0] }

func countThings(hs things) int64 {
	n := int64(0)
	for _, h := range hs {
		n += h.Get().Number
	}
	return n
}

func thingsOrError(hs things, n int64) (int64, error) {
	if n == 0 {
		return 0, errNoThings
	}
	return countThings(hs) + n, nil
}

func panicsWithThings(hs things) int64 { panic("things") }

// keepsFetched keeps the first one by a fetch of its own.
func keepsFetched(hs things) int64 {
	keptThings = append(keptThings, selfsame.HandleOf(hs[0].Get()))
	return 1
}

func keepsAll(hs things) int64 {
	keptThings = append(keptThings, hs...)
	return int64(len(hs))
}

func releasesThing(h *selfsame.Handle[lentThing]) int64 {
	n := h.Get().Number
	h.Release()
	return n
}

func movesThing(h *selfsame.Handle[lentThing]) selfsame.Moved[lentThing] { return selfsame.Move(h) }

func manyThings(n int64, hs ...*selfsame.Handle[lentThing]) int64 { return n + countThings(hs) }

func numberedThings(n int64, byNumber map[int64]*selfsame.Handle[lentThing]) int64 {
	return byNumber[n].Get().Number
}

func anyThings(values []any) int64 {
	n := int64(0)
	for _, v := range values {
		n += v.(*selfsame.Handle[lentThing]).Get().Number
	}
	return n
}

func optionalThing(h selfsame.Optional[*selfsame.Handle[lentThing]]) int64 {
	return h.Value.Get().Number
}

func listOfThings(l *selfsame.List[*selfsame.Handle[lentThing]]) int64 { return int64(l.Len()) }

func thingsByName(byName map[string]things) int64 { return countThings(byName["all"]) }

func callsBack(f func(int64) int64) int64 { return f(1) }

func recordOfThings(r thingRecord) int64 { return countThings(r.Some) }

func withContext(hs things, n int64) (int64, string) { return countThings(hs) + n, "two results" }

func laterArgument(hs things, text string) int64 { return countThings(hs) }

func asAny(h *selfsame.Handle[lentThing]) any { return h }

func pairOfThings(p selfsame.Tuple2[*selfsame.Handle[lentThing], int64]) int64 {
	return p.First.Get().Number
}

// lentAdapted gives a func a type that has an adapter.
func lentAdapted(fn func(things) int64) any {
	type adapted func(things) int64
	overlay.Adapter(func(fn adapted, call overlay.AdaptedCall) error {
		hs, err := overlay.AdaptedArgument[things](call, 0)
		if err != nil {
			return err
		}
		return overlay.AdaptedResult(call, fn(hs))
	})
	return adapted(fn)
}

// thingList returns a List of new objects, to which nothing else refers, with the numbers 1 to 3.
func thingList(t *testing.T) *selfsame.List[any] {
	t.Helper()
	l := must(selfsame.NewList[any](nil))(t)
	for i := range int64(3) {
		h := lentThingClass.New(func(thing *lentThing) { thing.Number = i + 1 })
		l.Append(h)
		h.Release()
	}
	return l
}

// viewOf returns a value that borrows the object of a handle.
func viewOf[H any](h *H) abi.Any {
	return abi.ObjectValue((*handles.State)(unsafe.Pointer(h)).Address())
}

// itemOf returns a value that borrows an object from a List, without a handle of Go.
func itemOf(l *selfsame.List[any], i int) abi.Any { return abi.SeqOf(viewOf(l).Pointer()).Items()[i] }

// callAsText calls a func with borrowed values, as C does, and returns its result or error as text.
func callAsText(t *testing.T, fn any, args ...abi.Any) string {
	t.Helper()
	f := must(selfsame.NewFunc(fn))(t)
	defer f.Release()
	result, err := values.CallValues((*handles.State)(unsafe.Pointer(f)), args)
	if err != nil {
		return err.Error()
	}
	defer values.Release(result)
	switch {
	case result.TypeIndex == abi.IndexInt:
		return strconv.FormatInt(result.Int64(), 10)
	case result.IsObject() && result.TypeIndex == lentThingClass.TypeIndex():
		return fmt.Sprint("thing ", (*lentThing)(result.Pointer()).Number)
	}
	return "object"
}

func liveThings() int64 {
	n, _ := selfsame.LiveObjects("test.LentThing")
	return n
}

// Requirement: C8
func TestArgumentsThatAFuncDoesNotKeepDieWithTheCall(t *testing.T) {
	if _, counts := selfsame.LiveObjects("test.LentThing"); !counts {
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	balanced(t)
	whole := func(l *selfsame.List[any]) []abi.Any { return []abi.Any{viewOf(l)} }
	first := func(l *selfsame.List[any]) []abi.Any { return []abi.Any{itemOf(l, 0)} }
	and := func(v abi.Any) func(*selfsame.List[any]) []abi.Any {
		return func(l *selfsame.List[any]) []abi.Any { return []abi.Any{viewOf(l), v} }
	}
	for _, c := range []struct {
		name string
		fn   any
		args func(*selfsame.List[any]) []abi.Any
		want string // what the result or the error begins with
	}{
		{"slice", countThings, whole, "6"},
		{"adapter", lentAdapted(countThings), whole, "6"},
		{"result", firstThing, whole, "thing 1"},
		{"error", thingsOrError, and(abi.Int(0)), "RuntimeError: no things"},
		{"error beside a result", thingsOrError, and(abi.Int(1)), "7"},
		{"panic", panicsWithThings, whole, "RuntimeError: things"},
		{"panic of an adapted func", lentAdapted(panicsWithThings), whole, "RuntimeError: things"},
		{"later argument", laterArgument, and(abi.Int(1)), "TypeError: Mismatched type on argument #1"},
		{"wrong element", countThings, func(l *selfsame.List[any]) []abi.Any {
			l.Append(1)
			return whole(l)
		}, "TypeError: Mismatched type on argument #0"},
		{"wrong element of an adapted func", lentAdapted(countThings), func(l *selfsame.List[any]) []abi.Any {
			l.Append(1)
			return whole(l)
		}, "TypeError: Mismatched type on argument #0"},
		{"any", anyThings, whole, "6"},
		{"List", listOfThings, whole, "3"},
		{"Tuple2", pairOfThings, func(l *selfsame.List[any]) []abi.Any {
			l.Delete(1, 3)
			l.Append(1)
			return whole(l)
		}, "1"},
		{"several results", withContext, and(abi.Int(1)), "object"},
		{"release", releasesThing, first, "1"},
		{"Moved", movesThing, first, "thing 1"},
		{"Optional", optionalThing, first, "1"},
		{"variadic", manyThings, func(l *selfsame.List[any]) []abi.Any {
			return []abi.Any{abi.Int(1), itemOf(l, 0), itemOf(l, 1)}
		}, "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := liveThings()
			l := thingList(t)
			if got := callAsText(t, c.fn, c.args(l)...); !strings.HasPrefix(got, c.want) {
				t.Errorf("expected %s, got %s", c.want, got)
			}
			l.Release()
			if n := liveThings() - before; n != 0 {
				t.Errorf("%d objects are alive after the call", n)
			}
		})
	}
}

// Requirement: C8
func TestMapsAndRecordsOfArgumentsDieWithTheCall(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	balanced(t)
	for _, c := range []struct {
		name string
		fn   any
		key  any
		args []abi.Any
		want string
	}{
		{"map", numberedThings, 1, []abi.Any{abi.Int(1)}, "1"},
		{"map of slices", thingsByName, "all", nil, "6"},
		{"record", recordOfThings, "some", nil, "6"},
	} {
		before := liveThings()
		l := thingList(t)
		entries := map[any]any{c.key: l}
		if c.key == 1 {
			h := l.At(0).(*selfsame.Handle[lentThing])
			entries[1] = h
			defer h.Release()
		}
		d := must(selfsame.NewDict(entries))(t)
		if h, ok := entries[c.key].(*selfsame.Handle[lentThing]); ok {
			h.Release()
		}
		if got := callAsText(t, c.fn, append(c.args, viewOf(d))...); got != c.want {
			t.Errorf("%s: expected %s, got %s", c.name, c.want, got)
		}
		d.Release()
		l.Release()
		if n := liveThings() - before; n != 0 {
			t.Errorf("%s: %d objects are alive after the call", c.name, n)
		}
	}
}

// Requirement: C8
func TestCallbackDiesWithTheCall(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	balanced(t)
	count := func() int64 {
		n, _ := selfsame.LiveObjects("ffi.Function")
		return n
	}
	before := count()
	callback := must(selfsame.NewFunc(func(n int64) int64 { return n + 5 }))(t)
	l := must(selfsame.NewList([]any{callback}))(t)
	callback.Release()
	if got := callAsText(t, callsBack, itemOf(l, 0)); got != "6" {
		t.Errorf("expected 6, got %s", got)
	}
	l.Release()
	if n := count() - before; n != 0 {
		t.Errorf("%d functions are alive after the call", n)
	}
}

// What the func fetches itself is kept, and a handle that was there before the call is left alone.
//
// Requirement: C8
func TestHandlesThatOthersHaveOutliveTheCall(t *testing.T) {
	balanced(t)
	l := thingList(t)
	defer l.Release()
	callAsText(t, keepsFetched, viewOf(l))
	kept := keptThings[0]
	keptThings = nil
	if kept.Get().Number != 1 || l.At(0) != any(kept) {
		t.Error("the func did not keep the object's handle")
	}
	callAsText(t, countThings, viewOf(l))
	if kept.Get().Number != 1 {
		t.Error("the call ended a handle that was there before")
	}
	kept.Release()
}

// If a func keeps an argument in spite of what the table says, the handle is as one that was released.
//
// Requirement: C8
func TestHandleThatIsKeptAgainstTheTableIsReleased(t *testing.T) {
	balanced(t)
	l := thingList(t)
	defer l.Release()
	callAsText(t, keepsAll, viewOf(l))
	kept := keptThings
	keptThings = nil
	for _, h := range kept {
		if !h.Released() {
			t.Error("a handle outlived the call")
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "used after Release") {
			t.Errorf("got the panic %v", r)
		}
	}()
	kept[0].Get()
}

// Requirement: C8
func TestArgumentsOfAConstructorDieWithTheCall(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	balanced(t)
	before := liveThings()
	l := thingList(t)
	made := must(selfsame.NewObject("test.LentThing", l))(t).(*selfsame.Handle[lentThing])
	if n := made.Get().Number; n != 6 {
		t.Errorf("expected 6, got %d", n)
	}
	made.Release()
	l.Release()
	if n := liveThings() - before; n != 0 {
		t.Errorf("%d objects are alive after the call", n)
	}
}

// A func that returns its argument as any may return what leads to it: it is treated as one that keeps it.
//
// Requirement: C8
func TestResultThatMayLeadToTheArgumentKeepsIt(t *testing.T) {
	balanced(t)
	l := thingList(t)
	defer l.Release()
	if got := callAsText(t, asAny, itemOf(l, 1)); got != "thing 2" {
		t.Errorf("got %s", got)
	}
	if handles.Current(itemOf(l, 1).Pointer()) == nil {
		t.Error("the argument's handle has ended")
	}
}
