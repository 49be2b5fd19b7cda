package selfsame_test

import (
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// A loop's reference is released when the loop ends in any way: at once, or after a panic by the next collection.
//
// Requirement: D4
func TestLoopsDropTheirReference(t *testing.T) {
	balanced(t)
	array := must(selfsame.NewArray([]int64{1, 2, 3, 4}))(t)
	h := EverythingClass.New(func(e *Everything) { e.Ints.Assign(array) })
	field := &h.Get().Ints
	list := must(selfsame.NewList([]float64{1, 2, 3}))(t)
	arrayAt, listAt := addressOf(t, array), addressOf(t, list)
	counts := func() [2]uint32 { return [2]uint32{abi.StrongCount(arrayAt), abi.StrongCount(listAt)} }
	before := counts()
	for name, run := range map[string]func(){
		"to the end": func() {
			for range array.All() {
			}
			for range field.Values() {
			}
			for range list.Backward() {
			}
		},
		"break": func() {
			for i := range field.All() {
				if i == 1 {
					break
				}
			}
			for range list.Values() {
				break
			}
		},
		"return": func() {
			for range array.Backward() {
				for range list.All() {
					return
				}
			}
		},
		"not in line": func() {
			if got := slices.Collect(field.Values()); !slices.Equal(got, []int64{1, 2, 3, 4}) {
				t.Errorf("collected %v", got)
			}
		},
		"panic": func() {
			defer func() { _ = recover() }()
			for range array.Values() {
				for _, x := range list.All() {
					for i := range field.Backward() {
						if x == 2 && i == 1 {
							panic("in the body")
						}
					}
				}
			}
		},
	} {
		run()
		if name == "panic" {
			selfsame.Collect()
		}
		if after := counts(); after != before {
			t.Errorf("%s: use counts %v, %v before", name, after, before)
		}
	}
	h.Release()
	array.Release()
	list.Release()
}

// addressOf returns the native object of a handle of any kind, which it finds through an Any field.
func addressOf(t *testing.T, handle any) unsafe.Pointer {
	t.Helper()
	h := EverythingClass.New(func(e *Everything) { e.Value.Set(handle) })
	defer h.Release()
	value, failed := bridge.GetField(fieldInfo(t, EverythingClass.TypeIndex(), "value"), unsafe.Pointer(h.Get()))
	if failed != nil {
		t.Fatal(errorText(failed))
	}
	bridge.DecRef(value.Pointer()) // the handle still owns a reference
	return value.Pointer()
}

// Requirement: D8
func TestLoopsRunOnManyGoroutines(t *testing.T) {
	balanced(t)
	array := must(selfsame.NewArray([]int64{1, 2, 3, 4, 5}))(t)
	names := must(selfsame.NewArray([]string{"a", "a name of some length"}))(t)
	stop := collectAllTheTime()
	var wg sync.WaitGroup
	for g := range 8 {
		spawn(&wg, func() {
			for round := range 300 {
				func() {
					defer func() { _ = recover() }()
					sum := int64(0)
					for i, v := range array.All() {
						if v != int64(i+1) {
							t.Errorf("element %d is %d", i, v)
						}
						for _, name := range names.All() {
							sum += int64(len(name)) * v
						}
						if round%10 == 0 && i == g%5 {
							panic("in the body")
						}
					}
					if sum != 22*15 {
						t.Errorf("sum %d", sum)
					}
				}()
			}
		})
	}
	wg.Wait()
	stop()
	array.Release()
	names.Release()
}
