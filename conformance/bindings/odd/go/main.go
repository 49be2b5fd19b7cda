// Requirement: D14

// Command odd uses the library of odd.cc through the package that `selfsame-ffi bind --go` writes. Usage: odd LIBRARY
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/selfsame-ffi/selfsame"

	"example.org/odd/odd"
	"github.com/selfsame-ffi/selfsame/gen"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(what string, ok bool, got ...any) {
	if !ok {
		panic(fmt.Sprint(what, ": ", got))
	}
}

// mine derives from a class whose fields are of all sorts.
type mine struct {
	odd.BaseObject
	Extra int64
}

type far struct {
	odd.DeepL3Object
	Z float64
}

type afterLast struct{ odd.LastObject }

func refused(err error, want string) {
	check("refused", err != nil && strings.Contains(err.Error(), want), err)
}

func names() {
	b := must(odd.BaseMake(5))
	check("fields and methods that clash", b.N() == 5 && must(b.N_()) == 5 && must(b.Sum(1)) == 6 && must(b.Sum_(1)) == 4 && must(b.SetN_(8)) == 8)
	check("names that are none", must(b.X()) == 1 && must(b.X_()) == 2 && must(b.X1st()) == 1 && must(b.WithSpace()) == 1)
	check("functions named as classes", must(odd.BaseFunc(7)).N() == 7 && must(odd.BaseMakeFunc()) == 4)
	check("functions named as statics", must(odd.NodeChild_()) == 1 && must(odd.TypeSelect(3, 0, 0, 0)) == 3)
	check("functions of the library", must(odd.FusedAddRelu1(4)) == 5)
	kernels := []any{must(odd.NnConv2dFast()), must(odd.NnConv2dFastFunc(1)), must(odd.Range(1, 2)), must(odd.Delete()), must(odd.Größe()),
		must(odd.X日本()), must(odd.Error()), must(odd.ErrorFunc(1)), must(odd.None())}
	check("kernels with dots, words and letters", fmt.Sprint(kernels) == "[100 201 302 400 500 600 700 801 900]", kernels)
	check("functions of no namespace", must(odd.PlainGlobal()) == 1)
	check("a class of another namespace", must(odd.NewBare()).TypeKey() == "Bare")
	f := must(odd.Five(1, 2.5, "three", true, b))
	five := []any{f.At(0), f.At(1), f.At(2), f.At(3)}
	check("five values", fmt.Sprint(five) == "[1 2.5 three true]" && f.At(4) == any(b), five)
	bag := must(odd.BagMake())
	check("fields of C++", bag.CppText() == "cpp" && bag.Texts().Len() == 1 && bag.Pair() == selfsame.Tuple2[int64, string]{First: 1, Second: "x"})
	check("fields of None", !bag.MaybeCall().OK && !bag.MaybeTensor().OK && !bag.Module().OK)
	size := must(odd.Callbacks(func(_ *selfsame.Map[string, *odd.Base], next *selfsame.Function) (*selfsame.Array[*odd.Base], error) {
		check("a callback's callback", must(selfsame.CallAs[int64](next, 1)) == 2)
		return selfsame.NewArray([]*odd.Base{b})
	}))
	check("callbacks", size == 1)
}

func derived() {
	class := must(selfsame.Register[mine]("my.Mine", selfsame.Method("twice", func(m *mine) int64 { return 2*m.N + m.Extra }, "")))
	h, other := class.New(func(m *mine) { m.N, m.Extra = 10, 5 }), class.New(nil)
	b, o := odd.BaseClass.Cast(h), odd.BaseClass.Cast(other)
	check("defaults", o.N() == 7 && o.Small() == 3 && o.Flag() && o.Text() == "base text that is long" && o.Anything() == any(int64(5)) &&
		o.Counts().Len() == 0 && !o.Note().OK && !o.Maybe().OK && o.Next() == nil && o.Ratio() == 0.5)
	b.Numbers().Append(4)
	check("lists of their own", b.Numbers().Len() == 1 && o.Numbers().Len() == 0)
	check("methods", must(b.Sum(1)) == 11 && must(selfsame.CallMethod(h, "twice")) == any(int64(25)))
	check("set", b.SetNext(o) == nil && b.Next() == selfsame.AnyHandle(other) && b.SetText("another text that is long") == nil)

	l3 := odd.DeepL3Class.Cast(must(selfsame.Register[far]("my.Far")).New(func(f *far) { f.AtL3 = 8 }))
	check("deep", l3.AtL3() == 8 && l3.AtL1() == 1 && l3.Text() == o.Text() && must(l3.Sum()) == 7)

	// C++ knows objects of a final class by its own type index alone.
	last := odd.LastClass.Cast(must(selfsame.Register[afterLast]("my.AfterLast")).New(nil))
	check("a final class", last.X() == 1)
	_, err := odd.LastFunc(last)
	refused(err, "Expected `odd.Last` but got `my.AfterLast`")
}

