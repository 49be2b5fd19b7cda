package call

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/spin"
)

// A Go iterator crosses as a Function. Called with a number it returns an Array of at most so many elements, the next ones;
// called without arguments it returns the next element. At the end it fails with a StopIteration. Called with any other
// argument it stops the iteration instead.
//
// The loop of the Go iterator runs on a goroutine of its own, while a caller waits, and ahead of its caller by at most
// the elements that were asked for.
//
// Why an iterator runs on a goroutine, ahead of its caller. The coroutine of iter.Pull may only be resumed with the
// thread locks that it was made with, and each call from C has a lock of its own. So the loop runs on a goroutine,
// which waits when it has made what was asked for: two switches and a call for each batch. One element at a time they
// were nearly all of the cost. The batches grow from 2 to 256, so a loop that is left early has made at most twice the
// elements that were taken. The loop runs while the caller waits; a caller waits a millisecond for a full batch, then
// takes what is there, so a loop that waits for events holds nothing back. The price: a loop sees what the caller
// changes later than its elements suggest, and one over a Go map that the caller changes between two elements may end
// the program. Such loops are registered with the option Lazy.
//
// To wake a sleeping thread on another processor takes longer than to make or take a batch of numbers. So each side
// looks for the other for some tens of microseconds before it sleeps (internal/spin), and a goroutine whose loop has
// ended looks for the next loop (internal/engine/call/workers.go). Without that, loops of ten numbers took five times
// as long, one of ten thousand 2.5 times (`make bench-many`, with the looks of a Channel left at 0). It looks in C: a
// goroutine that looks in Go holds a processor of the scheduler's, which the other side may be waiting for. Who looked
// in vain looks half as long the next time. With one processor nobody looks. The price: a loop whose elements are slow
// keeps a second processor busy for less than 0.1 ms, and a func that locks its goroutine to a thread and never unlocks
// it leaves that thread to later loops. A func with a context is called on such a goroutine as well, in a fifth of the
// time.
//
// A Python iterable that Go takes is asked for one element at a time, unless it is a container, whose elements exist,
// or its caller says ahead. A generator may wait for what Go does with the element before, and nothing can take its
// finished elements out of a call that hangs in it: the generator runs on the caller's thread, and so does the Go loop.
// A caller that goes on with an iterator after the call would miss elements. Only the caller knows that neither is so.

// mostAhead is the most elements that a loop makes ahead, whatever the caller asks for.
const mostAhead = 1024

// patience is how long a caller waits for as many elements as it asks for. Then it takes those that are there, or the next one.
const patience = time.Millisecond

// iteration is the loop over one Go iterator.
type iteration struct {
	loop  func(it *iteration, yield func(v abi.Any, err error) bool)
	lazy  bool           // one element at a time
	share *handles.Share // of the call that returned the iterator; set before any other code has the iteration
	ctx   *heldContext   // of that call, nil: it had none
	rows  *rowLoop       // nil: its elements are no rows
	chunk []byte         // the last one of texts, as far as it is full; the loop's

	caller sync.Mutex // admits one caller at a time

	mu      sync.Mutex // guards what follows; nobody waits or runs foreign code under it
	made    []abi.Any  // owned elements and views of texts, in order, that no caller has taken
	texts   [][]byte   // that the views among made point into, and the loop fills
	want    int        // how many elements the caller waits for; 0: none waits, and the loop waits after its next one
	parked  bool       // the loop waits to be resumed
	started bool
	stopped bool                    // no caller wants more
	ended   bool                    // the loop has ended
	failure unsafe.Pointer          // the Error of a loop that has failed, owned, until a caller gets it
	ready   *spin.Channel[struct{}] // the loop has what the caller wants, or has ended
	resume  *spin.Channel[bool]     // true: go on to the next element; false: end the loop
	done    chan struct{}           // closed when the loop has ended
}

// iterationRef is what native code keeps alive: the loop's goroutine refers to the iteration only, so that an iteration
// that nobody refers to any more can be stopped.
type iterationRef struct{ *iteration }

