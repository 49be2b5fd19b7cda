package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Plan is the memory of a map that is made with all its entries at once: the object's size and that of its buffer, 0
// for none.
type Plan struct {
	Object, Buffer uintptr
	slots          uint64
	shift          uint32
}

// PlanFor is the memory for a number of entries.
func PlanFor(entries int) Plan {
	if entries < smallMax {
		return Plan{Object: smallSize}
	}
	slots, shift := tableSize(uint64(entries))
	return Plan{denseSize, bufferSize(slots), slots, shift}
}

// Fill sets up a new map whose object and buffer are what its plan asked for, with owned keys and values in turn, which
// it takes over; also when it fails, and then the map is whole but without some of them. Of equal keys the last value
// counts. The buffer came from NewBuffer.
func (h *Host) Fill(handle, buffer unsafe.Pointer, plan Plan, items []abi.Any) error {
	c := MapOf(handle)
	if plan.Buffer == 0 {
		c.Data, c.Size, c.Slots, c.DataDeleter = uintptr(handle)+smallPairs, 0, smallTag|smallMax, 0
		if len(items) <= 2*smallFirst {
			c.Slots = smallTag | smallFirst
		} else if len(items) == 6 {
			c.Slots = smallTag | 3
		}
	} else {
		t := table{data: buffer, slots: plan.slots, shift: plan.shift, head: NoSlot, tail: NoSlot}
		for slot := uint64(0); slot < t.slots; slot += blockSlots {
			setEmpty(t.state(slot))
		}
		c.DataDeleter = h.BufferDeleter
		items = h.fillTable(&t, items)
		c.store(&t)
	}
	for i := 0; i+1 < len(items); i += 2 {
		if c.IsSmall() && h.pushSmall(c, items[i], items[i+1]) {
			continue
		}
		if err := h.Set(handle, items[i], items[i+1]); err != nil {
			for _, a := range items[i+2:] {
				h.Release(a)
			}
			return err
		}
	}
	return nil
}

// pushSmall appends an entry to a small map. It says no when that is not the whole story.
func (h *Host) pushSmall(c *Cell, key, value abi.Any) bool {
	if c.Size >= c.smallSlots() || hook(h.EqualColumn, key.TypeIndex).TypeIndex != abi.IndexNone {
		return false
	}
	pairs := c.pairs()
	for i := range pairs {
		if Equal(&pairs[i].Key, &key) {
			return false
		}
	}
	*(*Pair)(unsafe.Add(pointerIn(&c.Data), uintptr(c.Size)*pairSize)) = Pair{key, value}
	c.Size++
	return true
}

// fillTable puts entries into a new table as long as each finds its place at once, and gives the others back.
func (h *Host) fillTable(t *table, items []abi.Any) []abi.Any {
	for ; len(items) >= 2; items = items[2:] {
		key := &items[0]
		if key.TypeIndex >= abi.IndexStaticObjectBegin && hook(h.HashColumn, key.TypeIndex).TypeIndex != abi.IndexNone ||
			hook(h.EqualColumn, key.TypeIndex).TypeIndex != abi.IndexNone {
			return items
		}
		slot := t.home(Hash(key))
		state, jump := t.state(slot), uint8(0)
		switch {
		case *state == slotEmpty:
			*state = 0
		case *state&memberBit != 0 || t.isFull():
			return items
		default:
			last := slot
			for ok := true; ok; slot, ok = t.follow(last) {
				if Equal(&t.item(slot).Key, key) {
					return items
				}
				last = slot
			}
			for jump = 1; jump <= lastJump; jump++ {
				if slot = t.target(last, jump); *t.state(slot) == slotEmpty {
					break
				}
			}
			if jump > lastJump {
				return items
			}
			*t.state(slot) = memberBit
			t.setJump(last, jump)
		}
		t.item(slot).Pair = Pair{items[0], items[1]}
		t.pushBack(slot)
		t.size++
	}
	return items
}
