package container_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	. "github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The hashes that upstream prints for these keys. Requirement: A7
func TestHashVectors(t *testing.T) {
	m := newMemory(t)
	bytesOf := func(s string) abi.Any {
		a, ok := abi.SmallBytes([]byte(s))
		if !ok {
			a = m.text(s, true)
			a.TypeIndex = abi.IndexBytes
		}
		return a
	}
	for _, v := range []struct {
		key  abi.Any
		hash uint64
	}{
		{abi.None(), 0x9e3779b9},
		{abi.Int(0), 0x9e3779f8}, {abi.Int(1), 0x9e3779fb}, {abi.Int(-1), 0x9e3779f9}, {abi.Int(42), 0x9e377a22},
		{abi.Bool(true), 0x9e377a38}, {abi.Bool(false), 0x9e377a3b},
		{abi.Float(1), 0x3ff000009e377a7a}, {abi.Float(0), 0x9e377a7a},
		{abi.Float(math.Copysign(0, -1)), 0x800000009e377a7a}, {abi.Float(3.25), 0x400a00009e377a7a},
		{m.text("", false), 0x9e378a48}, {m.text("a", false), 0x9e378a2b}, {m.text("abc", false), 0x9e9aec2b},
		{m.text("", true), 0x9e378a48}, {m.text("a", true), 0x9e378a2b}, {m.text("abc", true), 0x9e9aec2b},
		{m.text("1234567", false), 0xd2d928e5}, {m.text("1234567", true), 0xd2d928e5},
		{m.text("12345678", false), 0xc2d928e4}, {m.text("123456789", false), 0xa0154594},
		{m.text("hello world, this is long", false), 0xb443de80},
		{bytesOf("abc"), 0x9e9aece8}, {bytesOf("123456789"), 0xa0154657},
		{abi.DataTypeValue(abi.DataType{Code: 2, Bits: 32, Lanes: 1}), 0x9e389af9},
		{abi.DeviceValue(abi.Device{Type: 2, ID: 1}), 0x19e377b3a},
		{abi.Any{TypeIndex: abi.IndexOpaquePtr, Bits: 0x1000}, 0x9e378abe},
	} {
		if got := Hash(&v.key); got != v.hash {
			t.Errorf("hash of type %d, %#x is %#x, want %#x", v.key.TypeIndex, v.key.Bits, got, v.hash)
		}
		if got, ok := plane.HashKey(&v.key); !ok || got != v.hash {
			t.Errorf("hash in C of type %d, %#x is %#x, want %#x", v.key.TypeIndex, v.key.Bits, got, v.hash)
		}
		graph.Release(v.key)
	}
	m.nothingAlive()
}

// The layouts that upstream gives to the integers 0 to n-1.
// Requirement: A7
func TestLayoutVectors(t *testing.T) {
	m := newMemory(t)
	for n, want := range map[int]string{
		5:  "8 61 ff02008000ffff00",
		7:  "8 61 ff04000000800000",
		8:  "16 60 ffff0000ff00ff00ff00ff00ff00ff00",
		15: "16 60 ff000800000000000000800000000000",
	} {
		d := m.dict()
		for i := 0; i < n; i++ {
			m.set(d, abi.Int(int64(i)), abi.Int(int64(10*i)))
		}
		if got := layout(MapOf(d)); got != want {
			t.Errorf("%d keys: %s, want %s", n, got, want)
		}
		if got := bucketOrder(MapOf(d)); n == 5 && got != "[1 7 2 3 4]" {
			t.Errorf("%d keys: in order %s", n, got)
		}
		plane.DecRef(d)
	}
	m.nothingAlive()
}

// layout shows buckets, shift and the control bytes.
func layout(c *Cell) string {
	s := fmt.Sprintf("%d %d ", c.Capacity, c.Shift)
	for i := range c.Capacity {
		s += fmt.Sprintf("%02x", c.Control(i))
	}
	return s
}

// bucketOrder shows the buckets in order of insertion, and checks both ends.
func bucketOrder(c *Cell) string {
	var buckets []uint64
	for i := c.First(); i != NoBucket; i = c.Next(i) {
		buckets = append(buckets, i)
	}
	if c.Head != buckets[0] || c.Tail != buckets[len(buckets)-1] {
		return "ends do not fit"
	}
	return fmt.Sprint(buckets)
}

// Requirement: A7
func TestLayoutAfterErasing(t *testing.T) {
	m := newMemory(t)
	d := m.dict()
	for i := int64(0); i < 5; i++ {
		m.set(d, abi.Int(i), abi.Int(10*i))
	}
	zero := abi.Int(0)
	if found, err := m.eraseKey(d, zero); !found || err != nil {
		t.Fatal(found, err)
	}
	if got, want := layout(MapOf(d))+bucketOrder(MapOf(d)), "8 61 ff0000ff00ffff00[7 2 1 4]"; got != want {
		t.Errorf("after erase(0): %s, want %s", got, want)
	}
	if key := MapOf(d).At(1).Key; key != abi.Int(3) {
		t.Errorf("bucket 1 has %v, want the key 3", key)
	}
	m.set(d, abi.Int(2), abi.Int(7))
	if got, want := layout(MapOf(d))+bucketOrder(MapOf(d)), "8 61 ff0000ff00ffff00[7 1 4 2]"; got != want {
		t.Errorf("after set(2): %s, want %s", got, want)
	}
	plane.DecRef(d)
	m.nothingAlive()
}

// A map that is made with all its entries at once has the size that upstream gives it.
func TestTableSize(t *testing.T) {
	m := newMemory(t)
	for entries, want := range map[int]string{0: "2", 1: "2", 2: "2", 3: "3", 4: "8 61", 5: "16 60", 8: "16 60", 16: "32 59"} {
		var items []abi.Any
		for i := range entries {
			items = append(items, abi.Int(int64(i)), abi.None())
		}
		d := testenv.Value(graph.NewMap(abi.IndexMap, items))(t)
		c := MapOf(d)
		got := fmt.Sprint(c.Capacity &^ SmallTag)
		if !c.IsSmall() {
			got += fmt.Sprint(" ", c.Shift)
		}
		if got != want {
			t.Errorf("%d entries: %s, want %s", entries, got, want)
		}
		plane.DecRef(d)
	}
	m.nothingAlive()
}
