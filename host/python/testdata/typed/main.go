// Uses packages that selfsame-ffi bind --go --python wrote; scripts/host.sh runs it. The first argument is the program of Python.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/selfsame-ffi/selfsame/build/gen/pydatetime"
	"github.com/selfsame-ffi/selfsame/build/gen/pyjson"
	"github.com/selfsame-ffi/selfsame/build/gen/pypathlib"
	"github.com/selfsame-ffi/selfsame/build/gen/pyshapes"
	"github.com/selfsame-ffi/selfsame/build/gen/pystatistics"
	"github.com/selfsame-ffi/selfsame/host/python"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatalf("%+v", err)
	}
	return value
}

func main() {
	py := must(python.Start(python.Executable(os.Args[1]), python.Path("host/python/testdata")))
	datetime := must(pydatetime.Import(py)) // must ends the program at an error
	day := must(datetime.NewDate(2026, 1, 31))
	march := 3
	later := must(day.Replace(pydatetime.DateReplaceOptions{Month: &march}))
	fmt.Println(must(later.Isoformat()), must(later.Year()), must(datetime.DateFromisoformat("2026-01-31")).String())
	json := must(pyjson.Import(py))
	fmt.Println(must(json.Dumps(map[string]any{"a": []int{1}}, pyjson.DumpsOptions{Indent: 1})))
	statistics := must(pystatistics.Import(py))
	fmt.Println(must(statistics.Fmean([]float64{1, 2, 6})))
	pathlib := must(pypathlib.Import(py))
	fmt.Println(must(must(pathlib.NewPurePath([]any{"a", "b.txt"})).Suffix()))
	if _, err := json.Loads("{"); !python.Is(err, "ValueError") {
		log.Fatal(err)
	}
	useShapes(must(pyshapes.Import(py)))
	check(py.Close())
}

// person implements a protocol of Python in Go.
type person string

func (p person) Name() (string, error)              { return string(p), nil }
func (p person) Greet(other string) (string, error) { return "hello " + other, nil }

// equal ends the program where got is not wanted.
func equal(got, wanted any) {
	if fmt.Sprint(got) != fmt.Sprint(wanted) {
		log.Fatalf("got %v, not %v", got, wanted)
	}
}

// useShapes uses each kind of testdata/shapes.py.
func useShapes(shapes *pyshapes.Module) {
	y := 2.0
	one := must(shapes.NewPoint(1))
	two := must(shapes.NewPoint(3, pyshapes.NewPointOptions{Y: &y, Tags: []string{"a"}}))
	blue := must(shapes.ColorBLUE())
	path := must(shapes.NewPath([]*pyshapes.Point{one, two}, pyshapes.NewPathOptions{Color: blue}))
	equal(must(path.Color()) == blue, true)
	equal(must(must(shapes.NewPath(nil)).Color()) == must(shapes.ColorRED()), true)
	equal(must(blue.Value()), "blue")
	equal(must(path.Item(1)) == two, true)
	equal(must(path.Doubled()), 4)
	for point, err := range path.All() {
		equal(must(must(point, err).Moved(one)).TypeKey() != "", true)
	}
	equal(must(shapes.Ends(path)), [2]float64{1, 3})
	equal(must(shapes.ByName(map[string]*pyshapes.Point{"two": two}))["two"] == two, true)
	equal(must(shapes.Tags(one)) == nil, true)
	equal(must(shapes.Tags(two)), []string{"a"})
	title := "long"
	equal(*must(shapes.Title(must(shapes.NewOptions(3, pyshapes.NewOptionsOptions{Title: &title})))), title)
	equal(must(shapes.Titled(must(shapes.NewOptions(3)))) == nil, true)
	equal(must(shapes.Introduce(person("Ada"), "Bob")), "Ada: hello Bob")
	half := func(x float64) (float64, error) { return x / 2, nil }
	equal(must(shapes.Apply(half, []*pyshapes.Point{one}, pyshapes.ApplyOptions{Others: python.Kw{"more": 1}})), []float64{1.5})
	equal(must(shapes.Wide("four")), 4)
	equal(must(shapes.Untyped(1)), [2]int{1, 2})
	equal(must(must(shapes.NewBox(one)).Get()) == &one.Object, true)
	holder := must(shapes.NewTextHolder())
	equal(must(holder.Held()), "none")
	equal(must(holder.Size()), 3)
	equal(must(path.Color_()) == blue, true)
	twice := 2
	equal(must(holder.Swap("a", nil, pyshapes.TextHolderSwapOptions{Times: &twice})), []string{"none", "none"})
	equal(must(holder.Swap("b", []any{"c"}, pyshapes.TextHolderSwapOptions{Times: &twice})), []string{"a", "a", "c"})
	if _, err := holder.Swap("b", []any{"c"}); err == nil || err.Error() != "TypeError: python: further arguments are given by their places, and times before them is not given" {
		log.Fatal(err)
	}
	equal(must(must(holder.Hidden()).Held()), "none")
	check(shapes.Opened("abc", func(entered *pyshapes.Point) error {
		equal(must(entered.X()), 3)
		return nil
	}))
	check(path.With(func(entered *pyshapes.Path) error {
		equal(entered == path, true)
		return nil
	}))
	equal(must(path.Doubled()), 0)
	scale := must(shapes.NewScale(pyshapes.NewScaleOptions{Factor: &y}))
	equal(must(scale.Fit([]int{1, 2})) == scale, true)
	equal(must(scale.Count()), 2)
	equal(must(scale.UNIT()), "mm")
	useScales(shapes)
	equal(must(shapes.SIDES()), 4)
	ctx := context.Background()
	equal(must(must(shapes.Fetched(ctx, "abc")).X()), 3)
	sum := 0
	for n, err := range shapes.Counted(ctx, 4) {
		sum += must(n, err)
	}
	equal(sum, 6)
}

// useScales uses members of classes that have no types, and names that Go does not have.
func useScales(shapes *pyshapes.Module) {
	fine := must(shapes.NewFineScale("fine"))
	equal(must(python.As[float64](fine.Steps())), 0.5)
	equal(must(python.As[int](must(shapes.NewScale()).Steps())), 3)
	equal(must(fine.Measure([]int{1, 5})) == &fine.Scale, true)
	equal(must(python.As[int](fine.Last())), 5)
	equal(must(python.As[int](fine.Lines())), 1)
	equal(must(python.As[float64](fine.Factor())), 2)
	equal(must(fine.Name()), "fine")
	equal(must(python.As[[]string](fine.Names())), []string{"fine"})
	equal(must(python.As[float64](must(fine.Mark()).Attr("at"))), 1.5)
	ten, three := 10, 3
	equal(must(shapes.ScaleLength(4, pyshapes.ScaleLengthOptions{To: &ten, Étendue: &three})), 18)
}

func check(err error) {
	if err != nil {
		log.Fatalf("%+v", err)
	}
}
