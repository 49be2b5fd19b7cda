package python

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/selfsame-ffi/selfsame"
)

// calls numbers the calls that a context can end.
var calls atomic.Int64

// CallContext calls the object as [Object.Call] does, and ends the call when ctx is done, also in the midst of a loop of
// Python code: the thread raises an exception before its next instruction, derived from KeyboardInterrupt. A call that
// waits for its place ends at once. Code in C that runs is not interrupted: the call ends when that returns to Python.
// The error is then the context's cause, which errors.Is finds, with the traceback of where Python was.
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
	if ctx.Err() != nil {
		return nil, ended(ctx, nil)
	}
	if places.enter(ctx) != nil {
		return nil, ended(ctx, nil)
	}
	defer places.leave()
	number := calls.Add(1)
	keywords, _ := lastKeywords(args)
	// The func below needs no place: without it the thread could not be told to give up its own.
	stop := context.AfterFunc(ctx, func() { _, _ = services.interrupt.Call(number) })
	defer stop()
	made, err := plainResult[*Object](service, append([]any{number}, withKeywords(before, args, keywords)...))
	err = fromPython(err)
	if err != nil && ctx.Err() != nil && Is(err, "ContextDone") {
		return nil, ended(ctx, err)
	}
	return made, err
}

// ended makes the error of a call whose context is done.
func ended(ctx context.Context, raised error) error {
	cause := context.Cause(ctx)
	if raised == nil {
		return fmt.Errorf("python: the call has not begun: %w", cause)
	}
	return fmt.Errorf("python: the call was interrupted: %w: %w", cause, raised)
}

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
		return nil, ended(ctx, fromPython(came.err))
	}
	return came.value, fromPython(came.err)
}
