package selfsame_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/selfsame-ffi/selfsame"
)

// An error that a Go func returns is raised elsewhere as the exception of its kind; when it comes back to Go, errors.Is and
// errors.As still see the Go error that it was.
func ExampleErrorf() {
	open, err := selfsame.NewFunc(func(name string) error {
		return selfsame.Errorf("KeyError", "no %s: %w", name, fs.ErrNotExist)
	})
	if err != nil {
		panic(err)
	}
	_, err = open.Call("map")
	var raised *selfsame.Error
	fmt.Println(errors.As(err, &raised), raised.Kind, raised.Message)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output:
	// true KeyError no map: file does not exist
	// true
}

// A Go func becomes a function that checks and converts its arguments.
func ExampleNewFunc() {
	hypot, err := selfsame.NewFunc(math.Hypot)
	if err != nil {
		panic(err)
	}
	length, err := selfsame.CallAs[float64](hypot, 3, 4)
	fmt.Println(length, err)
	_, err = hypot.Call(3, "four")
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// TypeError: Mismatched type on argument #1 when calling: `(0: float, 1: float) -> float`. Expected `float` but got `ffi.SmallStr`
}

// LiveHandles lists the handles that a program still holds, by class, with the stack of their making when the program
// was built with -tags debug.
func ExampleLiveHandles() {
	tally := func() (n int) {
		for _, live := range selfsame.LiveHandles() {
			if live.TypeKey == "test.Counted" {
				n++
			}
		}
		return n
	}
	h := countedClass.New(nil)
	fmt.Println(tally())
	h.Release()
	fmt.Println(tally())
	// Output:
	// 1
	// 0
}
