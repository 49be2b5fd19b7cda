package selfsame_test

import (
	"fmt"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Containers of a thousand elements, as a program in Go fills and reads them: make bench-go.

const benchElements = 1000

func benchKeys() (ints [benchElements]int64, texts [benchElements]string) {
	for i := range ints {
		ints[i], texts[i] = int64(i)*7919, fmt.Sprint("a key of text ", i)
	}
	return ints, texts
}

func BenchmarkListAppend(b *testing.B) {
	for b.Loop() {
		l := must(selfsame.NewList[int64](nil))(b)
		for i := range int64(benchElements) {
			l.Append(i)
		}
		l.Release()
	}
}

func BenchmarkListSetAt(b *testing.B) {
	l := must(selfsame.NewList(make([]int64, benchElements)))(b)
	for b.Loop() {
		for i := range benchElements {
			l.SetAt(i, int64(i))
		}
	}
}

func BenchmarkListAt(b *testing.B) {
	l := must(selfsame.NewList(make([]int64, benchElements)))(b)
	for b.Loop() {
		for i := range benchElements {
			l.At(i)
		}
	}
}

func BenchmarkListAll(b *testing.B) {
	l := must(selfsame.NewList(make([]int64, benchElements)))(b)
	sum := int64(0)
	for b.Loop() {
		for _, e := range l.All() {
			sum += e
		}
	}
	_ = sum
}

func BenchmarkListInsertDelete(b *testing.B) {
	l := must(selfsame.NewList(make([]int64, benchElements)))(b)
	for b.Loop() {
		l.Insert(0, 1)
		l.Delete(0, 1)
	}
}

func BenchmarkDictFill(b *testing.B) {
	ints, texts := benchKeys()
	b.Run("Ints", func(b *testing.B) {
		for b.Loop() {
			d := must(selfsame.NewDict(map[int64]int64{}))(b)
			for i, k := range ints {
				d.Set(k, int64(i))
			}
			d.Release()
		}
	})
	b.Run("Texts", func(b *testing.B) {
		for b.Loop() {
			d := must(selfsame.NewDict(map[string]int64{}))(b)
			for i, k := range texts {
				d.Set(k, int64(i))
			}
			d.Release()
		}
	})
}

func BenchmarkDict(b *testing.B) {
	ints, _ := benchKeys()
	d := must(selfsame.NewDict(map[int64]int64{}))(b)
	for _, k := range ints {
		d.Set(k, k)
	}
	b.Run("Replace", func(b *testing.B) {
		for b.Loop() {
			for _, k := range ints {
				d.Set(k, 1)
			}
		}
	})
	b.Run("Get", func(b *testing.B) {
		for b.Loop() {
			for _, k := range ints {
				d.Get(k)
			}
		}
	})
	b.Run("All", func(b *testing.B) {
		for b.Loop() {
			for range d.All() {
			}
		}
	})
	b.Run("DeleteAndSet", func(b *testing.B) {
		for b.Loop() {
			d.Delete(7919)
			d.Set(7919, 1)
		}
	})
}

func BenchmarkMap(b *testing.B) {
	_, texts := benchKeys()
	entries := map[string]int64{}
	for i, k := range texts {
		entries[k] = int64(i)
	}
	b.Run("New", func(b *testing.B) {
		for b.Loop() {
			must(selfsame.NewMap(entries))(b).Release()
		}
	})
	m := must(selfsame.NewMap(entries))(b)
	b.Run("Get", func(b *testing.B) {
		for b.Loop() {
			for _, k := range texts {
				m.Get(k)
			}
		}
	})
	b.Run("All", func(b *testing.B) {
		for b.Loop() {
			for range m.All() {
			}
		}
	})
}
