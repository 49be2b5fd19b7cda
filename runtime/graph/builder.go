package graph

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/abi/container"
	"github.com/selfsame-ffi/selfsame/abi/plane"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
)

// Builder makes a value of Arrays, Maps and strings from the inside out. Values are pushed one after the other, and a
// container is made of the last ones. Objects are made many at a time, in one crossing into C: until then a promise
// stands for each of them.
type Builder struct {
	vals     []abi.Any // values whose container is still open, promises among them
	settled  int       // how many of them are known to be no promises
	promises []promise
	makes    []plane.Make // one for each promise
	kids     []abi.Any    // elements of the promised containers
	keys     *keyCache
}

// promise is an object to be made.
type promise struct {
	text   []byte // of a string
	plan   container.Plan
	kids   int  // of a container: where its elements begin
	n      int  // and how many there are
	shared bool // a key that the cache holds: each use takes a reference of its own
}

// promised is the type index of a value that is a promise; its payload is the number.
const promised int32 = -1000

// flushAt is how many promises there may be.
const flushAt = 2048

// key is a remembered property name: objects in an array tend to have the same ones.
type key struct {
	text  []byte
	value abi.Any // a promise, or a string that the cache holds a reference to
}

const keyCacheSize = 256

// keyCache is where the keys of one Builder are remembered. It is large, so it serves one after the other: used are the
// slots to be emptied before.
type keyCache struct {
	slots [keyCacheSize]key
	used  []uint8
}

var keyCaches = sync.Pool{New: func() any { return new(keyCache) }}

// Push adds an owned value.
func (b *Builder) Push(v abi.Any) { b.vals = append(b.vals, v) }

// Len is how many values there are whose container is still open.
func (b *Builder) Len() int { return len(b.vals) }

func (b *Builder) promise(p promise, m plane.Make) abi.Any {
	b.promises = append(b.promises, p)
	b.makes = append(b.makes, m)
	return abi.Any{TypeIndex: promised, Bits: uint64(len(b.promises) - 1)}
}

func (b *Builder) promiseString(text []byte, shared bool) abi.Any {
	return b.promise(promise{text: text, shared: shared}, plane.Make{TypeIndex: int64(abi.IndexStr), Size: int64(len(text))})
}

// Str pushes a string; text must stay as it is until the end.
func (b *Builder) Str(text []byte) {
	if v, ok := abi.SmallStr(View(text)); ok {
		b.Push(v)
		return
	}
	b.Push(b.promiseString(text, false))
}

// Name pushes a string that may come many times; it is made once. text must stay as it is until the end.
func (b *Builder) Name(text []byte) {
	if v, ok := abi.SmallStr(View(text)); ok {
		b.Push(v)
		return
	}
	if b.keys == nil {
		b.keys = keyCaches.Get().(*keyCache)
	}
	slot := keySlot(text)
	k := &b.keys.slots[slot]
	if View(k.text) != View(text) {
		if k.text != nil {
			b.Str(text) // the slot is taken
			return
		}
		k.text = text
		k.value = b.promiseString(text, true)
		b.keys.used = append(b.keys.used, uint8(slot))
	}
	b.Push(Retain(k.value))
}

func keySlot(text []byte) uint64 {
	h := binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(text[len(text)-8:])<<1 ^ uint64(len(text))
	return h * 0x9e3779b97f4a7c15 >> 56
}

// Close makes a container of the last n values.
func (b *Builder) Close(index int32, n int) error {
	at := len(b.kids)
	from := len(b.vals) - n
	b.kids = append(b.kids, b.vals[from:]...)
	b.vals = b.vals[:from]
	b.settled = min(b.settled, from)
	p, m := promise{kids: at, n: n}, plane.Make{TypeIndex: int64(index), Size: int64(n)}
	if index == abi.IndexMap {
		p.plan = container.PlanFor(n / 2)
		m.Size, m.BufferSize = int64(p.plan.Object), int64(p.plan.Buffer)
	}
	b.Push(b.promise(p, m))
	if len(b.promises) >= flushAt {
		return b.flush()
	}
	return nil
}

// flush keeps all promises. When it fails, Abandon releases the rest.
func (b *Builder) flush() error {
	if !plane.NewObjects(b.makes) {
		return fault.ErrRaised
	}
	var failed error
	for i := range b.promises {
		p, m := &b.promises[i], &b.makes[i]
		if m.TypeIndex == int64(abi.IndexStr) {
			FillString(m.Object(), p.text)
			continue
		}
		kids := b.kids[p.kids : p.kids+p.n]
		for j := range kids {
			kids[j] = b.settle(kids[j])
		}
		if m.TypeIndex == int64(abi.IndexArray) {
			FillArray(m.Object(), kids)
		} else if err := Containers.Fill(m.Object(), m.Buffer(), p.plan, kids); err != nil {
			failed = err
		}
	}
	for i := b.settled; i < len(b.vals); i++ {
		b.vals[i] = b.settle(b.vals[i])
	}
	for _, slot := range b.usedKeys() {
		if k := &b.keys.slots[slot]; k.value.TypeIndex == promised {
			k.value = abi.ObjectValue(b.makes[k.value.Bits].Object())
		}
	}
	b.settled = len(b.vals)
	b.promises, b.makes, b.kids = b.promises[:0], b.makes[:0], b.kids[:0]
	return failed
}

// settle is the value itself, or the object that was promised.
func (b *Builder) settle(v abi.Any) abi.Any {
	if v.TypeIndex != promised {
		return v
	}
	object := b.makes[v.Bits].Object()
	if b.promises[v.Bits].shared {
		abi.IncRef(object)
	}
	return abi.ObjectValue(object)
}

// Finish gives the one value that is left.
func (b *Builder) Finish() (abi.Any, error) {
	if err := b.flush(); err != nil {
		b.Abandon()
		return abi.Any{}, err
	}
	root := b.vals[0]
	b.vals = b.vals[:0]
	b.Abandon()
	return root, nil
}

// Abandon releases everything that was made.
func (b *Builder) Abandon() {
	release := func(values []abi.Any) {
		for _, v := range values {
			if v.TypeIndex != promised {
				Release(v)
			}
		}
	}
	release(b.vals)
	release(b.kids)
	for _, slot := range b.usedKeys() {
		k := &b.keys.slots[slot]
		if k.value.TypeIndex != promised {
			Release(k.value)
		}
		*k = key{}
	}
	if b.keys != nil {
		b.keys.used = b.keys.used[:0]
		keyCaches.Put(b.keys)
	}
	*b = Builder{}
}

func (b *Builder) usedKeys() []uint8 {
	if b.keys == nil {
		return nil
	}
	return b.keys.used
}

// View is a string over bytes that must not change meanwhile.
func View(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

// Around puts what put pushes in front of the last value.
func (b *Builder) Around(put func()) {
	n := len(b.vals) - 1
	last := b.vals[n]
	b.vals = b.vals[:n]
	b.settled = min(b.settled, n)
	put()
	b.vals = append(b.vals, last)
}
