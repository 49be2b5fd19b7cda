package selfsame_test

import (
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/want"
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

func balanced(t *testing.T) {
	t.Helper()
	want.Balanced(t, "geo.Point", "geo.Point3", "test.Everything")
}

func wantError(t testing.TB, err error, kind, part string) *selfsame.Error {
	t.Helper()
	return want.Error(t, err, kind, part)
}

func wantPanic(t testing.TB, kind, part string, f func()) {
	t.Helper()
	want.Panic(t, kind, part, f)
}

func must[T any](value T, err error) func(testing.TB) T { return testenv.Value(value, err) }

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
