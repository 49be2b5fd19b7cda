package gen

import (
	"math"
	"reflect"
	"testing"
)

type parted struct {
	name  string
	parts []float64
	more  map[string]int
	any   any
}

func TestTheHashOfPartsIsThatOfEqualValues(t *testing.T) {
	one := parted{"a", []float64{0, 1}, map[string]int{"x": 1}, 1}
	for _, other := range []parted{
		{"a", []float64{math.Copysign(0, -1), 1}, map[string]int{"x": 1}, 1}, {"a", []float64{0, 1}, map[string]int{"x": 1}, 1},
	} {
		if !reflect.DeepEqual(one, other) || HashOfParts(one) != HashOfParts(other) {
			t.Errorf("%v and %v have other hashes", one, other)
		}
	}
	for _, other := range []parted{{}, {"b", one.parts, one.more, 1}, {"a", []float64{1, 0}, one.more, 1}, {"a", one.parts, nil, 1}} {
		if HashOfParts(one) == HashOfParts(other) {
			t.Errorf("%v and %v have one hash", one, other)
		}
	}
}
