package selfsame_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

func liveOf(key string) (out []selfsame.LiveHandle) {
	for _, l := range selfsame.LiveHandles() {
		if l.TypeKey == key {
			out = append(out, l)
		}
	}
	return out
}

type counted struct{ selfsame.Object }

var countedClass = selfsame.MustRegister[counted]("test.Counted")

// Requirement: D8
func TestLiveHandlesListsHandles(t *testing.T) {
	balanced(t)
	a, b := countedClass.New(nil), countedClass.New(nil)
	if live := liveOf("test.Counted"); len(live) != 2 || live[0].UseCount != 1 || live[0].Address >= live[1].Address {
		t.Fatalf("live: %v", live)
	}
	a.Release()
	if live := liveOf("test.Counted"); len(live) != 1 || live[0].String() == "" {
		t.Errorf("after Release: %v", live)
	}
	runtime.KeepAlive(b)
	b = nil
	selfsame.Collect()
	if live := liveOf("test.Counted"); len(live) != 0 {
		t.Errorf("after collection: %v", live)
	}
	for _, l := range selfsame.LiveHandles() {
		if strings.HasPrefix(l.String(), "(") {
			t.Errorf("a handle of no class: %v", l)
		}
	}
}
