package selfsame_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// The classes that most tests use.

type Point struct {
	selfsame.Object
	X, Y  float64         `ffi:"rw" doc:"coordinates in metres"`
	Label selfsame.String `ffi:"default='a label by default'"`
	Next  selfsame.Opt[Point]
}

type PointHandle = selfsame.Handle[Point]

func (p *Point) Norm() float64 { return math.Hypot(p.X, p.Y) }

func (p *Point) Scale(k float64) { p.X *= k; p.Y *= k }

func fillPoint(p *Point, x, y float64) error {
	if math.IsNaN(x) {
		return selfsame.Errorf("ValueError", "x is not a number")
	}
	p.X, p.Y = x, y
	return nil
}

var PointClass = selfsame.MustRegister[Point]("geo.Point",
	selfsame.Doc("A point in the plane."),
	selfsame.Init(fillPoint, "x", "y"),
	selfsame.Method("norm", (*Point).Norm, "Distance from the origin."),
	selfsame.Method("scale", (*Point).Scale, "Multiplies both coordinates.", "k"),
	selfsame.Method("itself", func(h *PointHandle) *PointHandle { return h }, "The object."),
	selfsame.Static("origin", func() *PointHandle { return selfsame.New[Point](nil) }, "A new point at the origin."))

// Point3 inherits.
type Point3 struct {
	Point
	Z    float64
	Tags selfsame.Array[string]
}

var Point3Class = selfsame.MustRegister[Point3]("geo.Point3",
	selfsame.Init(func(p *Point3, x, y, z float64) { p.X, p.Y, p.Z = x, y, z }, "x", "y", "z"),
	selfsame.Method("norm", func(p *Point3) float64 { return math.Hypot(p.Point.Norm(), p.Z) }, "As for Point."))

// balanced checks that the test leaves as many live objects of some classes as it found, and built with the tag debug,
// as many natives of every class that Go code made.
func balanced(t *testing.T) {
	t.Helper()
	keys := []string{"geo.Point", "geo.Point3", "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Tensor", "ffi.Shape", "ffi.Function", "ffi.String", "ffi.Bytes", "ffi.Error",
		"selfsame.GoError", "test.Everything"}
	count := func() map[string]int64 {
		selfsame.Collect()
		live := map[string]int64{}
		for _, key := range keys {
			if n, ok := selfsame.LiveObjects(key); ok {
				live[key] = n
			}
		}
		return live
	}
	before := count()
	nativesBefore := nativesByClass()
	t.Cleanup(func() {
		after := count()
		for key, n := range after {
			if n != before[key] {
				t.Errorf("live %s: %d before the test, %d after", key, before[key], n)
			}
		}
		for key, natives := range nativesByClass() {
			if n := len(nativesBefore[key]); len(natives) > n {
				t.Errorf("live natives of %s: %d before the test, %d after: %v", key, n, len(natives), natives)
			}
		}
	})
}

// nativesByClass counts the living native objects that Go code made, by class; it is empty without the tag debug.
func nativesByClass() map[string][]selfsame.LiveNative {
	live := map[string][]selfsame.LiveNative{}
	for _, n := range selfsame.LiveNatives() {
		live[n.TypeKey] = append(live[n.TypeKey], n)
	}
	return live
}

// wantError checks an error's kind and a part of its message.
func wantError(t *testing.T, err error, kind, part string) *selfsame.Error {
	t.Helper()
	var e *selfsame.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a %s", err, kind)
	}
	if e.Kind != kind || !strings.Contains(e.Message, part) {
		t.Fatalf("got %s: %s\nwant %s: ...%s...", e.Kind, e.Message, kind, part)
	}
	return e
}

// wantPanic checks that f panics with an error.
func wantPanic(t *testing.T, kind, part string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if r == nil {
			t.Fatalf("no panic, want %s: ...%s...", kind, part)
		}
		err, ok := r.(error)
		if !ok {
			t.Fatalf("panic with %v", r)
		}
		wantError(t, err, kind, part)
	}()
	f()
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// spawn runs f on a goroutine that wg waits for.
func spawn(wg *sync.WaitGroup, f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

// collectAllTheTime runs the garbage collector on a goroutine until stop is called, which waits for its end.
func collectAllTheTime() (stop func()) {
	done := make(chan struct{})
	var collector sync.WaitGroup
	spawn(&collector, func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	return func() {
		close(done)
		collector.Wait()
	}
}
