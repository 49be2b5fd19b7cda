package wrapping

import (
	htmltemplate "html/template"
	"reflect"
	"runtime"
	"testing"
	texttemplate "text/template"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

func localType() reflect.Type {
	type local struct{ A int }
	return reflect.TypeFor[[]local]()
}

func otherLocalType() reflect.Type {
	type local struct{ B string }
	return reflect.TypeFor[[]local]()
}

// Requirement: D5
func TestTypesHaveNumbersOfTheirOwn(t *testing.T) {
	class := &typetable.Class{Key: "memory.Numbers"}
	seen := map[uint64]reflect.Type{}
	for _, of := range []reflect.Type{
		reflect.TypeFor[[2]texttemplate.Template](), reflect.TypeFor[[2]htmltemplate.Template](),
		reflect.TypeFor[[]*texttemplate.Template](), reflect.TypeFor[[]*htmltemplate.Template](),
		reflect.TypeFor[map[string]texttemplate.Template](), reflect.TypeFor[map[string]htmltemplate.Template](),
		reflect.TypeFor[[]struct{ T texttemplate.Template }](), reflect.TypeFor[[]struct{ T htmltemplate.Template }](),
		reflect.TypeFor[[2]int](), reflect.TypeFor[[3]int](), reflect.TypeFor[[]int](),
	} {
		number := NumberOf(class, of)
		if other, ok := seen[number]; ok || number == 0 {
			t.Errorf("%s: got the number %d of %v", of, number, other)
		}
		if again := NumberOf(class, of); again != number {
			t.Errorf("%s: got %d, then %d", of, number, again)
		}
		seen[number] = of
	}
}

func TestTypesThatCannotBeToldApartByNameShareNoNumber(t *testing.T) {
	class := &typetable.Class{Key: "memory.Locals"}
	if first, second := NumberOf(class, localType()), NumberOf(class, otherLocalType()); first == 0 || second != 0 {
		t.Errorf("got %d and %d, want a number and 0", first, second)
	}
}

func TestAGoroutineOfTheLibraryIsNotLetInBesideC(t *testing.T) {
	g := new(Gate)
	g.owner.Store(bridge.GateOfC)
	entered := make(chan bool)
	go func() {
		in, err := g.Enter(goroutine.Current(), nil)
		entered <- in && err == nil
	}()
	for range 100 {
		runtime.Gosched()
	}
	g.owner.Store(0) // as C leaves: it wakes nobody
	if !<-entered {
		t.Error("the goroutine went on without the gate")
	}
}

func TestWhoWaitsForCIsInWhenCHasLeft(t *testing.T) {
	g := new(Gate)
	g.owner.Store(bridge.GateOfC)
	entered := make(chan error)
	go func() { entered <- g.Wait(goroutine.Current(), nil) }()
	for g.waiting.Load() == 0 {
		runtime.Gosched()
	}
	g.owner.Store(0)
	if err := <-entered; err != nil {
		t.Error(err)
	}
}

// object is as much of a native object as a move uses.
type object struct {
	abi.Object
	word unsafe.Pointer // to what tells C where the value is
}

// They are no locals: a goroutine's stack may move.
var (
	native object
	opaque [64]uint64 // what it keeps
)

func TestAMoveShowsObjectsThatLiveAndLeavesTheDeadAlone(t *testing.T) {
	const untouched = 0xAA
	for name, test := range map[string]struct {
		counts uint64
		shown  bool
	}{
		"alive": {2*abi.StrongOne + abi.WeakOne, true},
		"dead":  {abi.WeakOne, false},
	} {
		t.Run(name, func(t *testing.T) {
			memory := unsafe.Slice((*byte)(unsafe.Pointer(&opaque)), unsafe.Sizeof(opaque))
			for i := range memory {
				memory[i] = untouched
			}
			native.word, native.Counts = unsafe.Pointer(&opaque), test.counts
			w := &wrapping{number: 7, alive: 1}
			b := &Box{key: w.identityAt(Place{Pointer: 0x100}), native: uintptr(unsafe.Pointer(&native))}
			var table identityTable
			table.setBox(b)
			table.move(w, 1, func(int) Place { return Place{Pointer: 0x100} }, func(int) (Place, bool) { return Place{Pointer: 0x200}, true },
				func(value any, _ int) any { return value })
			if table.box(w.identityAt(Place{Pointer: 0x200})) != b || table.box(w.identityAt(Place{Pointer: 0x100})) != nil {
				t.Error("the object did not get its new place")
			}
			changed := false
			for _, one := range memory {
				changed = changed || one != untouched
			}
			if changed != test.shown {
				t.Errorf("what the object keeps was changed: %t", changed)
			}
			if native.Counts != test.counts {
				t.Errorf("counts %#x, want %#x", native.Counts, test.counts)
			}
		})
	}
}
