// Command guests imports Go packages that were built for Python into the Python that it hosts: scripts/host.sh runs it with
// the interpreter, a folder and the names of the packages: gocalls, which is bench/python/gocalls, and a wrapped container/ring.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
)

type point struct {
	selfsame.Object
	X float64 `ffi:"rw"`
}

var points = selfsame.MustRegister[point]("guests.Point")

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Printf("%+v\n", err)
		os.Exit(1)
	}
}

func want(is bool, what string) {
	if !is {
		fmt.Println("it does not hold that", what)
		os.Exit(1)
	}
}

func main() {
	py := must(python.Start(python.Executable(os.Args[1]), python.Path(os.Args[2])))
	var packages []*python.Object
	for _, name := range os.Args[3:] {
		packages = append(packages, must(py.Import(name)))
	}
	guest := packages[0]
	// The program finds the functions of the package, and the package those of the program.
	addOne := must(selfsame.GetFunc("gocalls.add_one"))
	want(must(selfsame.CallAs[int](addOne, 41)) == 42, "a function of the package is global in the program")
	want(must(python.CallMethodAs[int](guest, "add_one", 41)) == 42, "Python calls it as well")
	// One object has one handle here, one in the package and one wrapper.
	node := must(python.CallAs[any](must(guest.Attr("Node")), 7))
	echo := must(guest.Attr("echo"))
	want(must(python.CallAs[any](echo, node)) == node, "an object of the package has one handle in the program")
	want(must(python.CallMethodAs[int](guest, "read", node)) == 7, "the package reads its own object")
	mine := points.New(func(p *point) { p.X = 1 })
	kept := must(py.Eval("[]", nil))
	check(python.Done(kept.CallMethod("append", mine)))
	want(must(python.As[any](kept.Item(0))) == any(mine), "an object of the program has one handle")
	_, err := echo.Call(mine)
	want(python.Is(err, "TypeError"), "the package refuses an object of another class")
	// Goroutines of both, and Python between them.
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 500 {
				want(must(python.CallMethodAs[int](guest, "add_one", i)) == i+1, "calls of many goroutines hold")
			}
		}()
	}
	group.Wait()
	if len(packages) > 1 { // the package container/ring, wrapped
		ring := must(packages[1].CallMethod("new", 3))
		want(must(ring.Len()) == 3, "a wrapped package works")
		want(must(must(must(ring.CallMethod("next")).CallMethod("next")).CallMethod("next")) == ring, "an object of it has one handle")
	}
	check(py.Close())
	fmt.Println(len(packages), "packages share the runtime")
}
