package convert

import (
	"math"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// A Go value of type any can contain itself, as a map that is a value of itself. Its conversion is a recursion through To of
// containers and FromGo, and Go ends the process when its stack is full. So the depth is counted. It travels in the memory
// of the result: before a container converts an element, it writes the depth where the element's value will be.

// maxDepth is how many containers may be around a value.
const maxDepth = 1000

// depthMark is the type index of memory that holds a depth. No value has it.
const depthMark = math.MinInt32 + 0x5e1f

// depthOf returns the depth in the memory of a result; 0 for memory that holds none.
func depthOf(v *abi.Any) uint32 {
	if v.TypeIndex != depthMark {
		return 0
	}
	return v.Len
}

// below returns the content of an element's memory, for a container at the depth.
func below(depth uint32) abi.Any { return abi.Any{TypeIndex: depthMark, Len: depth + 1} }

// fillBelow writes the content of the memory of all elements.
func fillBelow(owned []abi.Any, depth uint32) {
	for i := range owned {
		owned[i] = below(depth)
	}
}

func tooDeep() error {
	return fault.New(deepKind, "the value contains itself, or its containers are nested more than %d deep", maxDepth)
}

// deepKind is the kind of an error to which the containers around the value add no place: the path would have as many steps
// as they are deep.
const deepKind = "RecursionError"
