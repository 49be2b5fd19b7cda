package python

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame"
)

// calls numbers the calls that a context can end.
var calls atomic.Int64

// CallContext calls the object as [Object.Call] does, and ends the call when ctx is done, also in the midst of a loop of
// Python code: the thread raises an exception before its next instruction, derived from KeyboardInterrupt. A call that
// waits for its place ends at once. Code in C that runs is not interrupted: the call ends when that returns to Python.
// The error is then the context's cause, which errors.Is finds, with the traceback of where Python was. A Go func that returns
// it to Python raises what the cause is there, such as a TimeoutError.
func (o *Object) CallContext(ctx context.Context, args ...any) (*Object, error) {
	return interruptible(ctx, services.callInterruptible, []any{o}, args)
}

// CallMethodContext calls a method as [Object.CallMethod] does, and ends the call as [Object.CallContext] does.
func (o *Object) CallMethodContext(ctx context.Context, name string, args ...any) (*Object, error) {
	return interruptible(ctx, services.callMethodInterruptible, []any{o, name}, args)
}

func interruptible(ctx context.Context, service *selfsame.Function, before, args []any) (*Object, error) {
	if err := services.ready(); err != nil {
		return nil, err
	}
	keywords, _ := lastKeywords(args)
	number := calls.Add(1)
	args = append([]any{number}, withKeywords(before, args, keywords)...)
	if ctx.Err() != nil || places.enter(ctx) != nil {
		return nil, fmt.Errorf("python: the call has not begun: %w", context.Cause(ctx))
	}
	made, others, err := watched(ctx, number, service, args)
	places.leave()
	if err = fromPython(err); ctx.Err() == nil || err == nil && !others {
		return made, err
	}
	isDone := isContextDone(err)
	if !others {
		if isDone {
			err = &interrupted{context.Cause(ctx), err}
		}
		return nil, err
	}
	if !isDone {
		err = selfsame.Errorf(contextDone, "")
	}
	return nil, fmt.Errorf("python: the call was interrupted: %w: %w", context.Cause(ctx), err)
}

// contextDone is the kind of the exception that ends a call.
const contextDone = "selfsame.host.ContextDone"

// isContextDone does not ask Python, where the call could take another such exception.
func isContextDone(err error) bool {
	var raised *selfsame.Error
	return errors.As(err, &raised) && raised.Kind == contextDone
}

// watched calls a service, and interrupts the call when ctx is done. others says that a call around it, of the same thread, is
// interrupted too: this one may have taken the exception that is for both, so its error has to end that call.
func watched(ctx context.Context, number int64, service *selfsame.Function, args []any) (made *Object, others bool, err error) {
	runtime.LockOSThread() // the exception is for the thread
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	// The func below needs no place: without it the thread could not be told to give up its own.
	stop := context.AfterFunc(ctx, func() {
		_, _ = services.interrupt.Call(number)
		close(done)
	})
	made, err = plainResult[*Object](service, args)
	if !stop() { // the interrupt may come before the call or after it
		<-done
		var failed error
		for range 2 { // the exception may come only now; a second one is that of a call around this one
			if others, failed = plainResult[bool](services.forget, []any{number}); !isContextDone(failed) {
				return made, others, err
			}
		}
		others = true
	}
	return made, others, err
}

// interrupted is the error of a call that its own context ended. Code that gets it, also Python's, sees the context's error;
// errors.As finds the exception with the traceback.
type interrupted struct{ cause, raised error }

func (e *interrupted) Error() string {
	return fmt.Sprintf("python: the call was interrupted: %v: %v", e.cause, e.raised)
}

func (e *interrupted) Unwrap() error { return e.cause }

func (e *interrupted) As(target any) bool { return errors.As(e.raised, target) }

// Await awaits a coroutine, a future or a task, on an event loop that all awaits share and that a thread of its own runs. The
// goroutine waits in Go. When ctx is done, the task is cancelled, and Await returns its error when the task has ended.
func (o *Object) Await(ctx context.Context) (*Object, error) {
	type outcome struct {
		value *Object
		err   error
	}
	done := make(chan outcome, 1)
	task, err := object(services.await, o, func(value *Object, err error) { done <- outcome{value, err} })
	if err != nil {
		return nil, err
	}
	var came outcome
	select {
	case came = <-done:
	case <-ctx.Done():
		if err := do(services.cancel, task); err != nil {
			return nil, err
		}
		came = <-done
	}
	if came.err != nil && ctx.Err() != nil && Is(came.err, "CancelledError") {
		return nil, &interrupted{context.Cause(ctx), fromPython(came.err)}
	}
	return came.value, fromPython(came.err)
}
