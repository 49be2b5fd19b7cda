package graph

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Hook describes a kind of hook: a Function in a type attribute that does a walk's work for the objects of one class.
// The walk calls it with its arguments and, as the last one, a callback for the parts of the object. The callback is a
// Function of a part that works only while the walk waits for a hook.
type Hook struct {
	Operation string // the walk's name in errors: "ReprPrint"
	Callback  string // the callback's name in errors; "" for hooks that get none
}

// FromHook is a walk's work for the callback: for a part, which it borrows. The callback's caller owns the result.
type FromHook = func(part abi.Any) (abi.Any, error)

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
		if len(args) != 1 {
			return abi.Any{}, failure.Type("Mismatched number of arguments when calling: `%s`. Expected 1 but got %d arguments",
				h.Callback, len(args))
		}
		part, err := Owned(&args[0]) // a hook may drop the objects that its argument refers to
		if err != nil {
			return abi.Any{}, err
		}
		defer Release(part)
		return serve(part)
	})
	return err
}

// releaseCallback drops the walk's reference to the callback. A hook that kept the callback cannot use it any more.
func (w *Walk) releaseCallback() {
	if w.callback != nil {
		plane.DecRef(w.callback)
		w.callback = nil
	}
}