// newIteration returns an owned Function that iterates. loop calls yield with each element, owned, until it returns false. With rows
// the Function fills Arrow structs too.
func newIteration(lazy bool, rows *rowLoop, loop func(it *iteration, yield func(v abi.Any, err error) bool)) (unsafe.Pointer, error) {
	it := &iteration{loop: loop, lazy: lazy, rows: rows, ready: spin.NewChannel[struct{}](), resume: spin.NewChannel[bool](),
		done: make(chan struct{}), ctx: holdContext()}
	ref := &iterationRef{it}
	runtime.AddCleanup(ref, (*iteration).stop, it)
	made, share, err := sharingFunc("iterator", func(args []abi.Any, result *abi.Any) error {
		defer runtime.KeepAlive(ref)
		switch {
		case len(args) == 0:
			return ref.next(result)
		case args[0].TypeIndex == abi.IndexInt:
			return ref.batch(args[0].Int64(), result)
		case len(args) > 1 && rows != nil:
			return ref.arrow(args, result)
		}
		ref.stop()
		*result = abi.None()
		return nil
	})
	it.share = share
	return made, err
}

// sharingFunc returns what nativeFunc returns for a func that keeps no handle, and the Share of the call whose result the Function is.
func sharingFunc(name string, call Invoker) (object unsafe.Pointer, share *handles.Share, err error) {
	share, err = handles.ShareScope(func() (err error) {
		object, err = nativeFunc(name, true, call)
		return err
	})
	return object, share, err
}

// nativeFunc returns an owned Function of a func that takes values as they are.
func nativeFunc(name string, keepsNoHandle bool, call Invoker) (unsafe.Pointer, error) {
	sig := &Signature{name: name, context: -1, keepsNoHandle: keepsNoHandle}
	c := &Closure{Sig: sig, Invoke: call, packed: true}
	return c.Function()
}

// next makes *result the next element. It fails with a StopIteration at the end, and with the error of a loop that fails.
func (it *iteration) next(result *abi.Any) error {
	made, err := it.take(1)
	if err != nil {
		return err
	}
	return made.first(result)
}

// batch makes *result an Array of the next elements, at least one and at most n. It fails as next does.
func (it *iteration) batch(n int64, result *abi.Any) error {
	if n < 1 {
		return fault.New("ValueError", "iterator: expected a number of elements from 1, got %d", n)
	}
	made, err := it.take(int(min(n, mostAhead)))
	if err != nil {
		return err
	}
	return made.array(result)
}

// take waits for the next elements, and returns at least one and at most n. The error of the loop comes after the
// elements that it yielded before.
func (it *iteration) take(n int) (batchOf, error) {
	it.caller.Lock()
	defer it.caller.Unlock()
	if it.lazy {
		n = 1
	}
	present, seen := it.ask(n)
	if !present {
		_, present = it.ready.Look(seen)
	}
	if !present {
		var late <-chan time.Time
		if n > 1 {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			late = timer.C
		}
		interrupted := WaitInterruptibly(func(tick <-chan time.Time) bool {
			for {
				select {
				case <-it.ready.Values():
					return true
				case <-late:
					if it.settle() {
						return true
					}
				case <-tick:
					return false
				}
			}
		})
		if interrupted != nil {
			it.settle() // the next call gets the elements
			return batchOf{}, interrupted
		}
	}
	return it.given(n)
}

// ask tells the loop that a caller waits for n elements. It returns true when there is something to take; else it
// returns how many values `ready` has had, from which the caller knows a new one.
func (it *iteration) ask(n int) (present bool, seen uint32) {
	it.mu.Lock()
	defer it.mu.Unlock()
	if len(it.made) > 0 || it.ended || it.stopped {
		return true, 0
	}
	seen = it.ready.Sent()
	select {
	case <-it.ready.Values(): // of a wait that was interrupted
	default:
	}
	it.want = n
	it.made = make([]abi.Any, 0, n)
	switch {
	case !it.started:
		it.started = true
		onWorker(it.run)
	case it.parked:
		it.parked = false
		it.resume.Send(true)
	}
	return false, seen
}

// settle makes the caller content with the elements that are there: it returns true if there are any, or if the loop has
// ended. Else the next element will do.
func (it *iteration) settle() bool {
	it.mu.Lock()
	defer it.mu.Unlock()
	if len(it.made) == 0 && !it.ended && !it.stopped {
		it.want = min(it.want, 1)
		return false
	}
	it.want = 0
	return true
}

// given takes at most n elements of those that were made.
func (it *iteration) given(n int) (batchOf, error) {
	it.mu.Lock()
	defer it.mu.Unlock()
	if it.stopped || len(it.made) == 0 {
		if it.failure == nil || it.stopped {
			return batchOf{}, stopIteration()
		}
		failure := it.failure
		it.failure = nil
		return batchOf{}, fault.Take(failure)
	}
	taken := batchOf{it.made, it.texts}
	if len(taken.items) > n {
		it.made = slices.Clone(taken.items[n:])
		taken.items = taken.items[:n]
		return taken, nil
	}
	it.made = nil
	if last := len(it.texts) - 1; last > 0 {
		it.texts = it.texts[last:] // which the loop goes on with
	}
	return taken, nil
}

