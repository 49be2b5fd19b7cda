package selfsame_test

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

// Edition is a class with an order, a static method and a constructor that the runtime makes of the fields.
type Edition struct {
	selfsame.Object
	Major int64
	Minor int64          `ffi:"default=0"`
	Notes selfsame.Any   `ffi:"kwonly,default=None"`
	Size  selfsame.Shape `ffi:"init=off"`
}

func (r *Edition) next(step int64) *selfsame.Handle[Edition] {
	return selfsame.New(func(n *Edition) { n.Major, n.Minor = r.Major, r.Minor+step })
}

var EditionClass = selfsame.MustRegister[Edition]("example.Edition",
	selfsame.AutoInit(),
	selfsame.Order(func(a, b *Edition) int { return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor)) }),
	selfsame.Method("next", (*Edition).next, "The edition that follows.", "step=1"),
	selfsame.Static("parse", func(text string) (*selfsame.Handle[Edition], error) {
		var major, minor int64
		if _, err := fmt.Sscanf(text, "%d.%d", &major, &minor); err != nil {
			return nil, selfsame.Errorf("ValueError", "%q is no edition", text)
		}
		return selfsame.New(func(r *Edition) { r.Major, r.Minor = major, minor }), nil
	}, "An edition of its text.", "text"))

func ExampleAutoInit() {
	r, err := selfsame.NewObject("example.Edition", 2)
	fmt.Println(selfsame.Cast[Edition](r).Get().Major, err)
	_, err = selfsame.NewObject("example.Edition")
	fmt.Println(err != nil)
	// Output:
	// 2 <nil>
	// true
}

func ExampleMethod() {
	r := EditionClass.New(func(r *Edition) { r.Major = 1 })
	after, err := selfsame.CallMethod(r, "next") // the default of step
	fmt.Println(selfsame.Cast[Edition](after.(selfsame.AnyHandle)).Get().Minor, err)
	_, err = selfsame.CallMethod(r, "next", "soon")
	fmt.Println(err)
	// Output:
	// 1 <nil>
	// TypeError: example.Edition.next: argument 'step': expected int, got str
}

func ExampleCallMethod() {
	r := EditionClass.New(nil)
	fmt.Println(selfsame.CallMethod(r, "nothing"))
	// Output: <nil> AttributeError: selfsame: CallMethod: `example.Edition` has no method `nothing`
}

func ExampleOrder() {
	compare, _ := selfsame.GetFunc("ffi.RecursiveLt")
	old := EditionClass.New(func(r *Edition) { r.Major = 1 })
	fmt.Println(compare.Call(old, old.Get().next(1)))
	// Output: true <nil>
}

func ExampleGetFunc() {
	_, err := selfsame.GetFunc("example.missing")
	fmt.Println(err)
	// Output: ValueError: Cannot find global function `example.missing`
}

func ExampleCallAs() {
	split, _ := selfsame.NewFunc(strings.Fields)
	words, err := selfsame.CallAs[[]string](split, "one two")
	fmt.Println(words, len(words), err)
	_, err = selfsame.CallAs[int](split, "one two")
	fmt.Println(err)
	// Output:
	// [one two] 2 <nil>
	// TypeError: Cannot convert from type `ffi.Array` to `int`
}

func ExampleArgNames() {
	err := selfsame.RegisterFunc("example.pad", func(text string, width int) string {
		return fmt.Sprintf("%*s", width, text)
	}, selfsame.ArgNames("text", "width=5"), selfsame.Override())
	pad, _ := selfsame.GetFunc("example.pad")
	short, _ := pad.Call("ab")
	fmt.Printf("%q %v\n", short, err)
	_, err = pad.Call("ab", "wide")
	fmt.Println(err)
	// Output:
	// "   ab" <nil>
	// TypeError: example.pad: argument 'width': expected int, got str
}

func ExampleMove() {
	// The object dies when the caller releases it, not when Go's collector finds the handle.
	make, _ := selfsame.NewFunc(func() selfsame.Moved[Edition] {
		return selfsame.Move(EditionClass.New(func(r *Edition) { r.Major = 3 }))
	})
	r, err := selfsame.CallAs[*selfsame.Handle[Edition]](make)
	fmt.Println(r.Get().Major, r.UseCount(), err)
	// Output: 3 1 <nil>
}

func ExampleHandle_Do() {
	h := EditionClass.New(nil)
	h.Do(func(r *Edition) { r.Minor = 7 }) // h stays reachable until the func returns
	fmt.Println(selfsame.With(h, func(r *Edition) int64 { return r.Minor }))
	// Output: 7
}

func ExampleLiveObjects() {
	before, counted := selfsame.LiveObjects("example.Edition") // the stock runtime counts nothing
	h := EditionClass.New(nil)
	during, _ := selfsame.LiveObjects("example.Edition")
	h.Release()
	after, _ := selfsame.LiveObjects("example.Edition")
	fmt.Println(during-before == 1 || !counted, after == before)
	// Output: true true
}
