package call

import (
	"context"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
)

// When the context of a call ends. A context that ends with the call is what a caller in Go has with `defer cancel()`.
// But what a Go func returns may go on with it: the loop of an iterator, the goroutine that sends to a channel, a file
// that is read from a connection. In Go the caller knows that and cancels later; Python has no such variable. So
// iterators, channels and files hold the context, and it ends when the last of them is closed or dropped. The frontend
// finds it by the goroutine that converts the results, as conversions have no argument for it. Nobody knows whether a
// func, an object or a value of an interface uses the context, or when that use ends. It keeps one that is never
// cancelled, which costs no more than context.Background().

// callContext is the context that a Go func gets from its call. It ends with the last of the call and of the iterators,
// channels and files that the func has returned, which may go on with it.
type callContext struct {
	context.Context
	cancel context.CancelCauseFunc
	users  atomic.Int64
}

// newCallContext makes the context of a call, which must call end.
func newCallContext() *callContext {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &callContext{Context: ctx, cancel: cancel}
	c.users.Store(1)
	return c
}

// end ends the call's use of the context: after an error at once, and never if results may go on with it freely.
func (c *callContext) end(uses *contextUses, err error) {
	switch {
	case err != nil:
		c.cancel(nil)
	case !uses.free:
		c.release()
	}
}

// value returns the context as an argument.
func (c *callContext) value() reflect.Value {
	ctx := context.Context(c)
	return reflect.ValueOf(&ctx).Elem()
}

func (c *callContext) release() {
	if c.users.Add(-1) == 0 {
		c.cancel(nil)
	}
}

// converting has the contexts of calls whose results goroutines convert just now, or of loops that goroutines run.
var converting struct {
	n  atomic.Int64
	mu sync.Mutex
	by map[uintptr]*callContext // by the goroutine's number; guarded by mu
}

// storing calls store, which converts results with these uses of the context.
func (c *callContext) storing(uses *contextUses, store func() error) error {
	if !uses.held || uses.free { // nothing holds it, or it does not end
		return store()
	}
	return c.during(store)
}

// during calls f, which makes iterators and their like that use the context. A nil callContext has none.
func (c *callContext) during(f func() error) error {
	if c == nil {
		return f()
	}
	g := goroutine.Current()
	outer := setConverting(g, c)
	converting.n.Add(1)
	defer func() {
		converting.n.Add(-1)
		setConverting(g, outer)
	}()
	return f()
}

func setConverting(g uintptr, c *callContext) (before *callContext) {
	converting.mu.Lock()
	defer converting.mu.Unlock()
	before = converting.by[g]
	switch {
	case c == nil:
		delete(converting.by, g)
	case converting.by == nil:
		converting.by = map[uintptr]*callContext{g: c}
	default:
		converting.by[g] = c
	}
	return before
}

// heldContext is the use of a callContext by what a func has returned.
type heldContext struct {
	of    *callContext
	ended atomic.Bool
}

// holdContext returns a use of the context of the call whose results the calling goroutine converts; nil when there is none.
func holdContext() *heldContext {
	if converting.n.Load() == 0 {
		return nil
	}
	converting.mu.Lock()
	defer converting.mu.Unlock()
	c := converting.by[goroutine.Current()]
	if c == nil {
		return nil
	}
	c.users.Add(1)
	return &heldContext{of: c}
}

// end ends the use. A second end does nothing, as on nil.
func (h *heldContext) end() {
	if h != nil && !h.ended.Swap(true) {
		h.of.release()
	}
}

// context returns the callContext, nil for nil.
func (h *heldContext) context() *callContext {
	if h == nil {
		return nil
	}
	return h.of
}

// contextUses says what results of some types may do with the context of the call that returned them.
type contextUses struct {
	held bool // iterators, channels and files, which hold it until they end
	free bool // what may go on with it without the frontend knowing until when: all else but numbers, texts, times and what has these
	seen map[reflect.Type]bool
}

func (u *contextUses) look(t reflect.Type) {
	if u.seen[t] {
		return
	}
	if u.seen == nil {
		u.seen = map[reflect.Type]bool{}
	}
	u.seen[t] = true
	switch t.Kind() {
	case reflect.Chan:
		u.held = true
		u.look(t.Elem())
	case reflect.Slice, reflect.Array, reflect.Pointer:
		u.look(t.Elem())
	case reflect.Map:
		u.look(t.Key())
		u.look(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range t.NumField() {
			u.look(t.Field(i).Type)
		}
	case reflect.Func:
		elements := seqElements(t)
		u.held = u.held || elements != nil
		u.free = u.free || elements == nil
		for _, e := range elements {
			if e != convert.ErrorType {
				u.look(e)
			}
		}
	case reflect.Interface:
		file := t.Implements(reflect.TypeFor[io.Reader]()) || t.Implements(reflect.TypeFor[io.Writer]())
		u.held = u.held || file
		u.free = u.free || !file
	default:
		u.free = u.free || t.Kind() > reflect.Complex128 && t.Kind() != reflect.String
	}
}
