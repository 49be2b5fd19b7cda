package graph

import (
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// Keeper holds references of objects whose addresses a walk remembers.
type Keeper struct{ held []unsafe.Pointer }

// Keep takes a reference.
func (k *Keeper) Keep(obj unsafe.Pointer) {
	abi.IncRef(obj)
	k.held = append(k.held, obj)
}

// Release drops them all.
func (k *Keeper) Release() {
	for _, obj := range k.held {
		plane.DecRefFast(obj)
	}
	k.held = nil
}

// Callback is the Function that a walk hands to hooks, so that they can come back with the parts of their object. It
// works only while its walk waits in a hook.
type Callback struct {
	Name     string
	function unsafe.Pointer
	waiting  atomic.Bool
}

// Make gives the Function, made on first use; it stays the callback's.
func (c *Callback) Make(name string, run Body) (unsafe.Pointer, error) {
	if c.function != nil {
		return c.function, nil
	}
	c.Name = name
	function, err := NewFunction(func(args []abi.Any) (abi.Any, error) {
		if !c.waiting.CompareAndSwap(true, false) {
			return abi.Any{}, fault.New("RuntimeError", "%s: called while no hook of its walk runs", name)
		}
		defer c.waiting.Store(true)
		return run(args)
	})
	if err != nil {
		return nil, err
	}
	c.function = function
	return function, nil
}

// Call runs a hook that may use the callback.
func (c *Callback) Call(hook unsafe.Pointer, args ...abi.Any) (abi.Any, error) {
	c.waiting.Store(true)
	defer c.waiting.Store(false)
	return Call(hook, args...)
}

// Release drops the Function. Whoever still has it cannot use it any more.
func (c *Callback) Release() {
	if c.function != nil {
		plane.DecRef(c.function)
		c.function = nil
	}
}

// WantArgs refuses another number of arguments.
func WantArgs(name string, args []abi.Any, n int) error {
	if len(args) != n {
		return fault.Type("Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments", name, n, len(args))
	}
	return nil
}

// WantInt reads an int result or argument.
func WantInt(a *abi.Any, what string) (int64, error) {
	if a.TypeIndex == abi.IndexInt || a.TypeIndex == abi.IndexBool {
		return a.Int64(), nil
	}
	err := fault.Type("Cannot convert from type `%s` to `int`: %s", Key(a), what)
	return 0, err
}
