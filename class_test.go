package selfsame_test

import (
	"math"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D1
func TestConstructorMethodsAndStaticsAreCalled(t *testing.T) {
	balanced(t)
	made := must(selfsame.NewObject("geo.Point", 3.0, 4))(t)
	p, ok := made.(*PointHandle)
	if !ok {
		t.Fatalf("the constructor gave a %T", made)
	}
	if got := p.Get(); got.X != 3 || got.Y != 4 || got.Label.Get() != "a label by default" || got.Next.Get() != nil {
		t.Errorf("new point: %v %v %q %v", got.X, got.Y, got.Label.Get(), got.Next.Get())
	}
	if n := must(selfsame.CallMethod(p, "norm"))(t); n != 5.0 {
		t.Errorf("norm = %v", n)
	}
	if r := must(selfsame.CallMethod(p, "scale", 2))(t); r != nil {
		t.Errorf("scale = %v", r)
	}
	if p.Get().X != 6 {
		t.Errorf("X after scale = %v", p.Get().X)
	}
	if itself := must(selfsame.CallMethod(p, "itself"))(t); itself != any(p) {
		t.Errorf("itself = %v", itself)
	}
	origin := must(selfsame.CallMethod(p, "origin"))(t).(*PointHandle)
	if origin.Get().X != 0 || origin == p {
		t.Errorf("origin = %v", origin)
	}
}

// Requirement: D1
func TestFailedConstructorsLeaveNoObject(t *testing.T) {
	balanced(t)
	_, err := selfsame.NewObject("geo.Point", math.NaN(), 0)
	wantError(t, err, "ValueError", "x is not a number")
	_, err = selfsame.NewObject("geo.Point", 1)
	wantError(t, err, "TypeError", "geo.Point: argument 'y': missing")
	_, err = selfsame.NewObject("geo.Point", 1, "2")
	wantError(t, err, "TypeError", "geo.Point: argument 'y': expected float, got str")
	_, err = selfsame.NewObject("geo.Nothing")
	wantError(t, err, "ValueError", "geo.Nothing")
}

// Requirement: D1
func TestClassesInheritFieldsAndMethods(t *testing.T) {
	balanced(t)
	h := must(selfsame.NewObject("geo.Point3", 2, 3, 6))(t).(*selfsame.Handle[Point3])
	if n := must(selfsame.CallMethod(h, "norm"))(t); n != 7.0 {
		t.Errorf("norm = %v", n)
	}
	must(selfsame.CallMethod(h, "scale", 2.0))(t)
	if p := h.Get(); p.X != 4 || p.Z != 6 {
		t.Errorf("inherited method: %v %v", p.X, p.Z)
	}
	if label := must(selfsame.GetField(h, "label"))(t); label != "a label by default" {
		t.Errorf("inherited default = %v", label)
	}
	if err := selfsame.SetField(h, "x", 10); err != nil || h.Get().X != 10 {
		t.Errorf("inherited setter: %v, x = %v", err, h.Get().X)
	}
	base := selfsame.Cast[Point](h)
	if !selfsame.Same(base, h) || base.TypeKey() != "geo.Point3" {
		t.Errorf("upcast: %v", base)
	}
	back, ok := selfsame.As[Point3](base)
	if !ok || back != h {
		t.Error("downcast is not the same handle")
	}
	plain := PointClass.New(nil)
	if _, ok := selfsame.As[Point3](plain); ok {
		t.Error("a Point passed for a Point3")
	}
	wantPanic(t, "TypeError", "Cannot convert from type `geo.Point` to `geo.Point3`", func() { selfsame.Cast[Point3](plain) })
}

func TestTryNew(t *testing.T) {
	balanced(t)
	failure := selfsame.Errorf("ValueError", "no")
	if h, err := PointClass.TryNew(func(*Point) error { return failure }); h != nil || err != failure {
		t.Errorf("TryNew = %v, %v", h, err)
	}
	wantPanic(t, "ValueError", "not UTF-8", func() {
		PointClass.New(func(p *Point) { p.Label.Set("a string with \xff in it") })
	})
}

// Requirement: D1
func TestWrongRegistrationsAreRefused(t *testing.T) {
	type noHeader struct{ X float64 }
	type withString struct {
		selfsame.Object
		Name string
	}
	type withPointer struct {
		selfsame.Object
		//lint:ignore U1000 refused although nobody sees it
		hidden *int
	}
	type withMap struct {
		selfsame.Object
		M map[string]int `ffi:"-"`
	}
	type inner struct{ S selfsame.String }
	type withNestedCell struct {
		selfsame.Object
		In inner `ffi:"-"`
	}
	type withStruct struct {
		selfsame.Object
		P struct{ A, B int32 }
	}
	type badTag struct {
		selfsame.Object
		X int64 `ffi:"readwrite"`
	}
	type badDefault struct {
		selfsame.Object
		X int64 `ffi:"default=abc"`
	}
	type rangeDefault struct {
		selfsame.Object
		X int8 `ffi:"default=300"`
	}
	type twice struct {
		selfsame.Object
		A int64
		B int64 `ffi:"name=a"`
	}
	type orphanBase struct{ selfsame.Object }
	type orphan struct{ orphanBase }
	type fine struct{ selfsame.Object }
	for _, c := range []struct {
		name, kind, part string
		err              error
	}{
		{"no header", "TypeError", "expected a class struct, got selfsame_test.noHeader; embed selfsame.Object", reg[noHeader]("t.A")},
		{"string", "TypeError", "withString.Name: expected a type without Go memory, got string; use selfsame.String", reg[withString]("t.A")},
		{"pointer", "TypeError", "withPointer.hidden: expected a type without Go memory, got *int; ", reg[withPointer]("t.A")},
		{"map", "TypeError", "withMap.M: expected a type without Go memory, got map[string]int; ", reg[withMap]("t.A")},
		{"nested cell", "TypeError", "withNestedCell.In: expected field types of package selfsame only as fields of the class struct itself", reg[withNestedCell]("t.A")},
		{"struct", "TypeError", "withStruct.P: expected a type that other languages know, got struct", reg[withStruct]("t.A")},
		{"tag", "TypeError", "badTag.X: unknown part `readwrite` of the ffi tag", reg[badTag]("t.A")},
		{"default", "ValueError", "t.A.X: expected a default of type int, got `abc`", reg[badDefault]("t.A")},
		{"default range", "ValueError", "t.A.X: expected a default of type int, got `300`", reg[rangeDefault]("t.A")},
		{"name twice", "TypeError", "twice.B: the name `a` is taken", reg[twice]("t.A")},
		{"orphan", "RuntimeError", "selfsame_test.orphan embeds selfsame_test.orphanBase, which is not registered; register it first", reg[orphan]("t.A")},
		{"key", "ValueError", "argument 'key': expected names joined by dots, got `no key`", reg[fine]("no key")},
		{"key taken", "RuntimeError", "selfsame: class `geo.Point` is already registered", reg[fine]("geo.Point")},
		{"type taken", "RuntimeError", "selfsame_test.Point is already registered, as `geo.Point`", reg[Point]("t.A")},
		{"init not a func", "TypeError", "Init: class `t.A`: expected a func, got int", reg[fine]("t.A", selfsame.Init(1))},
		{"init of another", "TypeError", "expected a func whose first parameter is *selfsame_test.fine, got func(*selfsame_test.Point)", reg[fine]("t.A", selfsame.Init(func(*Point) {}))},
		{"init result", "TypeError", "returns nothing or an error", reg[fine]("t.A", selfsame.Init(func(*fine) int { return 1 }))},
		{"init names", "ValueError", "expected 1 argument names, got 2", reg[fine]("t.A", selfsame.Init(func(*fine, int) {}, "a", "b"))},
		{"method receiver", "TypeError", "Method: `t.A.m`: expected a func whose first parameter is *selfsame_test.fine or *Handle of it, got func(int)", reg[fine]("t.A", selfsame.Method("m", func(int) {}, ""))},
		{"method handle", "TypeError", "Method: `t.A.m`: expected a func", reg[fine]("t.A", selfsame.Method("m", func(*PointHandle) {}, ""))},
		{"method nil", "ValueError", "nil func", reg[fine]("t.A", selfsame.Method("m", (func(*fine))(nil), ""))},
		{"method name", "ValueError", "argument 'name': expected an identifier, got `a b`", reg[fine]("t.A", selfsame.Method("a b", func(*fine) {}, ""))},
		{"method twice", "TypeError", "Method: `m` of selfsame_test.fine: the name is taken", reg[fine]("t.A", selfsame.Method("m", func(*fine) {}, ""), selfsame.Static("m", func() {}, ""))},
		{"parameter", "TypeError", "t.A.m (func(*selfsame_test.fine, chan int)): parameter 1: chan int has no counterpart", reg[fine]("t.A", selfsame.Method("m", func(*fine, chan int) {}, ""))},
		{"results", "TypeError", "result 1: chan int has no counterpart", reg[fine]("t.A", selfsame.Static("m", func() (int, chan int) { return 1, nil }, ""))},
		{"variadic", "TypeError", "parameter 0: chan int has no counterpart", reg[fine]("t.A", selfsame.Static("m", func(...chan int) {}, ""))},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, c.kind, c.part) })
	}
	// After all these failures the key is free.
	class := must(registerFreed())(t)
	if class.Key() != "t.A" || class.TypeIndex() < 128 {
		t.Errorf("class %s, index %d", class.Key(), class.TypeIndex())
	}
}

type freed struct{ selfsame.Object }

// Once, so that the tests can run several times in a process: a class is registered for the life of the process.
var registerFreed = sync.OnceValues(func() (*selfsame.Class[freed], error) { return selfsame.Register[freed]("t.A") })

func reg[T any](key string, opts ...selfsame.ClassOption) error {
	_, err := selfsame.Register[T](key, opts...)
	return err
}
