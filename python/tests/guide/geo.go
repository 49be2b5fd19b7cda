// Package geo has the Go code of docs/go-guide.md, docs/go-ownership.md and docs/fork.md: python/tests/test_pages.py compares
// them, and runs the pages' Python code.
package geo

import (
	"archive/zip"
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/selfsame-ffi/selfsame"
)

// Point is a point with a name.
type Point struct {
	selfsame.Object // a class is a struct that begins with it, or with another class

	X, Y  float64         `doc:"coordinates in metres"`
	Label selfsame.String `ffi:"default='somewhere'"`
	Next  selfsame.Opt[Point]
}

// Norm is the distance from the origin.
func (p *Point) Norm() float64 { return math.Hypot(p.X, p.Y) }

// PointClass is geo.Point in every language.
var PointClass = selfsame.MustRegister[Point]("geo.Point",
	selfsame.Init(func(p *Point, x, y float64) { p.X, p.Y = x, y }),
	selfsame.Method("norm", (*Point).Norm, "Distance from the origin."))

// Atlas is an archive of maps.
type Atlas struct {
	selfsame.Object
	Path selfsame.String                 `ffi:"ro"`
	Open selfsame.Value[*zip.ReadCloser] // a type of another package
}

// AtlasClass is geo.Atlas in every language.
var AtlasClass = selfsame.MustRegister[Atlas]("geo.Atlas",
	selfsame.Init(func(a *Atlas, path string) error {
		archive, err := zip.OpenReader(path)
		if err != nil {
			return err
		}
		a.Path.Set(path)
		a.Open.Set(archive)
		return nil
	}, "path"),
	selfsame.OnDrop(func(a *Atlas) error {
		if archive := a.Open.Get(); archive != nil {
			return archive.Close()
		}
		return nil
	}))

// Route is a sequence of names.
type Route struct {
	selfsame.Object
	stops selfsame.List[string]
}

// Len is the number of names.
func (r *Route) Len() int { return r.stops.Len() }

// At is the name at an index.
func (r *Route) At(i int) (string, error) {
	if i < 0 || i >= r.stops.Len() {
		return "", selfsame.Errorf("IndexError", "a route of %d stops has no stop %d", r.stops.Len(), i)
	}
	return r.stops.At(i), nil
}

// Then is a route with one more name.
func (r *Route) Then(name string) *selfsame.Handle[Route] {
	return selfsame.New(func(longer *Route) {
		for stop := range r.stops.Values() {
			longer.stops.Append(stop)
		}
		longer.stops.Append(name)
	})
}

// RouteClass is geo.Route in every language.
var RouteClass = selfsame.MustRegister[Route]("geo.Route",
	selfsame.Init(func(*Route) {}),
	selfsame.Method("__len__", (*Route).Len, "The number of stops."),
	selfsame.Method("__getitem__", (*Route).At, "A stop.", "i"),          // At(i int) (string, error)
	selfsame.Method("__add__", (*Route).Then, "A longer route.", "name")) // Then(name string) *selfsame.Handle[Route]

// Color is an enum.
type Color struct {
	selfsame.IntEnum
	RGB int32 `ffi:"ro"`
}

// ColorClass is geo.Color in every language.
var ColorClass = selfsame.MustRegister[Color]("geo.Color")

// Red is a color.
var Red = selfsame.MustMember(ColorClass, "red", 1, func(c *Color) { c.RGB = 0xff0000 })

func search(ctx context.Context, text string, since time.Time, tags ...string) (iter.Seq[string], int, error) {
	if since.After(time.Now()) {
		return nil, 0, selfsame.Errorf("ValueError", "search: %s is in the future", since)
	}
	found := []string{}
	for _, tag := range tags {
		found = append(found, fmt.Sprintf("%s in %s", text, tag))
	}
	return slices.Values(found), len(found), ctx.Err()
}

func walk(p *Point, visit func(p *Point, depth int) (bool, error)) error {
	for depth := 0; p != nil; depth++ {
		if more, err := visit(p, depth); err != nil || !more {
			return err
		}
		p = p.Next.Ptr()
	}
	return nil
}

// work uses a point for a moment.
func work(p *Point) { p.Label.Set(strings.ToUpper(p.Label.Get())) }

func shout(h *selfsame.Handle[Point]) {
	p := h.Get()
	work(p)              // without the next line, the object may die here
	runtime.KeepAlive(h) // keeps h to this point; h.Do(func(p *T) { ... }) does the same
}

// Entry is what a forked child must make again.
type Entry struct{ opened time.Time }

// connect makes it.
func connect() { cache["now"] = &Entry{time.Now()} }

func price() func(name string) int {
	return func(name string) int { return len(name) + len(cache) }
}

var cache = map[string]*Entry{}

func init() {
	selfsame.AfterFork(func() {
		connect()                                   // what is no longer open
		selfsame.RegisterFunc("geo.price", price()) // takes the place of the one registered at run time in the parent
	})
}

func init() {
	selfsame.MustRegisterFunc("geo.search", search)
	selfsame.MustRegisterFunc("geo.walk", walk)
	selfsame.MustRegisterFunc("geo.shout", shout)
	selfsame.MustRegisterFunc("geo.start", func() error {
		connect()
		return selfsame.RegisterFunc("geo.price", price())
	})
}
