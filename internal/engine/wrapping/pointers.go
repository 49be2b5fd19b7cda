package wrapping

import (
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
)

// pointerIdentity is an identity without a value. Its hash takes a few instructions, where a map would call a function.
type pointerIdentity struct {
	pointer uintptr
	number  uint64 // of what the pointer is: see numberOf
}

// numberOf returns a number for a class, and for what else tells objects at one address apart. It is the same in all processes, as
// methods say it in their metadata.
func numberOf(names ...string) uint64 {
	h := fnv.New64a()
	for _, name := range names {
		_, _ = io.WriteString(h, name+"\x00")
	}
	return h.Sum64()>>1 | 1 // an int64 of JSON, and never 0
}

// pointerTable has the boxes of pointer identities. Go uses it under the mutex of identities, and changes it under the lock as well; C,
// which looks pointers up in it (go_memory.c), has the lock alone.
type pointerTable struct {
	lock  atomic.Uint32 // 1 while C looks, or Go makes a change
	mask  uint64
	first *pointerSlot // of mask + 1; nil: there are none
	slots []pointerSlot
	used  int
}

// pointerSlot is an entry: none where native is 0.
type pointerSlot struct {
	pointerIdentity
	native uintptr // the box's object
	box    *Box
}

// The head of a table, and a slot, are what C takes them for.
var (
	_ = [1]struct{}{}[unsafe.Offsetof(pointerTable{}.mask)-bridge.TableMaskAt]
	_ = [1]struct{}{}[unsafe.Offsetof(pointerTable{}.first)-bridge.TableFirstAt]
	_ = [1]struct{}{}[unsafe.Offsetof(pointerSlot{}.native)-bridge.SlotNativeAt]
	_ = [1]struct{}{}[unsafe.Sizeof(pointerSlot{})-bridge.SlotSize]
)

func (k pointerIdentity) place(mask uint64) uint64 {
	return (uint64(k.pointer) ^ k.number) * bridge.TableFactor >> 32 & mask
}

// find returns the slot of an identity: its own, or the free one that it would get. There must be slots.
func (t *pointerTable) find(k pointerIdentity) *pointerSlot {
	i := k.place(t.mask)
	for t.slots[i].native != 0 && t.slots[i].pointerIdentity != k {
		i = (i + 1) & t.mask
	}
	return &t.slots[i]
}

func (t *pointerTable) get(k pointerIdentity) *Box {
	if t.used == 0 {
		return nil
	}
	return t.find(k).box
}

// change calls do under the lock. C has it for some instructions, in which it waits for nothing.
func (t *pointerTable) change(do func()) {
	for !t.lock.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
	do()
	t.lock.Store(0)
}

// set makes b, which has an object, the box of an identity.
func (t *pointerTable) set(k pointerIdentity, b *Box) {
	t.change(func() {
		if t.used >= len(t.slots)/2 {
			t.grow()
		}
		slot := t.find(k)
		if slot.native == 0 {
			t.used++
		}
		*slot = pointerSlot{k, b.native, b}
	})
}

func (t *pointerTable) grow() {
	old := t.slots
	t.slots = make([]pointerSlot, max(64, 2*len(old)))
	t.first, t.mask = &t.slots[0], uint64(len(t.slots)-1)
	for _, slot := range old {
		if slot.native != 0 {
			*t.find(slot.pointerIdentity) = slot
		}
	}
}

// remove forgets the box of an identity. What had to give way to it moves up, so that it is found.
func (t *pointerTable) remove(k pointerIdentity) {
	if t.used == 0 {
		return
	}
	t.change(func() {
		if t.find(k).native == 0 {
			return
		}
		t.used--
		free := k.place(t.mask)
		for t.slots[free].pointerIdentity != k {
			free = (free + 1) & t.mask
		}
		for i := (free + 1) & t.mask; t.slots[i].native != 0; i = (i + 1) & t.mask {
			if wanted := t.slots[i].place(t.mask); (i-wanted)&t.mask >= (i-free)&t.mask {
				t.slots[free], free = t.slots[i], i
			}
		}
		t.slots[free] = pointerSlot{}
	})
}

// all returns the boxes.
func (t *pointerTable) all() iter.Seq[*Box] {
	return func(yield func(*Box) bool) {
		for _, slot := range t.slots {
			if slot.native != 0 && !yield(slot.box) {
				return
			}
		}
	}
}

var numbered sync.Map // number -> the reflect.Type that has it

// NumberOf returns the number of values of a type that a class shows where they are. It is 0 where another type has that number: package
// reflect does not tell types apart that funcs declare.
func NumberOf(class *typetable.Class, t reflect.Type) uint64 {
	number := numberOf(class.TypeKey(), textOf(t))
	if has, _ := numbered.LoadOrStore(number, t); has != t {
		return 0
	}
	return number
}

// textOf returns a type's text with the import paths of the types that it is made of, where its own text has the names of packages.
func textOf(t reflect.Type) string {
	if t.Name() != "" {
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), textOf(t.Elem()))
	case reflect.Map:
		return "map[" + textOf(t.Key()) + "]" + textOf(t.Elem())
	case reflect.Slice:
		return "[]" + textOf(t.Elem())
	case reflect.Pointer:
		return "*" + textOf(t.Elem())
	case reflect.Struct:
		text := "struct{"
		for i := range t.NumField() {
			f := t.Field(i)
			text += fmt.Sprintf("%s.%s %t %s %q;", f.PkgPath, f.Name, f.Anonymous, textOf(f.Type), f.Tag)
		}
		return text + "}"
	}
	return t.String()
}
