package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

type borrowedBase struct{ selfsame.Object }

type borrowedDerived struct{ borrowedBase }

type borrowedOther struct{ selfsame.Object }

var (
	borrowedBaseClass    = selfsame.MustRegister[borrowedBase]("borrowed.Base")
	borrowedDerivedClass = selfsame.MustRegister[borrowedDerived]("borrowed.Derived")
	borrowedOtherClass   = selfsame.MustRegister[borrowedOther]("borrowed.Other")
)

func TestPtrAs(t *testing.T) {
	derived, other := borrowedDerivedClass.New(nil), borrowedOtherClass.New(nil)
	defer derived.Release()
	defer other.Release()
	base := &derived.Get().borrowedBase
	if p, ok := selfsame.PtrAs[borrowedDerived](base); !ok || p != derived.Get() {
		t.Errorf("down to the object's own class: got %p, %v", p, ok)
	}
	if p, ok := selfsame.PtrAs[borrowedBase](derived); !ok || p != base {
		t.Errorf("up, from a handle: got %p, %v", p, ok)
	}
	if p, ok := selfsame.PtrAs[borrowedOther](base); ok || p != nil {
		t.Errorf("to a class that it is not: got %p, %v", p, ok)
	}
	if _, ok := selfsame.PtrAs[borrowedBase](other); ok {
		t.Error("an object of another class was taken for a borrowed.Base")
	}
	if _, ok := selfsame.PtrAs[borrowedBase]((*borrowedBase)(nil)); ok {
		t.Error("a nil pointer was taken for an object")
	}
	if _, ok := selfsame.PtrAs[borrowedBase](nil); ok {
		t.Error("a nil interface was taken for an object")
	}
}

func TestTypeKeyOf(t *testing.T) {
	derived := borrowedDerivedClass.New(nil)
	defer derived.Release()
	plain := borrowedBaseClass.New(nil)
	defer plain.Release()
	for want, object := range map[string]selfsame.Native{
		"borrowed.Derived": &derived.Get().borrowedBase, "borrowed.Base": plain, "None": (*borrowedBase)(nil),
	} {
		if got := selfsame.TypeKeyOf(object); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := selfsame.TypeKeyOf(nil); got != "None" {
		t.Errorf("of nil: got %q, want None", got)
	}
}
