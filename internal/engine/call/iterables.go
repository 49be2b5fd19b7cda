package call

import (
	"runtime"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
)

// mostOfPython is the most elements that an iterable of Python makes ahead of a loop in Go.
const mostOfPython = 256

// iterate returns a func that calls use with each element of a borrowed value, until use returns false. The value is an
// Array or List, a Map or Dict (its keys), a Tensor of one dimension, any other iterable of Python, or a Function like that of
// newIteration. The elements of an iterable of Python are made ahead where Python allows it, unless lazy is true. The result
// keeps the value alive.
func iterate(v *abi.Any, pairs, lazy bool) (func(use func(item *abi.Any) bool) error, error) {
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		return iterateSequence(handles.Fetch(v.Pointer())), nil
	case abi.IndexMap, abi.IndexDict:
		return iterateMap(handles.Fetch(v.Pointer()), pairs), nil
	case abi.IndexFunction:
		return iterateFunction(handles.Fetch(v.Pointer())), nil
	case abi.IndexTensor:
		return iterateVector(handles.Fetch(v.Pointer()))
	}
	how, err := convert.Unpack("iter", v, abi.Bool(lazy))
	if err != nil {
		return nil, err
	}
	if how.TypeIndex != abi.IndexArray {
		return iterateFunction(handles.FetchOwned(how.Pointer())), nil
	}
	defer values.Release(how)
	return iterateBatches(handles.Fetch(abi.SeqOf(how.Pointer()).Items()[0].Pointer())), nil
}

// iterateBatches iterates over an iterable of Python that may be asked for elements ahead of the loop. It asks take for Arrays of
// elements: for one at first, then for twice as many each time, up to mostOfPython. A source that is slow returns fewer, and is
// then asked for as many as it had; at the end it returns none.
func iterateBatches(take *handles.State) func(use func(item *abi.Any) bool) error {
	return func(use func(item *abi.Any) bool) error {
		for n := 1; ; {
			batch, err := values.CallValues(take, []abi.Any{abi.Int(int64(n))})
			if err != nil {
				return err
			}
			got, more, err := useAll(&batch, use)
			if got == 0 || !more || err != nil {
				return err
			}
			if got == n {
				got *= 2
			}
			n = min(got, mostOfPython)
		}
	}
}

// useAll calls use with the elements of an owned Array, until use returns false, and releases it. It returns how many elements
// the Array has; more is what use returned last.
func useAll(batch *abi.Any, use func(item *abi.Any) bool) (n int, more bool, err error) {
	defer values.Release(*batch)
	if batch.TypeIndex != abi.IndexArray {
		return 0, false, fault.New("TypeError", "expected an Array of elements of the iterable, got %s", convert.ValueTypeKey(batch))
	}
	items := abi.SeqOf(batch.Pointer()).Items()
	for i := range items {
		if !use(&items[i]) {
			return len(items), false, nil
		}
	}
	return len(items), true, nil
}

func iterateSequence(h *handles.State) func(use func(item *abi.Any) bool) error {
	return func(use func(item *abi.Any) bool) error {
		defer runtime.KeepAlive(h)
		item := new(abi.Any) // for all elements; a List may change while one is used
		for i := 0; ; i++ {
			items := abi.SeqOf(h.Address()).Items() // a List may have changed
			if i >= len(items) {
				return nil
			}
			*item = items[i]
			if !use(item) {
				return nil
			}
		}
	}
}

// iterateVector goes over the numbers of a Tensor, such as a NumPy array.
func iterateVector(h *handles.State) (func(use func(item *abi.Any) bool) error, error) {
	numbers, err := convert.VectorOf(abi.TensorOf(h.Address()))
	if err != nil {
		return nil, err
	}
	return func(use func(item *abi.Any) bool) error {
		defer runtime.KeepAlive(h)
		item := new(abi.Any) // for all elements
		for i := range numbers.Len {
			number, err := numbers.At(i)
			if err != nil {
				return err
			}
			*item = number
			if !use(item) {
				return nil
			}
		}
		return nil
	}, nil
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
				if err := values.PutContainer(abi.IndexArray, entries[i:i+2], &item); err != nil {
					return err
				}
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