func stopIteration() error { return fault.New("StopIteration", "") }

// run iterates on the goroutine of the loop. The loop of a func that keeps no handle keeps none either.
func (it *iteration) run() {
	var failure error
	extent := it.share.EnterLoop()
	defer func() {
		if r := recover(); r != nil {
			failure = fault.OfPanic(r)
		}
		var object unsafe.Pointer
		if failure != nil {
			object = fault.NewObject(failure, "")
		}
		it.share.LeaveLoop(extent)
		it.end(object)
	}()
	_ = it.ctx.context().during(func() error {
		it.loop(it, func(v abi.Any, err error) bool {
			if err != nil {
				failure = err
				return false
			}
			extent.Loosen() // what the loop has yielded and let go of shall be free before its end
			return it.put(v)
		})
		return nil
	})
}

// put hands an element over. It returns whether the loop goes on; until somebody wants more it waits.
func (it *iteration) put(v abi.Any) bool {
	it.mu.Lock()
	if it.stopped {
		it.mu.Unlock()
		values.Release(v)
		return false
	}
	it.made = append(it.made, v)
	if len(it.made) < it.want {
		it.mu.Unlock()
		return true
	}
	if it.want > 0 {
		it.want = 0
		it.ready.Send(struct{}{})
	}
	it.parked = true
	seen := it.resume.Sent()
	it.mu.Unlock()
	return it.resume.Receive(seen)
}

// end notes that the loop has ended, with an owned Error or nil.
func (it *iteration) end(failure unsafe.Pointer) {
	it.mu.Lock()
	it.ended = true
	if !it.stopped {
		it.failure, failure = failure, nil
	}
	if it.want > 0 {
		it.want = 0
		it.ready.Send(struct{}{})
	}
	it.mu.Unlock()
	close(it.done)
	it.ctx.end()
	handles.DecRef(failure)
}

// stop ends the loop: the iterator's yield returns false, and the context of its call ends. It releases what was made ahead. It
// waits until the loop has ended, so that what that refers to is free, but no longer than the patience: code that the loop still
// runs may wait for the caller.
func (it *iteration) stop() {
	it.mu.Lock()
	made, failure, runs := it.made, it.failure, it.started && !it.ended
	it.made, it.failure, it.stopped = nil, nil, true
	if !it.started {
		defer it.share.End()
	}
	if it.parked {
		it.parked = false
		it.resume.Send(false)
	}
	if it.want > 0 { // a caller on another thread waits: it finds the end
		it.want = 0
		it.ready.Send(struct{}{})
	}
	it.mu.Unlock()
	it.ctx.end()
	values.ReleaseAll(made)
	handles.DecRef(failure)
	if runs {
		select {
		case <-it.done:
		case <-time.After(patience):
		}
	}
}

// receive makes *result the next value of a channel, converted; at its end it fails with a StopIteration.
func receive(ch reflect.Value, element *convert.Conv, result *abi.Any) error {
	got, open, err := received(ch)
	if err != nil {
		return err
	}
	if !open {
		return stopIteration()
	}
	return element.To(addressable(got), result)
}

// receiveBatch makes *result an Array of the next values of a channel: the first, and at most n with those that are there.
// It fails as receive does; the error of a value that comes after others is `after`, for the next call.
func receiveBatch(ch reflect.Value, element *convert.Conv, n int64, result *abi.Any) (err, after error) {
	var made []abi.Any
	defer func() { values.ReleaseAll(made) }()
	got, open, err := received(ch)
	for open && err == nil {
		var v abi.Any
		if err = element.To(addressable(got), &v); err != nil {
			break
		}
		if made = append(made, v); int64(len(made)) >= min(n, mostAhead) {
			break
		}
		got, open = ch.TryRecv() // open is false as well when nothing is there
	}
	if len(made) == 0 {
		return cmp.Or(err, stopIteration()), nil
	}
	after = err
	return values.PutContainer(abi.IndexArray, made, result), after
}

// received waits for the next value of a channel; open is false at its end.
func received(ch reflect.Value) (got reflect.Value, open bool, err error) {
	err = WaitInterruptibly(func(tick <-chan time.Time) bool {
		cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(tick)}}
		chosen, value, isOpen := reflect.Select(cases)
		if chosen == 0 {
			got, open = value, isOpen
		}
		return chosen == 0
	})
	return got, open, err
}
