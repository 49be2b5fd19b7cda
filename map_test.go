package selfsame_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// entries ranges over pairs of a key and a value.
func entries[K, V any](pairs ...any) func(func(K, V) bool) {
	return func(yield func(K, V) bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if !yield(pairs[i].(K), pairs[i+1].(V)) {
				return
			}
		}
	}
}

// Requirement: D4
func TestMapHoldsEntriesInOrder(t *testing.T) {
	balanced(t)
	p, q := PointClass.New(nil), PointClass.New(nil)
	m := must(selfsame.CollectMap(entries[string, *PointHandle]("p", p, "a longer key than seven", q, "again", p)))(t)
	if m.Len() != 3 {
		t.Errorf("Len = %d", m.Len())
	}
	if got, ok := m.Get("a longer key than seven"); !ok || got != q {
		t.Errorf("Get = %v, %v", got, ok)
	}
	if got, ok := m.Get("nothing"); ok || got != nil {
		t.Errorf("Get of nothing = %v, %v", got, ok)
	}
	if got := slices.Collect(m.Keys()); !slices.Equal(got, []string{"p", "a longer key than seven", "again"}) {
		t.Errorf("Keys = %q", got)
	}
	if got := slices.Collect(m.Values()); !slices.Equal(got, []*PointHandle{p, q, p}) {
		t.Errorf("Values = %v", got)
	}
	for key, value := range m.All() {
		if key != "p" || value != p {
			t.Errorf("first entry %q, %v", key, value)
		}
		break
	}
	large := map[int64]string{}
	for i := range int64(1000) {
		large[i*i*i] = fmt.Sprint("value ", i)
	}
	n := must(selfsame.NewMap(large))(t)
	if got := maps.Collect(n.All()); !maps.Equal(got, large) {
		t.Error("All differs from what was put in")
	}
	for i := range int64(1100) {
		if got, ok := n.Get(i * i * i); ok != (i < 1000) || got != large[i*i*i] {
			t.Fatalf("Get(%d) = %q, %v", i*i*i, got, ok)
		}
	}
	var none *selfsame.Map[string, int64]
	if _, ok := none.Get("x"); ok || none.Len() != 0 {
		t.Error("a nil Map has entries")
	}
}

// Requirement: D4
func TestMapsPassAsValues(t *testing.T) {
	balanced(t)
	p := PointClass.New(nil)
	type nested = selfsame.Map[string, *selfsame.Array[*PointHandle]]
	inner := must(selfsame.NewArray([]*PointHandle{p}))(t)
	m := must(selfsame.CollectMap(entries[string, *selfsame.Array[*PointHandle]]("all of them", inner)))(t)
	echo := must(selfsame.NewFunc(func(m *nested) *nested { return m }))(t)
	got := must(selfsame.CallAs[*nested](echo, m))(t)
	if a, ok := got.Get("all of them"); got != m || !ok || a != inner || a.At(0) != p {
		t.Errorf("came back as %v with %v", got, a)
	}
	goMap := must(selfsame.NewFunc(func(m map[string]float64) map[string]int64 {
		out := map[string]int64{}
		for k, v := range m {
			out[k] = int64(v * 2)
		}
		return out
	}))(t)
	if got := must(selfsame.CallAs[map[string]int64](goMap, map[string]any{"a": 1, "b": 2.5}))(t); !maps.Equal(got, map[string]int64{"a": 2, "b": 5}) {
		t.Errorf("Go maps: %v", got)
	}
	_, err := goMap.Call(map[string]any{"some key": "x"})
	wantError(t, err, "TypeError", "Expected `Map<str, float>` but got `Map[value at \"some key\": ffi.SmallStr]`")
	_, err = goMap.Call(map[int]float64{3: 1})
	wantError(t, err, "TypeError", "Expected `Map<str, float>` but got `Map[key at 3: int]`")
	_, err = echo.Call(map[string]any{"k": []any{p, 1}})
	wantError(t, err, "TypeError", "but got `Map[value at \"k\": Array[index 1: int]]`")
	_, err = selfsame.NewMap(map[string]string{"k": "\xff"})
	wantError(t, err, "ValueError", "Map[value at \"k\"]: The string is not UTF-8")
	_, err = selfsame.NewMap(map[string]chan int{})
	wantError(t, err, "TypeError", "chan int")
	anything := must(selfsame.NewMap(map[string]any{"one": "two"}))(t)
	numbers := must(selfsame.NewFunc(func(m any) any { return m }))(t)
	if got := must(numbers.Call(anything))(t).(*selfsame.Map[any, any]); got.Len() != 1 {
		t.Errorf("as any: %v", got)
	}
	// As a dict it is a copy.
	dict := must(selfsame.NewFunc(func(d *selfsame.Dict[string, any]) *selfsame.Dict[string, any] { d.Set("three", 4); return d }))(t)
	if d := must(selfsame.CallAs[*selfsame.Dict[string, any]](dict, anything))(t); d.Len() != 2 || anything.Len() != 1 {
		t.Errorf("dict %d, map %d", d.Len(), anything.Len())
	}
}

