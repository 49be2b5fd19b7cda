package call

import (
	"iter"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/goroutine"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// Steps is a result that is an iterator whose elements come one at a time: each call returns the next one, whether there was one, and an
// error, which ends it. Unlike an iter.Seq it has no loop of its own. So it runs on the thread of its caller and only when it is
// asked, for the price of a call. The caller cannot interrupt a step.
type Steps[T any] func() (value T, more bool, err error)

// NewConv implements Converter.
func (Steps[T]) NewConv() (*convert.Conv, error) {
	t := reflect.TypeFor[T]()
	inner, c, err := iteratorConv([]reflect.Type{t}, convert.For)
	if err != nil {
		return nil, err
	}
	c.OnlyResult = "can only be a result; take an iter.Seq[" + t.String() + "], which accepts any iterable"
	c.From = func(v *abi.Any, _ unsafe.Pointer) error { return convert.Mismatched(v) }
	c.To = func(src unsafe.Pointer, v *abi.Any) error {
		s := &stepper[T]{next: *(*Steps[T])(src), element: inner[0], ctx: holdContext()}
		object, share, err := sharingFunc("iterator", s.call)
		if err != nil {
			s.ctx.end()
			return err
		}
		s.share = share
		*v = abi.ObjectValue(object)
		return convert.Repack(v, "iter")
	}
	if convert.RowsForm(reflect.SliceOf(t)) != nil { // its elements become columns too, which a loop fills
		rows := seqToNative(reflect.TypeFor[iter.Seq2[T, error]](), inner, true, true)
		c.To = func(src unsafe.Pointer, v *abi.Any) error {
			seq := (*(*Steps[T])(src)).All()
			return rows(unsafe.Pointer(&seq), v)
		}
		c.Schema = func() string { return rowsSchema("go.Iterator", inner[0]) }
	}
	return c, nil
}

// All returns the loop over the elements, whose steps can be interrupted.
func (next Steps[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			value, more, err := next()
			if !more && err == nil || !yield(value, err) || err != nil {
				return
			}
		}
	}
}

// stepper is the state of an iterator of Steps.
type stepper[T any] struct {
	next    Steps[T]
	element *convert.Conv
	share   *handles.Share // set before any other code has the Function
	ctx     *heldContext
	mu      sync.Mutex
	inside  atomic.Uintptr // the goroutine that has mu, 0 for none
	ended   bool           // guarded by mu
}

// call does what the Function of an iterator does (newIteration); it makes one element, however many are asked for.
func (s *stepper[T]) call(args []abi.Any, result *abi.Any) (err error) {
	caller := goroutine.Current()
	if s.inside.Load() == caller {
		return fault.New("ValueError", "iterator: what makes its next element asks for that element")
	}
	s.mu.Lock()
	s.inside.Store(caller)
	defer func() {
		s.inside.Store(0)
		s.mu.Unlock()
	}()
	stops := len(args) > 0 && args[0].TypeIndex != abi.IndexInt
	if !stops && !s.ended {
		var element abi.Any
		var more bool
		if element, more, err = s.step(); more {
			return given(element, args, result)
		}
	}
	if !s.ended {
		s.ended = true
		s.share.End()
		s.ctx.end()
	}
	if stops {
		*result = abi.None()
		return nil
	}
	if err == nil {
		err = stopIteration()
	}
	return err
}

// step returns the next element, owned. A panic is an error: it ends the iterator too.
func (s *stepper[T]) step() (element abi.Any, more bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			more, err = false, fault.OfPanic(r)
		}
	}()
	value, more, err := s.next()
	if err != nil || !more {
		return element, false, err
	}
	if err = s.element.To(unsafe.Pointer(&value), &element); err != nil {
		return element, false, inIterator(err)
	}
	return element, true, nil
}

// given makes *result an owned element, or an Array of it where a number of elements was asked for.
func given(element abi.Any, args []abi.Any, result *abi.Any) error {
	if len(args) == 0 {
		*result = element
		return nil
	}
	one := []abi.Any{element}
	defer values.ReleaseAll(one)
	return values.PutContainer(abi.IndexArray, one, result)
}
