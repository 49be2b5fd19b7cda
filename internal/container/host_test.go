package container

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

var errNoMemory = errors.New("out of memory")

// Type indices of the tests' own objects, and deleters, which are numbers here: nothing is called through them.
const (
	plainIndex  = 200 // hash and equality by address
	hookedIndex = 201 // hash and equality by content, through hooks

	ownObjects   = 1
	ownBuffers   = 2
	otherBuffers = 3 // buffers of another library
)

// memory is a Host that uses Go memory, counts every call, and lets any call fail.
type memory struct {
	Host
	t         testing.TB
	blocks    map[uintptr][]uint64
	objects   map[uintptr]*thing
	failAfter int // allocations until one fails, -1 for never
	onHook    func() error
	hookCalls int
	columns   [2][]abi.Any
}

type thing struct {
	content int // what the hooks hash and compare
}

func newMemory(t testing.TB) *memory {
	m := &memory{t: t, blocks: map[uintptr][]uint64{}, objects: map[uintptr]*thing{}, failAfter: -1}
	for i := range m.columns {
		m.columns[i] = make([]abi.Any, hookedIndex+1)
		m.columns[i][hookedIndex] = abi.Any{TypeIndex: abi.IndexOpaquePtr, Bits: uint64(i)}
	}
	column := func(i int) *abi.TypeAttrColumn {
		return &abi.TypeAttrColumn{Data: unsafe.Pointer(&m.columns[i][0]), Size: hookedIndex + 1}
	}
	m.Host = Host{
		NewBuffer: func(size uintptr) (unsafe.Pointer, error) {
			if m.failAfter == 0 {
				return nil, errNoMemory
			}
			m.failAfter--
			return m.block(size), nil
		},
		BufferDeleter: ownBuffers,
		CallDeleter: func(deleter uintptr, data unsafe.Pointer) {
			if deleter != ownBuffers && deleter != otherBuffers {
				t.Fatalf("the deleter %d was called", deleter)
			}
			m.free(data)
		},
		NewObject: func(typeIndex int32, size uintptr) (unsafe.Pointer, error) {
			if m.failAfter == 0 {
				return nil, errNoMemory
			}
			m.failAfter--
			return m.object(typeIndex, size), nil
		},
		ObjectDeleter: ownObjects,
		DecRef:        m.decRef,
		HashColumn:    column(0),
		EqualColumn:   column(1),
		HashHook: func(_, key *abi.Any) (uint64, error) {
			err := m.called()
			return uint64(m.contentOf(key) % 5), err // many collisions
		},
		EqualHook: func(_, a, b *abi.Any) (bool, error) {
			err := m.called()
			return m.contentOf(a) == m.contentOf(b), err
		},
	}
	return m
}

func (m *memory) called() error {
	m.hookCalls++
	if m.onHook == nil {
		return nil
	}
	return m.onHook()
}

func (m *memory) contentOf(a *abi.Any) int {
	o := m.objects[uintptr(a.Pointer())]
	if o == nil {
		m.t.Fatalf("a hook was given an object that is dead")
	}
	return o.content
}

// block allocates memory with arbitrary content.
func (m *memory) block(size uintptr) unsafe.Pointer {
	words := make([]uint64, (size+7)/8+1)
	for i := range words {
		words[i] = 0xdeadbeefdeadbeef
	}
	p := unsafe.Pointer(&words[0])
	m.blocks[uintptr(p)] = words
	return p
}

func (m *memory) free(p unsafe.Pointer) {
	if p == nil {
		return
	}
	words, ok := m.blocks[uintptr(p)]
	if !ok {
		m.t.Fatalf("memory at %p was freed twice, or never given out", p)
	}
	for i := range words {
		words[i] = 0xdddddddddddddddd
	}
	delete(m.blocks, uintptr(p))
}

func (m *memory) object(typeIndex int32, size uintptr) unsafe.Pointer {
	p := m.block(size)
	*(*abi.Object)(p) = abi.Object{Counts: abi.CountsNew, TypeIndex: typeIndex, Deleter: ownObjects}
	return p
}

// thing makes an object to be a key or value.
func (m *memory) thing(typeIndex int32, content int) abi.Any {
	p := m.object(typeIndex, abi.BodyOffset)
	m.objects[uintptr(p)] = &thing{content}
	return abi.ObjectValue(p)
}

// text makes a string, on the heap if it is long or heap is true.
func (m *memory) text(s string, heap bool) abi.Any {
	if small, ok := abi.SmallStr(s); ok && !heap {
		return small
	}
	p := m.object(abi.IndexStr, uintptr(abi.SizeString+len(s)+1))
	content := unsafe.Slice((*byte)(unsafe.Add(p, abi.SizeString)), len(s)+1)
	copy(content, s+"\x00")
	*(*[2]uintptr)(unsafe.Add(p, abi.BodyOffset)) = [2]uintptr{uintptr(unsafe.Pointer(&content[0])), uintptr(len(s))}
	return abi.ObjectValue(p)
}

func (m *memory) decRef(p unsafe.Pointer) {
	o := (*abi.Object)(p)
	if m.blocks[uintptr(p)] == nil || uint32(o.Counts) == 0 {
		m.t.Fatalf("a reference to a dead object was dropped")
	}
	if o.Counts--; uint32(o.Counts) != 0 {
		return
	}
	switch o.TypeIndex {
	case abi.IndexMap, abi.IndexDict:
		c := MapOf(p)
		for _, entry := range c.Pairs() {
			m.Release(entry.Key)
			m.Release(entry.Value)
		}
		if c.DataDeleter != 0 && c.Data != 0 {
			m.CallDeleter(c.DataDeleter, pointerIn(&c.Data))
		}
	case abi.IndexList:
		c := abi.SeqOf(p)
		for _, item := range c.Items() {
			m.Release(item)
		}
		m.CallDeleter(c.DataDeleter, c.Data)
	}
	delete(m.objects, uintptr(p))
	m.free(p)
}

// nothingAlive fails the test when an object or a buffer is alive.
func (m *memory) nothingAlive() {
	m.t.Helper()
	if len(m.blocks) != 0 {
		m.t.Fatalf("%d blocks of memory are left", len(m.blocks))
	}
}

func (m *memory) dict() unsafe.Pointer {
	m.t.Helper()
	d, err := m.NewMap(abi.IndexDict)
	if err != nil {
		m.t.Fatal(err)
	}
	return d
}

func (m *memory) set(d unsafe.Pointer, key, value abi.Any) {
	m.t.Helper()
	if err := m.Set(d, key, value); err != nil {
		m.t.Fatal(err)
	}
}