// Requirement: D4
func TestDictBehavesLikeAGoMap(t *testing.T) {
	balanced(t)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for round := range 10 {
		d := must(selfsame.NewDict[string, int64](nil))(t)
		want := map[string]int64{}
		for step := range 400 {
			key := fmt.Sprint("key ", random.IntN(60)*random.IntN(3))
			switch random.IntN(4) {
			case 0, 1:
				value := random.Int64()
				d.Set(key, value)
				want[key] = value
			case 2:
				_, there := want[key]
				if d.Delete(key) != there {
					t.Fatalf("seed %d: Delete(%q) says it was %v", seed, key, !there)
				}
				delete(want, key)
			case 3:
				value, ok := d.Get(key)
				if expected, there := want[key]; ok != there || value != expected {
					t.Fatalf("seed %d: Get(%q) = %v, %v", seed, key, value, ok)
				}
			}
			if d.Len() != len(want) {
				t.Fatalf("seed %d, round %d, step %d: %d entries, want %d", seed, round, step, d.Len(), len(want))
			}
		}
		if got := maps.Collect(d.All()); !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
		d.Clear()
		if d.Len() != 0 {
			t.Error("Clear left entries")
		}
	}
}

// Requirement: D4
func TestDictMayChangeInALoop(t *testing.T) {
	balanced(t)
	for _, size := range []int{3, 4, 5, 40} {
		fill := func() *selfsame.Dict[int64, int64] {
			d := must(selfsame.NewDict[int64, int64](nil))(t)
			for i := range int64(size) {
				d.Set(i, i)
			}
			return d
		}
		d, visits := fill(), 0
		for k, v := range d.All() {
			d.Set(k, v+100)
			visits++
		}
		if sum := sumOf(d); visits != size || sum != size*(size-1)/2+100*size {
			t.Errorf("%d entries, each set: %d visits, sum %d", size, visits, sum)
		}
		d, visits = fill(), 0
		for k := range d.Keys() {
			d.Delete(k)
			visits++
		}
		if visits != size || d.Len() != 0 {
			t.Errorf("%d entries, each removed: %d visits, %d left", size, visits, d.Len())
		}
		d, visits = fill(), 0
		for k := range d.Keys() {
			if visits++; k == 0 {
				for i := range int64(size) {
					d.Delete(i)
				}
				d.Set(1000, 1)
			}
		}
		if visits > 2 {
			t.Errorf("%d entries, all removed in the first round: %d visits", size, visits)
		}
		d, visits = fill(), 0
		seen := map[int64]int{}
		for k := range d.Keys() {
			seen[k]++
			d.Set(k+1000, k) // the loop may visit it or not
			if visits++; visits > 10*size {
				break
			}
		}
		for i := range int64(size) {
			if seen[i] != 1 {
				t.Errorf("%d entries, others added: %d was seen %d times", size, i, seen[i])
			}
		}
		d = fill()
		for range d.Values() {
			d.Clear()
		}
	}
}

