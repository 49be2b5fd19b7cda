// Package geo is the smallest example: a class and a function in Go, for Python.
package geo

import (
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// Point is a point in the plane.
type Point struct {
	selfsame.Object
	X, Y float64             `ffi:"rw" doc:"coordinates in metres"`
	Next selfsame.Opt[Point] `ffi:"rw"`
}

// Norm returns the distance from the origin.
func (p *Point) Norm() float64 { return math.Hypot(p.X, p.Y) }

// PointClass is geo.Point in every language.
var PointClass = selfsame.MustRegister[Point]("geo.Point",
	selfsame.Init(func(p *Point, x, y float64) { p.X, p.Y = x, y }, "x", "y"),
	selfsame.Method("norm", (*Point).Norm, "Distance from the origin."))

// Nearest gives the point that lies nearest to the origin.
func Nearest(points []*selfsame.Handle[Point]) (*selfsame.Handle[Point], error) {
	if len(points) == 0 {
		return nil, selfsame.Errorf("ValueError", "nearest of no points")
	}
	nearest := points[0]
	for _, p := range points[1:] {
		if p.Get().Norm() < nearest.Get().Norm() {
			nearest = p
		}
	}
	return nearest, nil
}

func init() { selfsame.MustRegisterFunc("geo.nearest", Nearest) }
