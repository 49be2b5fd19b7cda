package call

import (
	"time"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/spin"
)

// A func whose first parameter is a context.Context is called with one that callers do not pass. It is cancelled when the
// calling Python thread has to end the call: for Ctrl-C on the main thread, and when the asyncio task is cancelled that
// awaits the call. It ends with the call or with what the call has returned (call_context.go).
//
// Only Python knows either, and only on the calling thread. So the func runs on another goroutine, while the calling
// thread waits for it and asks Python from time to time. A thread that nothing can interrupt calls the func itself, and so does
// any thread where the build knows that the func ends at once. The call does not return before the func does, because the func
// may use what the caller lent it.

// pollEvery is the time between two questions. Ctrl-C is promised to be answered within 100 ms.
const pollEvery = 20 * time.Millisecond

// withContext calls run, and returns its error; the error of Python when that cancelled the context. Panics of run, and
// runtime.Goexit, become errors. It returns after run has.
func (c *callContext) withContext(name string, run func() error) error {
	poll := convert.PythonPoll.Function()
	if poll == nil {
		return run()
	}
	if again, err := values.CallValues(poll, nil); err != nil {
		return err
	} else if never(again) {
		return run()
	}
	done, join := apart(onWorker, name, run)
	defer join()
	if err, found := done.Look(0); found {
		return err
	}
	var err error
	interrupted := whileWaiting(poll, func(tick <-chan time.Time) (over bool) {
		select {
		case err = <-done.Values():
			return true
		case <-tick:
			return false
		}
	})
	if interrupted != nil {
		c.cancel(interrupted)
		<-done.Values()
		return interrupted
	}
	return err
}

// apart calls run on another goroutine, that start finds, as a part of the call that the caller's is in. done gets the error of
// run; a panic and runtime.Goexit become errors. The caller must call join when it has got that: handles of the part are then the
// call's.
func apart(start func(part func()), name string, run func() error) (done *spin.Channel[error], join func()) {
	done = spin.NewChannel[error]()
	call := handles.InCall()
	begin, taken := goroutine.Part()
	var part *handles.Call
	start(func() {
		part = call.Branch()
		end := begin()
		err := error(fault.New("RuntimeError", "selfsame: runtime.Goexit in `%s`", name))
		defer func() {
			if r := recover(); r != nil {
				err = fault.OfPanic(r)
			}
			end()
			part.Detach()
			done.Send(err)
		}()
		err = run()
	})
	return done, func() {
		taken()
		call.Join(part)
	}
}

// whileWaiting calls wait, which returns true when what it waits for has happened and false when the tick comes first. After
// each tick it asks Python whether the call must end, and returns the exception for which it must. poll is convert.PythonPoll's
// function; nil, or an answer that no exception can come, ends the asking.
func whileWaiting(poll *handles.State, wait func(tick <-chan time.Time) (over bool)) error {
	if poll == nil {
		wait(nil)
		return nil
	}
	timer := time.NewTimer(pollEvery)
	defer timer.Stop()
	tick := timer.C
	for !wait(tick) {
		again, err := values.CallValues(poll, nil)
		if err != nil {
			return err
		}
		if never(again) {
			tick = nil
			continue
		}
		timer.Reset(pollEvery)
	}
	return nil
}

// WaitInterruptibly calls wait as whileWaiting does, for the calling thread.
func WaitInterruptibly(wait func(tick <-chan time.Time) (over bool)) error {
	return whileWaiting(convert.PythonPoll.Function(), wait)
}

// never reports whether Python answered that no exception can come.
func never(again abi.Any) bool { return again.TypeIndex == abi.IndexBool && again.Int64() == 0 }
