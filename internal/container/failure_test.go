package container

import (
	"errors"
	"math/rand"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// snapshot is a copy of a map's memory.
type snapshot struct {
	cell    Cell
	content string
}

func snapshotOf(d unsafe.Pointer) snapshot {
	c := MapOf(d)
	s := snapshot{cell: observed(c)}
	size := uintptr(c.Size) * pairSize
	if !c.IsSmall() {
		s.cell = *c
		size = bufferSize(c.Capacity)
	}
	s.content = string(unsafe.Slice((*byte)(pointerIn(&c.Data)), size))
	return s
}

// counts of all objects, by address.
func (m *memory) counts() map[uintptr]uint64 {
	counts := map[uintptr]uint64{}
	for p := range m.objects {
		counts[p] = (*abi.Object)(pointerIn(&p)).Counts
	}
	return counts
}

// tryAll runs an operation with every one of its allocations and hook calls failing in turn, until it succeeds. Each
// failure must leave the map and all reference counts as they were.
func (m *memory) tryAll(t *testing.T, d unsafe.Pointer, operation func() error) {
	t.Helper()
	before, counts := snapshotOf(d), m.counts()
	unchanged := func(what string, i int) {
		t.Helper()
		if snapshotOf(d) != before {
			t.Fatalf("failure of %s %d changed the map", what, i)
		}
		for p, n := range m.counts() {
			if n != counts[p] {
				t.Fatalf("failure of %s %d leaves an object with the counts %#x instead of %#x", what, i, n, counts[p])
			}
		}
	}
	errHook := errors.New("the hook fails")
	for i := 0; ; i++ {
		m.hookCalls = 0
		m.onHook = func() error {
			if m.hookCalls == i+1 {
				return errHook
			}
			return nil
		}
		m.failAfter = i
		blocks := len(m.blocks)
		err := operation()
		m.failAfter, m.onHook = -1, nil
		if err == nil {
			return
		}
		if !errors.Is(err, errNoMemory) && !errors.Is(err, errHook) {
			t.Fatalf("unexpected error %v", err)
		}
		unchanged(err.Error(), i)
		if len(m.blocks) != blocks {
			t.Fatalf("failure %d leaks %d blocks", i, len(m.blocks)-blocks)
		}
	}
}

// Requirement: B3
func TestFailuresLeaveTheMapAsItWas(t *testing.T) {
	for seed := int64(0); seed < 40; seed++ {
		m := newMemory(t)
		rng := rand.New(rand.NewSource(seed))
		d := m.dict()
		if seed%2 == 0 {
			relocateSmall(m, d)
		}
		var things []abi.Any
		for i := 0; i < 70; i++ {
			things = append(things, m.thing(hookedIndex, i))
		}
		for i := 0; i < 150; i++ {
			key := things[rng.Intn(len(things))]
			value := things[rng.Intn(len(things))]
			if rng.Intn(4) == 0 {
				m.tryAll(t, d, func() error {
					_, err := m.Erase(d, &key)
					return err
				})
			} else {
				m.tryAll(t, d, func() error { return m.Set(d, Retain(key), Retain(value)) })
			}
			if i%10 == 0 {
				m.tryAll(t, d, func() error {
					copied, err := m.CopyMap(d, abi.IndexMap)
					if err == nil {
						m.decRef(copied)
					}
					return err
				})
			}
		}
		m.decRef(d)
		for _, a := range things {
			if n := abi.StrongCount(a.Pointer()); n != 1 {
				t.Fatalf("an object has %d references at the end", n)
			}
			m.Release(a)
		}
		m.nothingAlive()
	}
}

// TestHooksThatChangeTheMap: when a hook changes the map that called it, the call fails or works as if it had been made
// after the change, and no freed memory is read (the test poisons memory that it frees).
func TestHooksThatChangeTheMap(t *testing.T) {
	refused := 0
	for seed := int64(0); seed < 400; seed++ {
		m := newMemory(t)
		rng := rand.New(rand.NewSource(seed))
		d := m.dict()
		for i := 0; i < 1+rng.Intn(40); i++ {
			m.set(d, m.thing(hookedIndex, i), m.thing(plainIndex, i))
		}
		for i := 0; i < 10; i++ {
			m.hookCalls = 0
			at := 1 + rng.Intn(6)
			m.onHook = func() error {
				if m.hookCalls != at {
					return nil
				}
				hook := m.onHook
				m.onHook = nil
				defer func() { m.onHook = hook }()
				switch rng.Intn(4) {
				case 0:
					m.Clear(d)
				case 1:
					m.set(d, abi.Int(rng.Int63()), abi.None())
				case 2:
					for j := int64(0); j < 40; j++ {
						m.set(d, abi.Int(j), abi.None())
					}
				default:
					if first := MapOf(d).First(); first != NoBucket {
						key := Retain(MapOf(d).At(first).Key)
						if _, err := m.Erase(d, &key); err != nil {
							t.Fatal(err)
						}
						m.Release(key)
					}
				}
				return nil
			}
			err := m.Set(d, m.thing(hookedIndex, rng.Intn(60)), m.thing(plainIndex, 1))
			m.onHook = nil
			if errors.Is(err, ErrChanged) {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
		m.decRef(d)
		m.nothingAlive()
	}
	if refused == 0 {
		t.Error("no change was noticed")
	}
}

func TestKeyWhoseHashChanges(t *testing.T) {
	m := newMemory(t)
	d := m.dict()
	var things []abi.Any
	for i := 0; i < 30; i++ {
		things = append(things, m.thing(hookedIndex, i))
		m.set(d, Retain(things[i]), abi.None())
	}
	for _, a := range things { // every stored hash is wrong now
		m.objects[uintptr(a.Pointer())].content += 1000*3 + 2
	}
	unstable := 0
	for i := int64(0); i < 200; i++ {
		switch err := m.Set(d, abi.Int(i), abi.None()); {
		case errors.Is(err, ErrUnstableHash):
			unstable++
		case err != nil:
			t.Fatal(err)
		}
	}
	if unstable == 0 {
		t.Error("no changed hash was noticed")
	}
	m.decRef(d)
	for _, a := range things {
		m.Release(a)
	}
	m.nothingAlive()
}
