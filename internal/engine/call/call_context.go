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

// callContext is the context that a Go func gets from its call. It ends with the last of the call and of the iterators, channels
// and files that the func has returned, which may go on with it. RATIONALE.md, "When the context of a call ends"
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

// end ends the call's use of the context: after an error at once. A context that results may have, without the frontend knowing how
// long, does not end.
func (c *callContext) end(results bool, err error) {
	switch {
	case err != nil:
		c.cancel(nil)
	case !results:
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

// mayHaveContext says whether results of a type may go on with the context of the call that returned them, without the frontend
// knowing when they end: all but numbers, texts, times, iterators, channels, files, and what consists of these.
func mayHaveContext(t reflect.Type) bool { return hasMore(t, map[reflect.Type]bool{}) }

func hasMore(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Chan:
		return hasMore(t.Elem(), seen)
	case reflect.Map:
		return hasMore(t.Key(), seen) || hasMore(t.Elem(), seen)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return false
		}
		for i := range t.NumField() {
			if hasMore(t.Field(i).Type, seen) {
				return true
			}
		}
		return false
	case reflect.Func:
		elements := seqElements(t)
		for _, e := range elements {
			if e != convert.ErrorType && hasMore(e, seen) {
				return true
			}
		}
		return elements == nil
	case reflect.Interface:
		return !t.Implements(reflect.TypeFor[io.Reader]()) && !t.Implements(reflect.TypeFor[io.Writer]())
	}
	return t.Kind() > reflect.Complex128 && t.Kind() != reflect.String
}
