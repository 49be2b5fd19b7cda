package call

import (
	"reflect"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// A Go iterator crosses as a Function that returns the next element at each call, and at the end fails with a
// StopIteration. Called with any argument it stops the iteration instead.
//
// The loop of the Go iterator runs on a goroutine of its own, and only while a caller waits for the next element: so it
// never runs beside the code that uses the elements. RATIONALE.md, "Why an iterator runs on a goroutine, one element at a
// time"

// iteration is the loop over one Go iterator.
type iteration struct {
	loop func(yield func(v abi.Any, err error) bool)

	mu      sync.Mutex // admits one caller at a time
	started bool
	waiting bool // the loop was resumed, and its next element was not received yet
	ended   bool
	resume  chan bool // true: go on to the next element; false: end the loop
	out     chan step
}

// step is what the loop hands over: an owned element, its end, or an error.
type step struct {
	v   abi.Any
	end bool
	err error
}

// iterationRef is what native code keeps alive: the loop's goroutine refers to the iteration only, so that an iteration
// that nobody refers to any more can be stopped.
type iterationRef struct{ *iteration }

// newIteration returns an owned Function that iterates. loop calls yield with each element, owned, until it returns false.
func newIteration(loop func(yield func(v abi.Any, err error) bool)) (unsafe.Pointer, error) {
	it := &iteration{loop: loop, resume: make(chan bool, 1), out: make(chan step, 1)}
	ref := &iterationRef{it}
	runtime.AddCleanup(ref, (*iteration).stop, it)
	return nativeFunc("iterator", func(args []abi.Any, result *abi.Any) error {
		defer runtime.KeepAlive(ref)
		if len(args) > 0 {
			ref.stop()
			*result = abi.None()
			return nil
		}
		return ref.next(result)
	})
}

// nativeFunc returns an owned Function of a func that takes values as they are.
func nativeFunc(name string, call Invoker) (unsafe.Pointer, error) {
	sig := &Signature{name: name, context: -1}
	c := &Closure{Sig: sig, Invoke: call, packed: true}
	return c.Function()
}

// next makes *result the next element. It fails with a StopIteration at the end, and with the error of a loop that panics.
func (it *iteration) next(result *abi.Any) error {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.ended {
		return stopIteration()
	}
	switch {
	case !it.started:
		it.started = true
		go it.run()
	case !it.waiting:
		it.resume <- true
	}
	it.waiting = true
	var got step
	interrupted := whileWaiting(convert.PythonPoll.Function(), func(tick <-chan time.Time) bool {
		select {
		case got = <-it.out:
			return true
		case <-tick:
			return false
		}
	})
	if interrupted != nil {
		return interrupted // the next call waits for the same element
	}
	it.waiting = false
	if got.end || got.err != nil {
		it.ended = true
		if got.err != nil {
			return got.err
		}
		return stopIteration()
	}
	*result = got.v
	return nil
}

func stopIteration() error { return fault.New("StopIteration", "") }

// run iterates on the goroutine of the loop.
func (it *iteration) run() {
	last := step{end: true}
	defer func() {
		if r := recover(); r != nil {
			last = step{err: fault.OfPanic(r)}
		}
		it.out <- last
	}()
	it.loop(func(v abi.Any, err error) bool {
		if err != nil {
			last = step{err: err}
			return false
		}
		it.out <- step{v: v}
		return <-it.resume
	})
}

// stop ends the loop: the iterator's yield returns false. It does not wait for the loop.
func (it *iteration) stop() {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.ended {
		return
	}
	it.ended = true
	if !it.started {
		return
	}
	it.resume <- false
	go func() { // takes the element that was on its way, and the end
		for got := range it.out {
			values.Release(got.v)
			if got.end || got.err != nil {
				return
			}
		}
	}()
}

// iterate returns a func that calls use with each element of a borrowed value, until use returns false. The value is an
// Array or List, a Map or Dict (its keys), any other iterable of Python, or a Function like that of newIteration. The
// result keeps the value alive.
func iterate(v *abi.Any, pairs bool) (func(use func(item *abi.Any) bool) error, error) {
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		return iterateSequence(handles.Fetch(v.Pointer())), nil
	case abi.IndexMap, abi.IndexDict:
		return iterateMap(handles.Fetch(v.Pointer()), pairs), nil
	case abi.IndexFunction:
		return iterateFunction(handles.Fetch(v.Pointer())), nil
	}
	next, err := convert.Unpack("iter", v)
	if err != nil {
		return nil, err
	}
	return iterateFunction(handles.FetchOwned(next.Pointer())), nil
}

func iterateSequence(h *handles.State) func(use func(item *abi.Any) bool) error {
	return func(use func(item *abi.Any) bool) error {
		defer runtime.KeepAlive(h)
		for i := 0; ; i++ {
			items := abi.SeqOf(h.Address()).Items() // a List may have changed
			if i >= len(items) {
				return nil
			}
			item := items[i]
			if !use(&item) {
				return nil
			}
		}
	}
}

// iterateMap goes over the keys, or over pairs of key and value.
func iterateMap(h *handles.State, pairs bool) func(use func(item *abi.Any) bool) error {
	return func(use func(item *abi.Any) bool) error {
		entries := convert.BorrowedEntries(h.Address())
		for i := range entries {
			values.Retained(entries[i])
		}
		runtime.KeepAlive(h)
		defer func() { values.ReleaseAll(entries) }()
		for i := 0; i < len(entries); i += 2 {
			item := entries[i]
			if pairs {
				object, err := values.NewContainer(abi.IndexArray, entries[i:i+2])
				if err != nil {
					return err
				}
				item = abi.ObjectValue(object)
			}
			more := use(&item)
			if pairs {
				values.Release(item)
			}
			if !more {
				return nil
			}
		}
		return nil
	}
}

func iterateFunction(next *handles.State) func(use func(item *abi.Any) bool) error {
	return func(use func(item *abi.Any) bool) error {
		for {
			item, err := values.CallValues(next, nil)
			if err != nil {
				if e, ok := err.(*fault.Error); ok && e.Kind == "StopIteration" {
					return nil
				}
				return err
			}
			more := use(&item)
			values.Release(item)
			if !more {
				return nil
			}
		}
	}
}

// receive makes *result the next value of a channel, converted; at its end it fails with a StopIteration.
func receive(ch reflect.Value, element *convert.Conv, result *abi.Any) error {
	var got reflect.Value
	var open bool
	interrupted := whileWaiting(convert.PythonPoll.Function(), func(tick <-chan time.Time) bool {
		cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(tick)}}
		var chosen int
		var value reflect.Value
		if chosen, value, open = reflect.Select(cases); chosen == 0 {
			got = value
		}
		return chosen == 0
	})
	if interrupted != nil {
		return interrupted
	}
	if !open {
		return stopIteration()
	}
	return element.To(addressable(got), result)
}
