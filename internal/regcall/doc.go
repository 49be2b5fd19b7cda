// Package regcall calls Go funcs of nearly any type without reflect.Value.Call, which takes several times as long as the
// conversions of a typical call.
//
// Go passes the words of arguments in registers, integers and pointers in one row and floats in another, in the order of
// the parameters whatever their types (the ABI specification in the Go source, cmd/compile/abi-internal.md). A func whose
// arguments all fit can therefore be called as if it took [NumInts] integers and [NumFloats] floats: it reads its own
// registers only. The caller keeps alive what the pointers among the integers point to. Results must have their own types,
// since a new pointer is nowhere else; there are few kinds of them.
//
// The build constraint of regcall.go names the first Go release that this was not tried with. With a tried one, two calls
// check it when the program starts. Otherwise Of returns nil, and the caller uses reflection.
//
// RATIONALE.md, "Why there are typed funcs, and why others are called through registers"
package regcall

// The registers of each row that a func may use.
const (
	NumInts   = 9
	NumFloats = 8
)

// Words are the arguments of a call as they stand in registers; those beyond the func's own have any value.
type Words struct {
	Ints   [NumInts]uint64 // an int smaller than a word in the low bits, a pointer as its address
	Floats [NumFloats]float64
}
