package convert

import (
	"reflect"
	"testing"
	"time"
)

type tree []tree

type copied struct {
	When    time.Time
	Name    string
	Data    []byte
	Parts   [1][][]int
	ByName  map[string][]int
	Next    *copied
	Unseen  []int `ffi:"-"`
	Entries []copied
	hidden
}

type hidden struct{ Deep []int }

func original() copied {
	return copied{
		When: time.Unix(1, 2), Name: "a", Data: []byte{1}, Parts: [1][][]int{{{1}, nil}}, ByName: map[string][]int{"a": {1}, "b": nil},
		Next: &copied{Data: []byte{1}}, Unseen: []int{1}, Entries: []copied{{Data: []byte{1}}}, hidden: hidden{[]int{1}},
	}
}

func TestACopySharesNothingThatCanChange(t *testing.T) {
	for _, pointers := range []bool{false, true} {
		value := original()
		made := deepCopy(reflect.ValueOf(value), pointers).Interface().(copied)
		if !reflect.DeepEqual(made, value) {
			t.Fatalf("%+v", made)
		}
		value.Data[0], value.Parts[0][0][0], value.ByName["a"][0], value.Entries[0].Data[0], value.Deep[0] = 9, 9, 9, 9, 9
		value.ByName["c"] = nil
		value.Next.Data[0], value.Unseen[0] = 9, 9
		want := original()
		want.Unseen[0] = 9 // other languages do not see it
		if !pointers {
			want.Next.Data[0] = 9
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("pointers %v: got %+v, want %+v", pointers, made, want)
		}
	}
}

func TestValuesOfATypeThatContainsItselfAreCopied(t *testing.T) {
	value := tree{{}, {{}, nil}}
	made := deepCopy(reflect.ValueOf(value), false).Interface().(tree)
	value[1][1] = tree{}
	if !reflect.DeepEqual(made, tree{{}, {{}, nil}}) {
		t.Errorf("%v", made)
	}
}
