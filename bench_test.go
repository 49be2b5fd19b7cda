package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

func BenchmarkNewAndRelease(b *testing.B) {
	for b.Loop() {
		PointClass.New(nil).Release()
	}
}

func BenchmarkFetchKnownHandle(b *testing.B) {
	p := PointClass.New(nil)
	q := PointClass.New(func(q *Point) { q.Next.Set(p) })
	for b.Loop() {
		if q.Get().Next.Get() != p {
			b.Fatal("another handle")
		}
	}
}

func BenchmarkReadField(b *testing.B) {
	p := PointClass.New(nil)
	sum := 0.0
	for b.Loop() {
		sum += p.Get().X
	}
	_ = sum
}

func BenchmarkCall(b *testing.B) {
	p := PointClass.New(nil)
	for _, c := range []struct {
		name string
		fn   any
		args []any
	}{
		{"Nothing", func() {}, nil},
		{"Ints", func(a, b int64) int64 { return a + b }, []any{int64(1), int64(2)}},
		{"Floats", func(a, b float64) float64 { return a + b }, []any{1.0, 2.0}},
		{"Borrowed", func(p *Point) float64 { return p.X }, []any{p}},
		{"Handle", func(p *PointHandle) *PointHandle { return p }, []any{p}},
		{"Text", func(s string) string { return s }, []any{"more than seven characters"}},
		{"Any", func(a any) (any, error) { return a, nil }, []any{p}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := must(selfsame.NewFunc(c.fn))(b)
			for b.Loop() {
				if _, err := f.Call(c.args...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkIsolatedCall(b *testing.B) {
	f := must(selfsame.NewFunc(func() {}, selfsame.Isolated()))(b)
	for b.Loop() {
		if _, err := f.Call(); err != nil {
			b.Fatal(err)
		}
	}
}
