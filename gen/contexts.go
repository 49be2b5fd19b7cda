package gen

import (
	"context"
	"time"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// endable is a context that ends when its cancel is called. It is found from the contexts that are derived from it.
type endable struct {
	context.Context
	cancel context.CancelCauseFunc
}

// endableKey is the key under which a context has the nearest endable one, itself or an ancestor.
type endableKey struct{}

// Value implements context.Context.
func (e *endable) Value(key any) any {
	if key == (endableKey{}) {
		return e
	}
	return e.Context.Value(key)
}

// NewContext returns a context that [EndContext] ends, and that ends with its parent, or after the timeout if there is one. A nil
// parent is context.Background(). `selfsame-ffi wrap` writes a class whose constructor calls it. Any goroutine may call it.
func NewContext(parent context.Context, timeout selfsame.Optional[Timeout]) context.Context {
	if parent == nil {
		parent = context.Background()
	}
	ctx, cancel := context.WithCancelCause(parent)
	if !timeout.OK {
		return &endable{ctx, cancel}
	}
	limited, stop := context.WithTimeout(ctx, time.Duration(timeout.Value))
	return &endable{limited, func(cause error) {
		cancel(cause)
		stop()
	}}
}

// EndContext ends a context that [NewContext] has made, or the nearest such ancestor of another context, for a cause, which may be
// nil. It returns a TypeError for a context that has none. Any goroutine may call it, also more than once.
func EndContext(ctx context.Context, cause error) error {
	made, ok := ctx.Value(endableKey{}).(*endable)
	if !ok {
		return fault.New("TypeError", "cancel: expected a context that was made here, or one derived from it, got %T", ctx)
	}
	made.cancel(cause)
	return nil
}

// Why a wrapped call's context outlives the call. In a hand-written package a context ends with the call. The generator
// cannot do that: a library may keep a context in what it returns, as a request, a span or an interpreter does, and
// would find it ended. So During gives the Go func a context of its own that only Ctrl-C and the end of the asyncio
// task end, and only during the call. The price is that a goroutine which the library starts for a call ends when the
// library ends it, or when Python ends a context that it passed.
//
// A context that Python passes reaches Go itself, not one derived from it for the call. A derived one would have to
// stay registered with its parent as long as the library may keep it, which nobody knows: a long-lived context would
// gather one for each call. Therefore Ctrl-C during a call ends the context that the call got, also for other calls
// that share it.

// During returns the context that the Go func gets which a call calls. It is given, or a new one for nil. When call, the context of
// the call itself, ends before end is called, so does it, if [EndContext] can end it. It does not end with the call: what the func
// returns may keep it, as a request does. `selfsame-ffi wrap` writes such calls. Any goroutine may call both.
func During(call, given context.Context) (ctx context.Context, end func()) {
	if given == nil {
		given = NewContext(context.Background(), selfsame.Optional[Timeout]{})
	}
	stop := context.AfterFunc(call, func() {
		_ = EndContext(given, context.Cause(call)) // one that Go has made ends as Go decides
	})
	return given, func() { stop() }
}

// Stopping has stop called when call ends, the context of the call itself: stop ends the method that the call waits for, as Close ends
// Serve. end keeps it from that, and is called when the method has returned. A panic of stop, which may have been called before,
// changes nothing. `selfsame-ffi wrap` writes such calls. Any goroutine may call both.
func Stopping(call context.Context, stop func()) (end func()) {
	kept := context.AfterFunc(call, func() {
		defer func() { _ = recover() }()
		stop()
	})
	return func() { kept() }
}