// shapes calls methods of one name, and functions of types whose elements are no types or not known yet.
func shapes() {
	over := must(odd.NewOverloaded(4))
	if must(over.Add(int64(3))) != any(int64(7)) || must(over.Add("3")) != any("43") {
		panic("one of the methods add is not called")
	}
	_, err := over.Add(1.5)
	refused(err, "No matching overload found")
	if sum := must(odd.Array3(must(selfsame.NewArray([]float64{1, 2, 4})))); sum != 7 {
		panic(sum)
	}
	row, _ := must(odd.BaseGrid(5)).Get("row")
	if row.Len() != 2 || row.At(0) != nil || row.At(1).N() != 5 {
		panic("the grid")
	}
}

// errorsOrValues calls functions that return a value or an error, and such that take an object over.
func errorsOrValues() {
	b := must(odd.BaseParse("five!"))
	check("a value", b.N() == 5 && must(b.Root()) == 2)
	_, err := odd.BaseParse("")
	refused(err, "ValueError: an empty text")
	if err := b.SetN(-4); err != nil {
		panic(err)
	}
	_, err = b.Root()
	refused(err, "ValueError: a negative number")
	none, some := must(odd.Maybe(0)), must(odd.Maybe(1))
	check("a value that may be None", !none.OK && some == selfsame.Some("some"), none, some)
	_, err = odd.Maybe(-1)
	refused(err, "KeyError: negative")
	check("one of several types", must(odd.FailsWith(int64(3))) == any(int64(3)))
	_, err = odd.FailsWith("a disk")
	refused(err, "OSError: a disk")
	check("a callback's value", must(odd.Ask(func(n int64) (int64, error) { return 2 * n, nil })) == 6)
	_, err = odd.Ask(func(int64) (int64, error) { return 0, errors.New("no answer") })
	refused(err, "no answer")
	check("the handle stays good", must(odd.Take(b)) == 4 && b.N() == -4)
	array := must(selfsame.NewArray([]int64{1}))
	more := must(odd.Appended(array, 2))
	check("the array stays as it is", array.Len() == 1 && more.Len() == 2 && more.At(1) == 2)
	keyed := must(odd.NewKeyed(2, "a title", 3, false))
	check("fields by keyword", keyed.Width() == 2 && keyed.Title() == "a title" && keyed.Height() == 3 && !keyed.Func())
	venus, earth := must(odd.PlanetVenus()), must(odd.PlanetEarth())
	check("an enum of old headers", must(selfsame.GetField(earth, "_int_index")) == any(int64(2)) && !selfsame.Same(venus, earth))
	check("a name with a sign of formats", must(odd.X100SD()) == 1)
}

// Classes whose objects Go cannot make. bind writes no struct for them.
type (
	hiddenObject struct {
		selfsame.Object
		_ [40]byte
	}
	hidden    struct{ hiddenObject }
	stdObject struct {
		selfsame.Object
		_ [24]byte
	}
	std          struct{ stdObject }
	silentObject struct {
		selfsame.Object
		_ [8]byte
	}
	silent struct{ silentObject }
)

var _ = gen.DeclareStruct[hiddenObject]("odd.Hidden") && gen.DeclareStruct[stdObject]("odd.Std") &&
	gen.DeclareStruct[silentObject]("odd.Silent")

func main() {
	if err := odd.Load(os.Args[1]); err != nil {
		panic(err)
	}
	names()
	shapes()
	errorsOrValues()
	derived()
	_, err := selfsame.Register[hidden]("my.Hidden")
	refused(err, "no Go class can derive from class `odd.Hidden`: no field tells what the bytes from 32 to 64 of its objects are")
	_, err = selfsame.Register[std]("my.Std")
	refused(err, "no Go class can derive from class `odd.Std`: field `numbers` is a `std::vector`")
	_, err = selfsame.Register[silent]("my.Silent")
	refused(err, "no Go class can derive from class `odd.Silent`: the library does not tell how large its objects are")
	fmt.Println("Go: a library of unusual names and shapes, and Go classes that derive from its own")
}
