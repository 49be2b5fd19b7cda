package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Requirement: D3
func TestMoveHandsTheReferenceOver(t *testing.T) {
	balanced(t)
	live := func() int64 { n, _ := PointClass.LiveObjects(); return n }
	before := live()
	var left *PointHandle
	for _, fn := range []any{
		func() selfsame.Moved[Point] {
			left = PointClass.New(func(p *Point) { p.X = 7 })
			return selfsame.Move(left)
		},
		adaptedFunc0(func() selfsame.Moved[Point] {
			left = PointClass.New(func(p *Point) { p.X = 7 })
			return selfsame.Move(left)
		}),
	} {
		make := must(selfsame.NewFunc(fn))(t)
		h := must(selfsame.CallAs[*PointHandle](make))(t)
		if h == left || !left.Released() || h.UseCount() != 1 || h.Get().X != 7 {
			t.Errorf("moved: %v, use count %d, the old handle is released: %v", h, h.UseCount(), left.Released())
		}
		h.Release()
		if n, ok := PointClass.LiveObjects(); ok && n != before {
			t.Errorf("%d live points, were %d", n, before)
		}
		make.Release()
	}
	use := must(selfsame.NewFunc(func(p *Point) float64 { return p.X }))(t)
	p := PointClass.New(func(p *Point) { p.X = 3 })
	if x := must(use.Call(selfsame.Move(p)))(t); x != 3.0 || !p.Released() {
		t.Errorf("moved argument: %v, released: %v", x, p.Released())
	}
	wantPanic(t, "RuntimeError", "]: used after Release", func() { _, _ = use.Call(selfsame.Move(p)) })
	none := must(selfsame.NewFunc(func() selfsame.Moved[Point] { return selfsame.Move[Point](nil) }))(t)
	if got := must(none.Call())(t); got != nil {
		t.Errorf("nothing moved: %v", got)
	}
	_, err := must(selfsame.NewFunc(func(selfsame.Moved[Point]) {}))(t).Call(PointClass.New(nil))
	wantError(t, err, "TypeError", "Moved[selfsame_test.Point]: expected a result or an argument of a call, got a parameter")
}

// A handle that other goroutines use as well can be moved: for them it is released.
//
// Requirement: D3
func TestMoveOfASharedObjectLeavesTheOthers(t *testing.T) {
	balanced(t)
	p := PointClass.New(func(p *Point) { p.X = 4 })
	q := PointClass.New(func(q *Point) { q.Next.Set(p) })
	give := must(selfsame.NewFunc(func(q *Point) selfsame.Moved[Point] { return selfsame.Move(q.Next.Get()) }))(t)
	h := must(selfsame.CallAs[*PointHandle](give, q))(t)
	if !p.Released() || h == p || h.UseCount() != 2 || q.Get().Next.Get() != h {
		t.Errorf("moved: %v, use count %d", h, h.UseCount())
	}
}

// Requirement: D3
func TestWithKeepsTheHandleAlive(t *testing.T) {
	balanced(t)
	if x := selfsame.With(PointClass.New(func(p *Point) { p.X = 5 }), func(p *Point) float64 {
		selfsame.Collect() // the handle is in no variable, yet alive
		return p.X
	}); x != 5 {
		t.Errorf("X = %v", x)
	}
	wantPanic(t, "ValueError", "nil handle", func() { selfsame.With((*PointHandle)(nil), (*Point).Norm) })
}
