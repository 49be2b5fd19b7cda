// Package gocounts holds objects in Go, so that native code can count Go's references beside Python's: a variable of Go
// that has a handle counts one, as a reference of C++ does.
package gocounts

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame"
)

// Owner has a field.
type Owner struct {
	selfsame.Object
	X selfsame.Any
}

// OwnerClass is gocounts.Owner.
var OwnerClass = selfsame.MustRegister[Owner]("gocounts.Owner")

// A place gives back the handle that it holds. Its other func ends it.
type place struct {
	get func() any
	end func()
}

var places []place

func init() {
	selfsame.MustRegisterFunc("gocounts.hold", hold)
	selfsame.MustRegisterFunc("gocounts.fetch", func(i int) any { return places[i].get() })
	selfsame.MustRegisterFunc("gocounts.release", release)
	selfsame.MustRegisterFunc("gocounts.echo", func(x any) any { return x })
	selfsame.MustRegisterFunc("gocounts.call", func(f *selfsame.Function, x any) (any, error) { return f.Call(x) })
}

func release() {
	for _, p := range places {
		p.end()
	}
	places = nil
}

// hold keeps a handle in a new place of a kind. Only the place refers to it then.
func hold(kind string, x selfsame.AnyHandle) error {
	var p place
	switch kind {
	case "variable":
		p = place{func() any { return x }, x.Release}
	case "slice":
		slice := []selfsame.AnyHandle{nil, x}
		p = place{func() any { return slice[1] }, x.Release}
	case "map":
		byName := map[string]any{"key": x}
		p = place{func() any { return byName["key"] }, x.Release}
	case "goroutine":
		asked, answers := make(chan bool), make(chan any)
		go func(x any) {
			for range asked {
				answers <- x
			}
			close(answers)
		}(x)
		p = place{func() any { asked <- true; return <-answers }, func() { close(asked); <-answers; x.Release() }}
	case "List":
		list, err := selfsame.NewList([]selfsame.AnyHandle{x})
		if err != nil {
			return err
		}
		x.Release()
		p = place{func() any { return list.At(0) }, list.Release}
	case "field":
		owner := OwnerClass.New(func(o *Owner) { o.X.Set(x) })
		x.Release()
		p = place{func() any { return owner.Get().X.Get() }, owner.Release}
	default:
		return fmt.Errorf("argument 'kind': expected a place, got %q", kind)
	}
	places = append(places, p)
	return nil
}
