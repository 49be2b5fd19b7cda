package graph

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// Builder makes a value of Arrays, Maps and strings bottom-up, like a stack machine: Push, Str and Name push values, and
// Close replaces the last ones by a container of them. Finish returns the one value that is left; when a function fails,
// the caller must call Abandon instead.
//
// Objects are created many at a time, in one call into C. Until then, a placeholder stands for each of them.
type Builder struct {
	*room
	settled int // the first so many of stack are no placeholders
	names   *nameCache
}

// room is the memory of a Builder. It grows to some hundred kilobytes, so Builders reuse it.
type room struct {
	stack   []abi.Any // values that are in no container yet: owned values and placeholders
	planned []planned // the objects that placeholders stand for
	makes   []plane.Make
	maps    []plane.Filling
	items   []abi.Any // elements of the planned containers
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// maxRoom is how many values or objects a room may have had room for to be used again.
const maxRoom = 1 << 14

// NewBuilder returns an empty Builder.
func NewBuilder() Builder { return Builder{room: rooms.Get().(*room)} }

// planned is an object to be created. Builder.makes has its type and size at the same position.
type planned struct {
	text   []byte // of a string
	first  int    // of a container: where its elements begin in Builder.items
	n      int    // of a container: how many elements it has
	shared bool   // of a name: the cache owns the first reference, and each use takes another
}

// placeholder is the type index of a value that stands for a planned object; its 8 bytes are the object's position.
const placeholder int32 = -1000

// flushAt is how many objects are planned before they are created.
const flushAt = 2048

// name is a cached property name. Objects in one array tend to have the same names.
type name struct {
	text  []byte
	value abi.Any // a placeholder, or an owned string
}

const nameCacheSize = 256

// nameCache maps texts to the strings that one Builder made of them. It is large, so Builders reuse it; used are the
// buckets that must be emptied before.
type nameCache struct {
	buckets [nameCacheSize]name
	used    []uint8
}

var nameCaches = sync.Pool{New: func() any { return new(nameCache) }}

// Push pushes an owned value.
func (b *Builder) Push(v abi.Any) { b.stack = append(b.stack, v) }

// Len returns how many values have no container yet.
func (b *Builder) Len() int { return len(b.stack) }

// plan returns a placeholder for an object.
func (b *Builder) plan(p planned, m plane.Make) abi.Any {
	b.planned = append(b.planned, p)
	b.makes = append(b.makes, m)
	return abi.Any{TypeIndex: placeholder, Bits: uint64(len(b.planned) - 1)}
}

func (b *Builder) planString(text []byte, shared bool) abi.Any {
	return b.plan(planned{text: text, shared: shared}, plane.Make{TypeIndex: int64(abi.IndexStr), Size: int64(len(text))})
}

// Str pushes a string. The Builder keeps text: it must not change until Finish or Abandon.
func (b *Builder) Str(text []byte) {
	if v, ok := abi.SmallStr(View(text)); ok {
		b.Push(v)
		return
	}
	b.Push(b.planString(text, false))
}

// Name pushes a string that is likely to be pushed again; such strings share one object. The Builder keeps text: it must
// not change until Finish or Abandon.
func (b *Builder) Name(text []byte) {
	if v, ok := abi.SmallStr(View(text)); ok {
		b.Push(v)
		return
	}
	if b.names == nil {
		b.names = nameCaches.Get().(*nameCache)
	}
	bucket := bucketOf(text)
	cached := &b.names.buckets[bucket]
	if View(cached.text) != View(text) {
		if cached.text != nil {
			b.Str(text) // the bucket has another name
			return
		}
		cached.text = text
		cached.value = b.planString(text, true)
		b.names.used = append(b.names.used, uint8(bucket))
	}
	b.Push(Retain(cached.value))
}

// bucketOf hashes the length and both ends of a text of at least 8 bytes.
func bucketOf(text []byte) uint64 {
	h := binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(text[len(text)-8:])<<1 ^ uint64(len(text))
	return h * 0x9e3779b97f4a7c15 >> 56
}

// Close replaces the last n values by an Array (abi.IndexArray) of them, or by a Map (abi.IndexMap) of keys and values in
// turn.
//
// Errors: MemoryError, and those of a key's hash or equality.
func (b *Builder) Close(index int32, n int) error {
	first := len(b.items)
	from := len(b.stack) - n
	b.items = append(b.items, b.stack[from:]...)
	b.stack = b.stack[:from]
	b.settled = min(b.settled, from)
	p, m := planned{first: first, n: n}, plane.Make{TypeIndex: int64(index), Size: int64(n)}
	if index == abi.IndexMap {
		m.Size = int64(n / 2)
	}
	b.Push(b.plan(p, m))
	if len(b.planned) >= flushAt {
		return b.flush()
	}
	return nil
}

// flush creates all planned objects. When it fails, Abandon releases what there is.
func (b *Builder) flush() error {
	if !plane.NewObjects(b.makes) {
		return failure.ErrRaised
	}
	var failed error
	for i := range b.planned {
		p, m := &b.planned[i], &b.makes[i]
		if m.TypeIndex == int64(abi.IndexStr) {
			FillString(m.Object(), p.text)
			continue
		}
		items := b.items[p.first : p.first+p.n]
		for j := range items {
			items[j] = b.settle(items[j])
		}
		if m.TypeIndex == int64(abi.IndexArray) {
			FillArray(m.Object(), items)
		} else {
			b.maps = append(b.maps, plane.Filling{Map: uintptr(m.Object()), First: int64(p.first), Pairs: int64(p.n / 2)})
		}
	}
	if len(b.maps) != 0 && !plane.FillMaps(b.maps, b.items) {
		failed = failure.ErrRaised
	}
	for i := b.settled; i < len(b.stack); i++ {
		b.stack[i] = b.settle(b.stack[i])
	}
	for _, bucket := range b.usedNames() {
		if cached := &b.names.buckets[bucket]; cached.value.TypeIndex == placeholder {
			cached.value = abi.ObjectValue(b.makes[cached.value.Bits].Object())
		}
	}
	b.settled = len(b.stack)
	clear(b.planned)
	b.planned, b.makes, b.maps, b.items = b.planned[:0], b.makes[:0], b.maps[:0], b.items[:0]
	return failed
}

// settle returns the object that a placeholder stands for, and any other value as it is.
func (b *Builder) settle(v abi.Any) abi.Any {
	if v.TypeIndex != placeholder {
		return v
	}
	object := b.makes[v.Bits].Object()
	if b.planned[v.Bits].shared {
		abi.IncRef(object)
	}
	return abi.ObjectValue(object)
}

// Finish returns the one value that is left, owned by the caller, and ends the Builder. It does so also when it
// fails, with the errors of Close.
func (b *Builder) Finish() (abi.Any, error) {
	if err := b.flush(); err != nil {
		b.Abandon()
		return abi.Any{}, err
	}
	root := b.stack[0]
	b.stack = b.stack[:0]
	b.Abandon()
	return root, nil
}

// Abandon releases all values and ends the Builder, which the caller must not use afterwards.
func (b *Builder) Abandon() {
	if b.room == nil {
		return
	}
	release := func(values []abi.Any) {
		for _, v := range values {
			if v.TypeIndex != placeholder {
				Release(v)
			}
		}
	}
	release(b.stack)
	release(b.items)
	for _, bucket := range b.usedNames() {
		cached := &b.names.buckets[bucket]
		if cached.value.TypeIndex != placeholder {
			Release(cached.value)
		}
		*cached = name{}
	}
	if b.names != nil {
		b.names.used = b.names.used[:0]
		nameCaches.Put(b.names)
	}
	r := b.room
	*b = Builder{}
	if max(cap(r.stack), cap(r.planned), cap(r.items)) > maxRoom {
		return
	}
	clear(r.planned) // they lead to texts
	*r = room{r.stack[:0], r.planned[:0], r.makes[:0], r.maps[:0], r.items[:0]}
	rooms.Put(r)
}

func (b *Builder) usedNames() []uint8 {
	if b.names == nil {
		return nil
	}
	return b.names.used
}

// View returns a string that shares the memory of text, which must not change while the string is used.
func View(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

// PushBefore inserts the values that push pushes in front of the last value.
func (b *Builder) PushBefore(push func()) {
	n := len(b.stack) - 1
	last := b.stack[n]
	b.stack = b.stack[:n]
	b.settled = min(b.settled, n)
	push()
	b.stack = append(b.stack, last)
}
