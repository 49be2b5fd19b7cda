package selfsame_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

type Color struct {
	selfsame.IntEnum
	RGB int32
}

func (c *Color) Hex() string { return fmt.Sprintf("#%06x", c.RGB) }

var ColorClass = selfsame.MustRegister[Color]("paint.Color", selfsame.Method("hex", (*Color).Hex, "For web pages."))

var (
	Red  = selfsame.MustMember(ColorClass, "red", 1, func(c *Color) { c.RGB = 0xff0000 })
	Blue = selfsame.MustMember(ColorClass, "a blue of some length", 7, func(c *Color) { c.RGB = 0xff })
)

type Mode struct{ selfsame.StrEnum }

var (
	ModeClass = selfsame.MustRegister[Mode]("paint.Mode", selfsame.Final())
	Fast      = selfsame.MustMember(ModeClass, "fast", 0, nil)
)

// Brush has fields of enums.
type Brush struct {
	selfsame.Object
	Color selfsame.Ref[Color]
	Mode  selfsame.Opt[Mode]
}

var BrushClass = selfsame.MustRegister[Brush]("paint.Brush")

// Requirement: A14
func TestEnumMembersHaveNamesAndNumbers(t *testing.T) {
	balanced(t)
	if Red.Get().Name() != "red" || Red.Get().Number() != 1 || Blue.Get().Hex() != "#0000ff" || Red == Blue {
		t.Errorf("red: %v %d", Red.Get(), Red.Get().Number())
	}
	if members := ColorClass.Members(); len(members) != 2 || members[0] != Red || members[1] != Blue {
		t.Errorf("members: %v", members)
	}
	if h, ok := ColorClass.MemberNamed("a blue of some length"); !ok || h != Blue {
		t.Errorf("by name: %v", h)
	}
	if h, ok := ColorClass.MemberFor(1); !ok || h != Red {
		t.Errorf("by number: %v", h)
	}
	if _, ok := ColorClass.MemberNamed("green"); ok {
		t.Error("found a member that nobody made")
	}
	_, err := selfsame.Member(ColorClass, "red", 9, nil)
	wantError(t, err, "ValueError", "Member: enum `paint.Color` already has a member red")
	_, err = selfsame.Member(ColorClass, "green", 7, nil)
	wantError(t, err, "ValueError", "already has a member 7")
	_, err = selfsame.Member(PointClass, "x", 1, nil)
	wantError(t, err, "TypeError", "selfsame_test.Point embeds no enum base")
	if PointClass.Members() != nil {
		t.Error("a Point has members")
	}
}

// Requirement: A14
func TestEnumMembersKeepIdentityAcrossTheBoundary(t *testing.T) {
	balanced(t)
	next := must(selfsame.NewFunc(func(c *selfsame.Handle[Color]) *selfsame.Handle[Color] {
		switch c {
		case Red:
			return Blue
		case Blue:
			return Red
		}
		return nil
	}))(t)
	if got := must(next.Call(Red))(t); got != any(Blue) {
		t.Errorf("after red: %v", got)
	}
	_, err := next.Call(Fast)
	wantError(t, err, "TypeError", "Expected `paint.Color` but got `paint.Mode`")
	if hex := must(selfsame.CallMethod(Red, "hex"))(t); hex != "#ff0000" {
		t.Errorf("hex = %v", hex)
	}
	for name, want := range map[string]any{"value": int64(1), "_str_index": "red", "_int_index": int64(1)} {
		if got := must(selfsame.GetField(Red, name))(t); got != want {
			t.Errorf("red.%s = %v, want %v", name, got, want)
		}
	}
	if got := must(selfsame.GetField(Fast, "value"))(t); got != "fast" {
		t.Errorf("fast.value = %v", got)
	}
	b := BrushClass.New(func(b *Brush) { b.Color.Set(Blue) })
	if b.Get().Color.Get() != Blue || b.Get().Mode.Get() != nil {
		t.Error("the brush has another color")
	}
	repr := must(selfsame.GetFunc("ffi.ReprPrint"))(t)
	if text := must(repr.Call(Red))(t); text != "paint.Color.red" {
		t.Errorf("red prints as %v", text)
	}
	copied := must(must(selfsame.GetFunc("ffi.DeepCopy"))(t).Call(b))(t).(*selfsame.Handle[Brush])
	if copied == b || copied.Get().Color.Get() != Blue {
		t.Error("a deep copy has another member")
	}
	equal := must(selfsame.GetFunc("ffi.StructuralEqual"))(t)
	if must(equal.Call(Red, Red, false, false))(t) != true || must(equal.Call(Red, Blue, false, false))(t) != false {
		t.Error("structural equality of members")
	}
}

// Shade is an enum whose members the tests make.
type Shade struct{ selfsame.IntEnum }

var ShadeClass = selfsame.MustRegister[Shade]("paint.Shade")

// Requirement: A14
func TestEnumMembersAreUnique(t *testing.T) {
	_, err := selfsame.Member(ShadeClass, "not UTF-8: \xff", 1, nil)
	wantError(t, err, "ValueError", "not UTF-8")
	if _, ok := ShadeClass.MemberNamed("not UTF-8: \xff"); ok {
		t.Error("a member has a name that is not UTF-8")
	}
	_, err = selfsame.Member(ShadeClass, "dark", 1, func(*Shade) { must(selfsame.Member(ShadeClass, "dark", 2, nil))(t) })
	wantError(t, err, "ValueError", "already has a member dark")
	if h, ok := ShadeClass.MemberNamed("dark"); !ok || h.Get().Number() != 2 {
		t.Errorf("dark is %v", h)
	}

	const names = 50
	var made atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		spawn(&wg, func() {
			for i := range names {
				if _, err := selfsame.Member(ShadeClass, fmt.Sprint("shade ", i), int64(100+i), nil); err == nil {
					made.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if made.Load() != names || len(ShadeClass.Members()) != names+1 {
		t.Errorf("%d members were made of %d names; there are %d", made.Load(), names, len(ShadeClass.Members()))
	}
}
