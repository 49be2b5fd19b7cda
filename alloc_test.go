package selfsame_test

import (
	"testing"

	"github.com/selfsame-ffi/selfsame"
)

// Reading and changing containers of common element types allocates no Go memory.
//
// Requirement: D4
func TestContainersAreReadWithoutAllocation(t *testing.T) {
	numbers := must(selfsame.NewList([]int64{1000, 2000}))(t)
	numbers.Grow(10_000)
	byNumber := must(selfsame.NewMap(map[int64]int64{5000: 6000}))(t)
	byText := must(selfsame.NewDict(map[string]float64{"a key of some length": 1.5}))(t)
	p := PointClass.New(nil)
	points := must(selfsame.NewArray([]*PointHandle{p}))(t)
	for name, f := range map[string]func(){
		"At":            func() { numbers.At(1) },
		"SetAt":         func() { numbers.SetAt(0, 3000) },
		"Append":        func() { numbers.Append(4000) },
		"Map.Get":       func() { byNumber.Get(5000) },
		"Dict.Get":      func() { byText.Get("a key of some length") },
		"At of handles": func() { points.At(0) },
	} {
		if n := testing.AllocsPerRun(1000, f); n != 0 {
			t.Errorf("%s makes %v allocations", name, n)
		}
	}
}
