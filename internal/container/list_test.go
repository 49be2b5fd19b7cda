package container

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
)

// list makes a List as another library makes it: its buffer has another deleter, and may be missing.
func (m *memory) list(capacity int64) unsafe.Pointer {
	p := m.object(abi.IndexList, abi.SizeSeq)
	c := abi.SeqOf(p)
	*c = abi.SeqCell{Capacity: capacity, DataDeleter: otherBuffers}
	if capacity != 0 {
		c.Data = m.block(uintptr(capacity) * elementSize)
	}
	return p
}

// Requirement: A7
func TestRandomListOperations(t *testing.T) {
	for seed := int64(0); seed < 300; seed++ {
		m := newMemory(t)
		rng := rand.New(rand.NewSource(seed))
		list := m.list(rng.Int63n(3))
		c := abi.SeqOf(list)
		var want []abi.Any
		capacity := c.Capacity
		for step := 0; step < 200; step++ {
			n := int64(len(want))
			needed := n
			switch op := rng.Intn(10); {
			case op < 4:
				v := m.thing(plainIndex, step)
				want = append(want, v)
				needed = n + 1
				if err := m.Append(list, v); err != nil {
					t.Fatal(err)
				}
			case op < 6:
				start := rng.Int63n(n + 1)
				stop := start + rng.Int63n(n-start+1)
				values := make([]abi.Any, rng.Intn(4))
				for i := range values {
					values[i] = m.thing(plainIndex, step)
				}
				want = slices.Replace(want, int(start), int(stop), values...)
				needed = int64(len(want))
				if err := m.Replace(list, start, stop, values); err != nil {
					t.Fatal(err)
				}
			case op < 8 && n > 0:
				i := rng.Int63n(n)
				want = slices.Delete(want, int(i), int(i)+1)
				m.Release(Take(list, i))
			case op < 9 && n > 0:
				i := rng.Int63n(n)
				want[i] = m.thing(plainIndex, step)
				m.SetItem(list, i, want[i])
			case rng.Intn(10) == 0:
				want = nil
				m.ClearList(list)
			default:
				slices.Reverse(want)
				Reverse(list)
			}
			if needed > capacity {
				capacity = max(2*capacity, needed)
			}
			if c.Capacity != capacity || !slices.Equal(c.Items(), want) {
				t.Fatalf("step %d: capacity %d, want %d; elements %v, want %v", step, c.Capacity, capacity, c.Items(), want)
			}
		}
		m.decRef(list)
		m.nothingAlive()
	}
}

// Requirement: B3
func TestListFailures(t *testing.T) {
	m := newMemory(t)
	list := m.list(0)
	if err := m.Append(list, m.thing(plainIndex, 1)); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(abi.SeqOf(list).Items())
	m.failAfter = 0
	if err := m.Append(list, m.thing(plainIndex, 2)); !errors.Is(err, errNoMemory) {
		t.Errorf("Append without memory gives %v", err)
	}
	values := []abi.Any{m.thing(plainIndex, 2), m.thing(plainIndex, 3)}
	if err := m.Replace(list, 0, 1, values); !errors.Is(err, errNoMemory) {
		t.Errorf("Replace without memory gives %v", err)
	}
	m.failAfter = -1
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 / 8} {
		if err := m.Reserve(list, n); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Reserve(%d) gives %v", n, err)
		}
	}
	if err := m.Reserve(list, -1); err != nil {
		t.Errorf("Reserve(-1) gives %v", err)
	}
	if !slices.Equal(abi.SeqOf(list).Items(), before) || abi.SeqOf(list).Capacity != 1 {
		t.Error("a failure changed the list")
	}
	m.decRef(list)
	m.nothingAlive()
}
