// Command older calls libraries in C++ that were compiled with the headers of releases of tvm-ffi, and checks what arrives:
// errors, functions, containers, classes and tensors.
//
// Usage: older [--chains] PREFIX=PATH...   (--chains: also drops long chains of objects, which overflows the stack on the published
// library; libraries of python/tests/fixtures/native/origin.cc, by the prefixes of their keys)
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

// call calls a library's function. An error that is its result, or that it raises, is returned.
func call(prefix, name string, args ...any) (any, error) {
	f, err := selfsame.GetFunc(prefix + "." + name)
	if err != nil {
		return nil, err
	}
	result, err := f.Call(args...)
	if e, ok := result.(*selfsame.Error); ok {
		return nil, e
	}
	return result, err
}

var failed bool

func check(prefix, what string, ok bool, got ...any) {
	if !ok {
		failed = true
		fmt.Printf("%s: FAIL: %s: %v\n", prefix, what, got)
	}
}

func checkErrors(prefix string, others []string) {
	for _, kind := range []string{"", "ValueError", "NotImplementedError", "FileNotFoundError", "a kind of several words"} {
		for _, message := range []string{"", "no", "a message that is longer than what lies in the object"} {
			_, made := call(prefix, "error", kind, message, "")
			var e *selfsame.Error
			check(prefix, "an error as a value", errors.As(made, &e) && e.Kind == kind && e.Message == message, made)
			if failed {
				return
			}
			check(prefix, "its cause", errors.Unwrap(e) == nil, errors.Unwrap(e))
			check(prefix, "its Go error", errors.Is(e, fs.ErrNotExist) == (kind == "FileNotFoundError"), kind)
			for _, other := range others {
				_, raised := call(other, "fail", e)
				check(prefix, "raised by "+other, errors.Is(raised, e), raised)
			}
			pair, err := call(prefix, "pair", e)
			array, ok := pair.(*selfsame.Array[any])
			check(prefix, "in an Array", err == nil && ok && array.Len() == 2 && array.At(0) == any(e), pair, err)
			wrapped := fmt.Errorf("outer: %w", e)
			echo, err := selfsame.NewFunc(func() error { return wrapped })
			if err == nil {
				_, err = echo.Call()
			}
			check(prefix, "wrapped by Go", errors.Is(err, e), err)
		}
	}
}

func checkValues(prefix string) {
	adder, err := call(prefix, "adder", 40)
	if f, ok := adder.(*selfsame.Function); ok {
		sum, err := f.Call(2)
		check(prefix, "a function", sum == int64(42), sum, err)
	} else {
		check(prefix, "a function", false, adder, err)
	}
	double, err := selfsame.NewFunc(func(x int) int { return 2 * x })
	check(prefix, "NewFunc", err == nil, err)
	applied, err := call(prefix, "apply", double, 21)
	check(prefix, "a Go func", applied == int64(42), applied, err)
	entry, err := call(prefix, "entry", "a key that is longer than seven bytes", 3)
	m, ok := entry.(*selfsame.Map[any, any])
	check(prefix, "a Map", err == nil && ok && m.Len() == 1, entry, err)
	node, err := call(prefix, "make", 5, m)
	back, err2 := call(prefix, "echo", node)
	check(prefix, "an object of a class", node != nil && node == back, node, err, back, err2)
	tensor, err := selfsame.NewTensor([]float32{1, 2, 4})
	check(prefix, "NewTensor", err == nil, err)
	total, err := call(prefix, "total", tensor)
	check(prefix, "a tensor of Go's", total == 7.0, total, err)
	ones, err := call(prefix, "ones", 3)
	total, err2 = call(prefix, "total", ones)
	check(prefix, "its own tensor", total == 3.0, ones, err, total, err2)
}

func release(object any) {
	if h, ok := object.(interface{ Release() }); ok {
		h.Release()
	}
}

// checkChains drops chains of objects of a class in C++: by a handle, by a field that is set, out of a List and with it.
func checkChains(prefix string) {
	const long = 200_000
	chain := func() (first any) {
		for i := range long {
			made, err := call(prefix, "make", i, first)
			release(first)
			if first = made; err != nil {
				check(prefix, "a chain", false, err)
			}
		}
		return first
	}
	inList := func() *selfsame.List[any] {
		first := chain()
		defer release(first)
		list, err := selfsame.NewList([]any{first})
		check(prefix, "a List", err == nil, err)
		return list
	}
	release(chain())
	first := chain()
	owner, err := call(prefix, "make", 0, first)
	release(first)
	check(prefix, "an owner", err == nil, err)
	if h, ok := owner.(selfsame.AnyHandle); !ok || selfsame.SetField(h, "next", nil) != nil {
		check(prefix, "a field that is set", false, owner)
	}
	release(owner)
	list := inList()
	list.Clear()
	list.Release()
	inList().Release()
	selfsame.Collect()
	live, err := call(prefix, "live")
	check(prefix, "no object of a chain", live == int64(0), live, err)
}

func main() {
	var prefixes []string
	arguments := os.Args[1:]
	chains := len(arguments) > 0 && arguments[0] == "--chains"
	if chains {
		arguments = arguments[1:]
	}
	for _, argument := range arguments {
		prefix, path, _ := strings.Cut(argument, "=")
		if _, err := selfsame.LoadModule(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		prefixes = append(prefixes, prefix)
	}
	for _, prefix := range prefixes {
		checkErrors(prefix, prefixes)
		checkValues(prefix)
		runtime.GC()
		selfsame.Collect()
		if chains {
			checkChains(prefix)
		}
	}
	if failed {
		os.Exit(1)
	}
	fmt.Printf("Go: errors, functions, containers, classes, tensors of %d libraries\n", len(prefixes))
}
