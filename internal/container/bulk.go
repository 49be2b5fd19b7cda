package container

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Plan is the memory that a map made with all its entries at once needs: the sizes of the object and of its buffer, 0
// for none.
type Plan struct {
	Object, Buffer uintptr
	buckets        uint64
	shift          uint32
}

// PlanFor returns the plan for a number of entries.
func PlanFor(entries int) Plan {
	if entries < smallMax {
		return Plan{Object: smallSize}
	}
	buckets, shift := tableSize(uint64(entries))
	return Plan{denseSize, bufferSize(buckets), buckets, shift}
}

// Fill fills a new map, whose object and buffer (from NewBuffer) have the sizes of its plan, with alternating owned keys
// and values. It takes over their references, also when it fails; then the map is valid but lacks some entries. Of equal
// keys the last value is kept.
func (h *Host) Fill(handle, buffer unsafe.Pointer, plan Plan, items []abi.Any) error {
	c := MapOf(handle)
	if plan.Buffer == 0 {
		c.Data, c.Size, c.Capacity, c.DataDeleter = uintptr(handle)+smallPairs, 0, smallTag|smallMax, 0
		if len(items) <= 2*smallFirst {
			c.Capacity = smallTag | smallFirst
		} else if len(items) == 6 {
			c.Capacity = smallTag | 3
		}
	} else {
		t := table{data: buffer, buckets: plan.buckets, shift: plan.shift, head: NoBucket, tail: NoBucket}
		for bucket := uint64(0); bucket < t.buckets; bucket += blockBuckets {
			setEmpty(t.control(bucket))
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

// pushSmall appends an entry to a small map. It returns false, having done nothing, when Set must store the entry.
func (h *Host) pushSmall(c *Cell, key, value abi.Any) bool {
	if c.Size >= c.smallRoom() || hook(h.EqualColumn, key.TypeIndex).TypeIndex != abi.IndexNone {
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

// fillTable puts entries into a new table as long as each finds an empty bucket at once, and returns the others.
func (h *Host) fillTable(t *table, items []abi.Any) []abi.Any {
	for ; len(items) >= 2; items = items[2:] {
		key := &items[0]
		if key.TypeIndex >= abi.IndexStaticObjectBegin && hook(h.HashColumn, key.TypeIndex).TypeIndex != abi.IndexNone ||
			hook(h.EqualColumn, key.TypeIndex).TypeIndex != abi.IndexNone {
			return items
		}
		bucket := t.home(Hash(key))
		control, jump := t.control(bucket), uint8(0)
		switch {
		case *control == controlEmpty:
			*control = 0
		case *control&controlMember != 0 || t.isFull():
			return items
		default:
			last := bucket
			for ok := true; ok; bucket, ok = t.follow(last) {
				if Equal(&t.at(bucket).Key, key) {
					return items
				}
				last = bucket
			}
			for jump = 1; jump <= lastJump; jump++ {
				if bucket = t.target(last, jump); *t.control(bucket) == controlEmpty {
					break
				}
			}
			if jump > lastJump {
				return items
			}
			*t.control(bucket) = controlMember
			t.setJump(last, jump)
		}
		t.at(bucket).Pair = Pair{items[0], items[1]}
		t.pushBack(bucket)
		t.size++
	}
	return items
}
