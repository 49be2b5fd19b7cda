package container_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	. "github.com/selfsame-ffi/selfsame/internal/container"
	_ "github.com/selfsame-ffi/selfsame/internal/control"
	"github.com/selfsame-ffi/selfsame/internal/control/failure"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv/testvalues"
)

// memory makes objects, changes containers through the runtime, and tells the contents of the objects that it made.
type memory struct {
	t            testing.TB
	contents     map[unsafe.Pointer]int // of objects, by which the hooks hash and compare
	hooked       func() abi.Any
	plain        func() abi.Any
	hookedIndex  int32
	erase, clear unsafe.Pointer // builtin functions
	alive        [5]int64
}

// current is the memory whose objects the hooks compare.
var current *memory

// newMemory starts a test on a thread of its own; nothingAlive ends it.
func newMemory(t testing.TB) *memory {
	runtime.LockOSThread()
	m := &memory{t: t, contents: map[unsafe.Pointer]int{}}
	current = m
	content := func(v abi.Any) int {
		content, ok := current.contents[v.Pointer()]
		if !ok {
			current.t.Errorf("a hook was given an object that the test did not make")
		}
		return content
	}
	m.hooked = testvalues.Class(t, "container.Hooked", map[string]graph.Body{
		"__any_hash__": func(args []abi.Any) (abi.Any, error) {
			return abi.Int(int64(content(args[0]) % 5)), nil // many collisions
		},
		"__any_equal__": func(args []abi.Any) (abi.Any, error) {
			return abi.Bool(content(args[0]) == content(args[1])), nil
		},
	})
	m.plain = testvalues.Class(t, "container.Plain", nil)
	m.hookedIndex = plane.TypeByKey("container.Hooked")
	m.erase, m.clear = plane.Global("ffi.DictErase"), plane.Global("ffi.DictClear")
	m.alive = m.count()
	return m
}

// nothingAlive fails the test when an object that it made is alive.
func (m *memory) nothingAlive() {
	m.t.Helper()
	if alive := m.count(); alive != m.alive {
		m.t.Errorf("live objects: %v, want %v", alive, m.alive)
	}
	plane.DecRef(m.erase)
	plane.DecRef(m.clear)
	runtime.UnlockOSThread()
}

// count counts the live objects of the types that the tests make.
func (m *memory) count() (n [5]int64) {
	for i, index := range []int32{m.hookedIndex, plane.TypeByKey("container.Plain"), abi.IndexStr, abi.IndexMap, abi.IndexDict} {
		n[i] = plane.LiveObjects(index)
	}
	return n
}

// thing makes an object to be a key or value.
func (m *memory) thing(hooked bool, content int) abi.Any {
	make := m.plain
	if hooked {
		make = m.hooked
	}
	v := make()
	m.contents[v.Pointer()] = content
	return v
}

// text makes a string, on the heap if it is long or heap is true.
func (m *memory) text(s string, heap bool) abi.Any {
	if small, ok := abi.SmallStr(s); ok && !heap {
		return small
	}
	made := [1]plane.Make{{TypeIndex: int64(abi.IndexStr), Size: int64(len(s))}}
	if !plane.NewObjects(made[:]) {
		m.t.Fatal("out of memory")
	}
	graph.FillString(made[0].Object(), []byte(s))
	return abi.ObjectValue(made[0].Object())
}

func (m *memory) dict() unsafe.Pointer {
	m.t.Helper()
	d, ok := plane.MapOf(abi.IndexDict, nil)
	if !ok {
		m.t.Fatal("out of memory")
	}
	return d
}

// set stores an owned value under an owned key.
func (m *memory) set(d unsafe.Pointer, key, value abi.Any) {
	m.t.Helper()
	ok := plane.SetInMap(d, &key, &value)
	graph.Release(key)
	graph.Release(value)
	if !ok {
		m.t.Fatal("Set failed")
	}
}

// find looks up a key in Go, if it has no hooks, and in C.
func (m *memory) find(d unsafe.Pointer, key *abi.Any) (*Pair, error) {
	m.t.Helper()
	found, err := graph.Find(d, key)
	if entry, ok := plane.FindInMap(d, key); !ok || entry != unsafe.Pointer(found) {
		m.t.Fatalf("in C the entry is at %p, in Go at %p", entry, found)
	}
	if content, isBytes, ok := key.Content(); ok {
		family := abi.IndexStr
		if isBytes {
			family = abi.IndexBytes
		}
		if entry := FindContent(d, family, content); entry != found {
			m.t.Fatalf("by its content the entry is at %p, by its key at %p", entry, found)
		}
	}
	return found, err
}

func (m *memory) eraseKey(d unsafe.Pointer, key abi.Any) (bool, error) {
	before := MapOf(d).Size
	_, err := graph.Call(m.erase, abi.ObjectValue(d), key)
	return MapOf(d).Size != before, err
}

func (m *memory) clearAll(d unsafe.Pointer) {
	m.t.Helper()
	if _, err := graph.Call(m.clear, abi.ObjectValue(d)); err != nil {
		m.t.Fatal(err)
	}
}

func (m *memory) copyOf(d unsafe.Pointer, index int32) (unsafe.Pointer, error) {
	copied, ok := plane.CopyMap(d, index)
	if !ok {
		return nil, failure.ErrRaised
	}
	return copied, nil
}

// relocateSmall makes an empty small map look like one that another library grew: its entries lie in a buffer, which is
// taken from a dense map.
func (m *memory) relocateSmall(d unsafe.Pointer) {
	m.t.Helper()
	other := m.dict()
	for i := range int64(5) {
		m.set(other, abi.Int(i), abi.None())
	}
	from, to := MapOf(other), MapOf(d)
	to.Data, to.DataDeleter = from.Data, from.DataDeleter
	from.Data, from.Size, from.Capacity = 0, 0, 0
	plane.DecRef(other)
}