func sumOf(d *selfsame.Dict[int64, int64]) int {
	sum := 0
	for v := range d.Values() {
		sum += int(v)
	}
	return sum
}

// Requirement: D4
func TestDictRefusesWrongValuesAndKeepsIdentity(t *testing.T) {
	balanced(t)
	d := must(selfsame.NewDict(map[string]int64{"one": 1}))(t)
	echo := must(selfsame.NewFunc(func(d *selfsame.Dict[string, int64]) *selfsame.Dict[string, int64] { return d }))(t)
	if got := must(selfsame.CallAs[*selfsame.Dict[string, int64]](echo, d))(t); got != d {
		t.Error("a dict came back as another handle")
	}
	must(must(selfsame.GetFunc("ffi.DictSetItem"))(t).Call(d, "two", "a word that is no number"))(t)
	must(must(selfsame.GetFunc("ffi.DictSetItem"))(t).Call(d, 3, 3))(t)
	wantPanic(t, "TypeError", "Cannot convert from type `Dict[value at \"two\": ffi.String]` to `Dict<str, int>`", func() { d.Get("two") })
	d.Delete("two")
	wantPanic(t, "TypeError", "`Dict[key at 3: int]` to `Dict<str, int>`", func() { _ = maps.Collect(d.All()) })
	_, err := echo.Call(d)
	wantError(t, err, "TypeError", "Expected `Dict<str, int>` but got `Dict[key at 3: int]`")
	wantPanic(t, "ValueError", "Dict[a key]: The string is not UTF-8", func() { d.Set("\xff\xff\xff\xff\xff\xff\xff\xff", 1) })
	if _, ok := d.Get("\xff\xff\xff\xff\xff\xff\xff\xff"); ok {
		t.Error("a key that is not UTF-8 was found")
	}
	d.Release()
	wantPanic(t, "RuntimeError", "Dict: used after Release", func() { d.Set("x", 1) })
	var none *selfsame.Dict[string, int64]
	wantPanic(t, "ValueError", "Dict: a nil dict cannot be changed", func() { none.Set("x", 1) })
}

// Requirement: D4
func TestDictKeysCompareByTypeAndContent(t *testing.T) {
	balanced(t)
	p, q := PointClass.New(nil), PointClass.New(nil)
	byPoint := must(selfsame.NewDict(map[*PointHandle]string{p: "p"}))(t)
	byPoint.Set(q, "q")
	if got, ok := byPoint.Get(q); !ok || got != "q" {
		t.Errorf("by object: %q, %v", got, ok)
	}
	mixed := must(selfsame.NewDict[any, any](nil))(t)
	for i, key := range []any{1, 1.0, true, "1", []byte("1"), nil, p, "a string of some length"} {
		mixed.Set(key, i)
	}
	for i, key := range []any{1, 1.0, true, "1", []byte("1"), nil, p, "a string of some length"} {
		if got, ok := mixed.Get(key); !ok || got != int64(i) {
			t.Errorf("mixed[%v] = %v, %v, want %d", key, got, ok, i)
		}
	}
	// The runtime hashes a key whose class has a hash hook.
	structural := must(selfsame.GetFunc("ffi.StructuralKey"))(t)
	key := func() any { return must(structural.Call([]any{1, "two"}))(t) }
	mixed.Set(key(), "structural")
	if got, ok := mixed.Get(key()); !ok || got != "structural" {
		t.Errorf("structural key: %v, %v", got, ok)
	}
	for i := range 100 { // grows, with that key in it
		mixed.Set(i+1000, i)
	}
	if got, ok := mixed.Get(key()); !ok || got != "structural" {
		t.Errorf("structural key after growth: %v, %v", got, ok)
	}
	if !mixed.Delete(key()) || mixed.Delete(key()) {
		t.Error("Delete of a structural key")
	}
}
