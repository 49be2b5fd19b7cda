package container

import (
	"slices"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// A List keeps its elements in a buffer. When C++ code grows a List, it frees the old buffer with the stored deleter and
// stores memory from its operator new, without replacing the deleter. Reserve replaces both.

const elementSize = unsafe.Sizeof(abi.Any{})

// elements views the whole buffer of a sequence.
func elements(c *abi.SeqCell, n int64) []abi.Any {
	if n <= 0 || c.Data == nil {
		return nil
	}
	return unsafe.Slice((*abi.Any)(c.Data), n)
}

// Reserve makes room for n elements in total.
func (h *Host) Reserve(list unsafe.Pointer, n int64) error {
	c := abi.SeqOf(list)
	if n <= c.Capacity {
		return nil
	}
	if n > int64(maxBuffer/elementSize) {
		return ErrTooLarge
	}
	data, err := h.NewBuffer(uintptr(n) * elementSize)
	if err != nil {
		return err
	}
	copy(unsafe.Slice((*abi.Any)(data), n), c.Items())
	oldData, oldDeleter := c.Data, c.DataDeleter
	*(*uintptr)(unsafe.Pointer(&c.Data)) = uintptr(data)
	c.Capacity, c.DataDeleter = n, h.BufferDeleter
	if oldDeleter != 0 {
		h.CallDeleter(oldDeleter, oldData)
	}
	return nil
}

// grow makes room for more elements; the capacity at least doubles.
func (h *Host) grow(list unsafe.Pointer, more int64) error {
	c := abi.SeqOf(list)
	needed := c.Size + more
	if needed < 0 {
		return ErrTooLarge
	}
	if needed <= c.Capacity {
		return nil
	}
	if c.Capacity < int64(maxBuffer/elementSize)/2 {
		needed = max(needed, 2*c.Capacity)
	}
	return h.Reserve(list, needed)
}

// Replace replaces the elements from start to stop, which must lie within the List, by values.
func (h *Host) Replace(list unsafe.Pointer, start, stop int64, values []abi.Any) error {
	more := int64(len(values)) - (stop - start)
	if err := h.grow(list, more); err != nil {
		for _, v := range values {
			h.Release(v)
		}
		return err
	}
	c := abi.SeqOf(list)
	gone := slices.Clone(c.Items()[start:stop])
	all := elements(c, c.Size+max(more, 0))
	if len(all) != 0 {
		copy(all[start+int64(len(values)):], all[stop:c.Size])
		copy(all[start:], values)
	}
	c.Size += more
	for _, v := range gone {
		h.Release(v)
	}
	return nil
}

// Append adds a value at the end.
func (h *Host) Append(list unsafe.Pointer, value abi.Any) error {
	if err := h.grow(list, 1); err != nil {
		h.Release(value)
		return err
	}
	c := abi.SeqOf(list)
	c.Size++
	c.Items()[c.Size-1] = value
	return nil
}

// SetItem replaces the element at an index within the List.
func (h *Host) SetItem(list unsafe.Pointer, i int64, value abi.Any) {
	item := &abi.SeqOf(list).Items()[i]
	old := *item
	*item = value
	h.Release(old)
}

// Take removes the element at an index within the List. The caller owns it.
func Take(list unsafe.Pointer, i int64) abi.Any {
	c := abi.SeqOf(list)
	items := c.Items()
	taken := items[i]
	copy(items[i:], items[i+1:])
	c.Size--
	return taken
}

// ClearList removes all elements. The memory stays.
func (h *Host) ClearList(list unsafe.Pointer) {
	c := abi.SeqOf(list)
	gone := slices.Clone(c.Items())
	c.Size = 0
	for _, v := range slices.Backward(gone) {
		h.Release(v)
	}
}

// Reverse reverses the order of the elements.
func Reverse(list unsafe.Pointer) { slices.Reverse(abi.SeqOf(list).Items()) }
