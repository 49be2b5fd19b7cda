package container_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	. "github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// keys makes random keys. Equal keys have different representations.
type keys struct {
	m    *memory
	rng  *rand.Rand
	span int // how many different ones of each sort
	sort int // -1: all sorts
}

func (k *keys) next() abi.Any {
	n, sort := k.rng.Intn(k.span), k.sort
	if sort < 0 {
		sort = k.rng.Intn(7)
	}
	switch sort {
	case 0:
		return abi.Int(int64(n) - int64(k.span)/2)
	case 1:
		return abi.Int(int64(n) * 8)
	case 2:
		return abi.Float(float64(n) / 4)
	case 3:
		return k.m.text(fmt.Sprint(n), k.rng.Intn(2) == 0)
	case 4:
		return k.m.text(strings.Repeat("long ", n%9)+fmt.Sprint(n), false)
	case 5:
		return k.m.thing(true, n)
	default:
		return k.m.thing(false, n)
	}
}

// modelOf makes a model that compares the objects' contents without the package's functions.
func modelOf(m *memory) *model {
	return newModel(
		func(a abi.Any) uint64 {
			if a.TypeIndex == m.hookedIndex {
				return Combine(uint64(m.hookedIndex), uint64(m.contents[a.Pointer()]%5))
			}
			return Hash(&a) // has its own test
		},
		func(a, b abi.Any) bool {
			if a.TypeIndex == m.hookedIndex && b.TypeIndex == m.hookedIndex {
				return m.contents[a.Pointer()] == m.contents[b.Pointer()]
			}
			if x, ok := a.Text(); ok {
				y, ok := b.Text()
				return ok && x == y
			}
			return a == b
		},
	)
}

// TestRandomOperations drives maps of many sizes and kinds of keys and compares their memory with the model's.
// Requirement: A7
func TestRandomOperations(t *testing.T) {
	total := 2000 // three million operations
	if testing.Short() || testenv.RaceDetector {
		total = 60
	}
	for round := 0; round < total; round++ {
		rng := rand.New(rand.NewSource(int64(round)))
		m := newMemory(t)
		k := &keys{m: m, rng: rng, span: 1 << (1 + rng.Intn(6)), sort: rng.Intn(8) - 1}
		d := m.dict()
		if rng.Intn(4) == 0 {
			m.relocateSmall(d)
		}
		want := modelOf(m)
		for step := 0; step < 1500; step++ {
			randomOperation(t, m, k, &d, want)
			if step%11 == 0 || len(want.order) < 7 && step%3 == 0 {
				want.compare(t, MapOf(d))
			}
		}
		want.compare(t, MapOf(d))
		plane.DecRef(d)
		m.nothingAlive()
	}
}

func randomOperation(t *testing.T, m *memory, k *keys, d *unsafe.Pointer, want *model) {
	t.Helper()
	key := k.next()
	switch op := k.rng.Intn(100); {
	case op < 55:
		value := abi.Int(k.rng.Int63())
		want.set(key, value)
		m.set(*d, key, value)
		return
	case op < 85:
		expected := want.erase(key)
		found, err := m.eraseKey(*d, key)
		if err != nil || found != expected {
			t.Fatalf("Erase gives %v, %v; want %v", found, err, expected)
		}
	case op < 97:
		expected := want.find(key)
		found, err := m.find(*d, &key)
		if err != nil || (found == nil) != (expected == nil) || found != nil && *found != expected.Pair {
			t.Fatalf("Find gives %v, %v; want %v", found, err, expected)
		}
	case op < 98 && k.rng.Intn(8) == 0:
		want.clear()
		m.clearAll(*d)
	case op < 99:
		copied := testenv.Value(m.copyOf(*d, abi.IndexDict))(t)
		plane.DecRef(*d)
		*d = copied
		if want.small {
			want.buckets = max(len(want.order), 2)
		}
	}
	graph.Release(key)
}

// TestLargeMaps checks the layout while a map grows through many sizes.
// Requirement: A7
func TestLargeMaps(t *testing.T) {
	m := newMemory(t)
	rng := rand.New(rand.NewSource(1))
	d, want := m.dict(), modelOf(m)
	index := map[abi.Any]*modelEntry{}
	want.same = func(a, b abi.Any) bool { return a == b }
	for i := 0; i < 30000; i++ {
		key := abi.Int(rng.Int63n(1 << 20))
		if want.small || len(want.order) < 100 {
			want.set(key, key)
		} else if index[key] == nil && !want.insert(key, key) {
			*want = *grownModel(want)
			want.insert(key, key)
		} else if index[key] != nil {
			continue
		}
		m.set(d, key, key)
		index[key] = &modelEntry{}
		if i%2000 == 0 {
			want.compare(t, MapOf(d))
		}
	}
	want.compare(t, MapOf(d))
	plane.DecRef(d)
	m.nothingAlive()
}

// grownModel doubles the table without looking for equal keys: there are none.
func grownModel(m *model) *model {
	to := m.dense(2*m.buckets, m.shift-1)
	for _, e := range m.order {
		if !to.insert(e.Key, e.Value) {
			panic("a table of twice the size is full")
		}
	}
	return to
}

// FuzzOperations interprets its bytes as operations.
func FuzzOperations(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, program []byte) {
		m := newMemory(t)
		d, want := m.dict(), modelOf(m)
		for _, b := range program {
			key := abi.Int(int64(b & 31))
			if b&1 != 0 {
				key = m.thing(true, int(b&31))
			}
			if b < 160 {
				want.set(key, abi.Int(int64(b)))
				m.set(d, key, abi.Int(int64(b)))
			} else {
				want.erase(key)
				testenv.Value(m.eraseKey(d, key))(t)
				graph.Release(key)
			}
			want.compare(t, MapOf(d))
		}
		plane.DecRef(d)
		m.nothingAlive()
	})
}

func TestSpecialFloatKeys(t *testing.T) {
	m := newMemory(t)
	d := m.dict()
	nan := abi.Float(math.NaN())
	m.set(d, abi.Float(0), abi.Int(1))
	m.set(d, abi.Float(math.Copysign(0, -1)), abi.Int(2))
	m.set(d, nan, abi.Int(3))
	m.set(d, abi.Int(0), abi.Int(4))
	m.set(d, abi.Bool(false), abi.Int(5))
	m.set(d, nan, abi.Int(6))
	if n := MapOf(d).Size; n != 5 {
		t.Errorf("%d entries, want 5", n)
	}
	plane.DecRef(d)
	m.nothingAlive()
}
