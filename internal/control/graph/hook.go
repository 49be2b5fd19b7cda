package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Hook describes a kind of hook: a Function in a type attribute that does a walk's work for the objects of one class.
// The walk calls it with its arguments and, as the last one, a callback for the parts of the object. The callback is a
// Function that works only while the walk waits for a hook.
type Hook struct {
	Operation string // the walk's name in errors: "StructuralEqual"
	Result    string // the name of the hook's result in errors: "result of `__s_equal__`"
	Callback  string // the callback's name in errors; "" for hooks that get none
	Values    int    // how many of the callback's first arguments are values for the walk: 1 or 2
	Args      int    // how many arguments the callback takes
}

// FromHook is a walk's work for the callback. a and b are the values (b is None for a callback with one value),
// borrowed; more are the other arguments, views in C memory. The callback's caller owns the result.
type FromHook = func(a, b abi.Any, more []abi.Any) (abi.Any, error)

// CallHook calls a hook with up to three borrowed arguments and the callback, which is made on first use; all hooks of one
// walk get the same one. The caller owns the result.
//
// Errors: RecursionError (hooks nested too deep), MemoryError, and those of the hook.
func (w *Walk) CallHook(h *Hook, serve FromHook, function unsafe.Pointer, args ...abi.Any) (abi.Any, error) {
	if err := w.Enter(h.Operation); err != nil {
		return abi.Any{}, err
	}
	defer w.Leave()
	var all [4]abi.Any // the arguments and the callback
	n := copy(all[:], args)
	if h.Callback != "" {
		if err := w.makeCallback(h, serve); err != nil {
			return abi.Any{}, err
		}
		all[n] = abi.ObjectValue(w.callback)
		n++
	}
	return Call(function, all[:n]...)
}

// CallIntHook does CallHook's work for a hook whose result is an integer; a result of another type is a TypeError.
func (w *Walk) CallIntHook(h *Hook, serve FromHook, function unsafe.Pointer, args ...abi.Any) (int64, error) {
	result, err := w.CallHook(h, serve, function, args...)
	if err != nil {
		return 0, err
	}
	defer Release(result)
	return WantInt(&result, h.Result)
}

// makeCallback makes the Function that the walk hands to its hooks, unless it is there.
func (w *Walk) makeCallback(h *Hook, serve FromHook) (err error) {
	if w.callback != nil {
		return nil
	}
	w.callback, err = NewFunction(func(args []abi.Any) (abi.Any, error) {
		if !w.Resume() {
			return abi.Any{}, failure.New("RuntimeError", "%s: called while no hook of its walk runs", h.Callback)
		}
		defer w.Suspend()
		if len(args) != h.Args {
			return abi.Any{}, failure.Type("Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
				h.Callback, h.Args, len(args))
		}
		return serveOwned(h, serve, args)
	})
	return err
}

// serveOwned calls serve with owned values, which it releases. A hook may drop the objects that its arguments refer to.
func serveOwned(h *Hook, serve FromHook, args []abi.Any) (abi.Any, error) {
	a, err := Owned(&args[0])
	if err != nil {
		return abi.Any{}, err
	}
	defer Release(a)
	if h.Values == 1 {
		return serve(a, abi.None(), args[1:])
	}
	b, err := Owned(&args[1])
	if err != nil {
		return abi.Any{}, err
	}
	defer Release(b)
	return serve(a, b, args[2:])
}

// WantInt reads an int result or argument; what names it in the error.
func WantInt(a *abi.Any, what string) (int64, error) {
	if a.TypeIndex == abi.IndexInt || a.TypeIndex == abi.IndexBool {
		return a.Int64(), nil
	}
	return 0, failure.Type("Cannot convert from type `%s` to `int`: %s", Key(a), what)
}

// releaseCallback drops the walk's reference to the callback. A hook that kept the callback cannot use it any more.
func (w *Walk) releaseCallback() {
	if w.callback != nil {
		plane.DecRef(w.callback)
		w.callback = nil
	}
}
