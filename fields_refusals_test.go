package selfsame_test

import (
	"testing"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame"
)

type refusedSlice struct {
	selfsame.Object
	F []int
}
type refusedBytes struct {
	selfsame.Object
	F []byte
}
type refusedPointer struct {
	selfsame.Object
	F *Point
}
type refusedUnsafe struct {
	selfsame.Object
	F unsafe.Pointer
}
type refusedChan struct {
	selfsame.Object
	F chan int
}
type refusedFunc struct {
	selfsame.Object
	F func()
}
type refusedInterface struct {
	selfsame.Object
	F any
}
type refusedError struct {
	selfsame.Object
	F error
}
type refusedHandle struct {
	selfsame.Object
	F *PointHandle
}
type refusedArray struct {
	selfsame.Object
	F [2]string `ffi:"-"`
}
type refusedTime struct {
	selfsame.Object
	F time.Time
}
type refusedDeep struct {
	selfsame.Object
	F struct{ A struct{ B [3]map[string]int } } `ffi:"-"`
}
type refusedUintptr struct {
	selfsame.Object
	F uintptr
}
type refusedComplex struct {
	selfsame.Object
	F complex128
}
type refusedNumbers struct {
	selfsame.Object
	F [4]float64
}
type embedded struct{ P *int }
type refusedEmbedded struct {
	selfsame.Object
	embedded
}
type refusedSecondClass struct {
	selfsame.Object
	Point
}
type refusedSecondObject struct {
	selfsame.Object
	F selfsame.Object `ffi:"-"`
}
type refusedClassField struct {
	selfsame.Object
	F Point `ffi:"-"`
}
type refusedElement struct {
	selfsame.Object
	F selfsame.Array[chan int]
}
type refusedKey struct {
	selfsame.Object
	F selfsame.Map[string, struct{}]
}
type refusedRef struct {
	selfsame.Object
	F selfsame.Ref[embedded]
}
type refusedInherited struct {
	Point
	X int64
}
type refusedSnake struct {
	selfsame.Object
	TheName  int64
	The_name int64 // the same name in snake case
}
type tagUnexported struct {
	selfsame.Object
	//lint:ignore U1000 refused, not used
	f int64 `ffi:"rw"`
}
type tagName struct {
	selfsame.Object
	F int64 `ffi:"name=2d"`
}
type tagEmptyName struct {
	selfsame.Object
	F int64 `ffi:"name="`
}
type tagQuote struct {
	selfsame.Object
	F selfsame.String `ffi:"default='open"`
}
type tagDefaultType struct {
	selfsame.Object
	F selfsame.List[int64] `ffi:"default=3"`
}
type tagNone struct {
	selfsame.Object
	F selfsame.Ref[Point] `ffi:"default=None"`
}
type tagTwice struct {
	selfsame.Object
	F int64 `ffi:"name=a,name=b"`
}
type tagBoth struct {
	selfsame.Object
	F int64 `ffi:"ro,rw"`
}
type tagValue struct {
	selfsame.Object
	F int64 `ffi:"kwonly=1"`
}

// A struct that holds what it must not, or has a tag that means nothing, is refused, and the error names the field.
//
// Requirement: D1
func TestRefusalsNameTheField(t *testing.T) {
	for part, err := range map[string]error{
		"refusedSlice.F: expected a type without Go memory, got []int; use selfsame.Array or selfsame.List":            reg[refusedSlice]("t.R"),
		"refusedBytes.F: expected a type without Go memory, got []uint8; use selfsame.Bytes":                           reg[refusedBytes]("t.R"),
		"refusedPointer.F: expected a type without Go memory, got *selfsame_test.Point; use selfsame.Ref":              reg[refusedPointer]("t.R"),
		"refusedUnsafe.F: expected a type without Go memory, got unsafe.Pointer; ":                                     reg[refusedUnsafe]("t.R"),
		"refusedChan.F: expected a type without Go memory, got chan int; ":                                             reg[refusedChan]("t.R"),
		"refusedFunc.F: expected a type without Go memory, got func(); ":                                               reg[refusedFunc]("t.R"),
		"refusedInterface.F: expected a type without Go memory, got interface {}; use selfsame.Any":                    reg[refusedInterface]("t.R"),
		"refusedError.F: expected a type without Go memory, got error; ":                                               reg[refusedError]("t.R"),
		"refusedHandle.F: expected a type without Go memory, got *selfsame.Handle[":                                    reg[refusedHandle]("t.R"),
		"refusedArray.F: expected a type without Go memory, got string; ":                                              reg[refusedArray]("t.R"),
		"refusedTime.F: expected a type without Go memory, got time.Time; use selfsame.Value[time.Time]":               reg[refusedTime]("t.R"),
		"refusedDeep.F: expected a type without Go memory, got map[string]int; ":                                       reg[refusedDeep]("t.R"),
		"refusedUintptr.F: expected a type that other languages know, got uintptr; tag":                                reg[refusedUintptr]("t.R"),
		"refusedComplex.F: expected a type that other languages know, got complex128; tag":                             reg[refusedComplex]("t.R"),
		"refusedNumbers.F: expected a type that other languages know, got [4]float64; tag the field `ffi:\"-\"`":       reg[refusedNumbers]("t.R"),
		"refusedEmbedded.embedded: expected a type without Go memory, got *int; ":                                      reg[refusedEmbedded]("t.R"),
		"refusedSecondClass.Point: expected field types of package selfsame only as fields of the class struct itself": reg[refusedSecondClass]("t.R"),
		"refusedSecondObject.F: expected field types of package selfsame only as fields of the class struct itself":    reg[refusedSecondObject]("t.R"),
		"refusedClassField.F: expected field types of package selfsame only as fields of the class struct itself":      reg[refusedClassField]("t.R"),
		"refusedElement.F: chan int has no counterpart in the ABI":                                                     reg[refusedElement]("t.R"),
		"refusedKey.F: expected a type that objects can hold, got selfsame.Map[string,struct {}]":                      reg[refusedKey]("t.R"),
		"refusedRef.F: selfsame_test.embedded is not a class struct":                                                   reg[refusedRef]("t.R"),
		"refusedInherited.X: the name `x` is taken by geo.Point":                                                       reg[refusedInherited]("t.R"),
		"refusedSnake.The_name: the name `the_name` is taken":                                                          reg[refusedSnake]("t.R"),
		"tagUnexported.f: expected no ffi tag, as the field is not exported":                                           reg[tagUnexported]("t.R"),
		"tagName.F: unknown part `name=2d` of the ffi tag":                                                             reg[tagName]("t.R"),
		"tagEmptyName.F: unknown part `name=` of the ffi tag":                                                          reg[tagEmptyName]("t.R"),
		"t.R.F: expected a default of type str, got `'open`":                                                           reg[tagQuote]("t.R"),
		"t.R.F: expected a default of type List<int>, got `3`":                                                         reg[tagDefaultType]("t.R"),
		"t.R.F: expected a default of type geo.Point, got `None`":                                                      reg[tagNone]("t.R"),
		"tagTwice.F: repeated part `name=b` of the ffi tag":                                                            reg[tagTwice]("t.R"),
		"tagBoth.F: repeated part `rw` of the ffi tag":                                                                 reg[tagBoth]("t.R"),
		"tagValue.F: unknown part `kwonly=1` of the ffi tag":                                                           reg[tagValue]("t.R"),
	} {
		kind := "TypeError"
		if part[:2] == "t." {
			kind = "ValueError"
		}
		wantError(t, err, kind, part)
	}
}
