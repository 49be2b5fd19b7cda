package selfsame_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// numbered gives one class per pair of the types below: more classes than there are creators (internal/bridge/object.c).
type numbered[A, B any] struct {
	selfsame.Object
	N    int64                 `ffi:"default=7"`
	Each selfsame.List[string] `ffi:"init=off"`
}

var numberedKeys []string

func numberedOne[A, B any]() {
	key := fmt.Sprintf("many.C%d", len(numberedKeys))
	selfsame.MustRegister[numbered[A, B]](key, selfsame.AutoInit())
	numberedKeys = append(numberedKeys, key)
}

func numberedRow[A any]() {
	numberedOne[A, [0]byte]()
	numberedOne[A, [1]byte]()
	numberedOne[A, [2]byte]()
	numberedOne[A, [3]byte]()
	numberedOne[A, [4]byte]()
	numberedOne[A, [5]byte]()
	numberedOne[A, [6]byte]()
	numberedOne[A, [7]byte]()
	numberedOne[A, [8]byte]()
	numberedOne[A, [9]byte]()
	numberedOne[A, [10]byte]()
	numberedOne[A, [11]byte]()
	numberedOne[A, [12]byte]()
	numberedOne[A, [13]byte]()
	numberedOne[A, [14]byte]()
	numberedOne[A, [15]byte]()
	numberedOne[A, [16]byte]()
}

var registerNumbered = sync.OnceFunc(func() {
	numberedRow[[0]byte]()
	numberedRow[[1]byte]()
	numberedRow[[2]byte]()
	numberedRow[[3]byte]()
	numberedRow[[4]byte]()
	numberedRow[[5]byte]()
	numberedRow[[6]byte]()
	numberedRow[[7]byte]()
	numberedRow[[8]byte]()
	numberedRow[[9]byte]()
	numberedRow[[10]byte]()
	numberedRow[[11]byte]()
	numberedRow[[12]byte]()
	numberedRow[[13]byte]()
	numberedRow[[14]byte]()
	numberedRow[[15]byte]()
	numberedRow[[16]byte]()
})

// Requirement: D1
func TestMoreClassesThanNumberedCreators(t *testing.T) {
	registerNumbered()
	balanced(t)
	for i, key := range numberedKeys {
		h := must(selfsame.NewObject(key, i))(t)
		if n := must(selfsame.GetField(h, "n"))(t); n != int64(i) {
			t.Fatalf("%s: n = %v", key, n)
		}
		copied, ok := global(t, "ffi.DeepCopy", h).(selfsame.AnyHandle)
		if !ok || selfsame.Same(copied, h) || must(selfsame.GetField(copied, "n"))(t) != int64(i) {
			t.Fatalf("%s: the copy is %v", key, copied)
		}
	}
	if len(numberedKeys) <= 256 {
		t.Errorf("only %d classes", len(numberedKeys))
	}
}
