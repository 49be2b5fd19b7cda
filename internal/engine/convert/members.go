package convert

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
)

// Member returns an owned plain value of an object that stands for a member of an enum, ok false for another object. It is nil in a
// library without enums.
var Member func(object unsafe.Pointer) (plain abi.Any, ok bool)

// takesMembers makes a conversion of numbers or texts take members of enums, which are ints and strs in Python and arrive as objects.
func takesMembers(c *Conv) *Conv {
	check, from := c.Check, c.From
	c.Check = func(v *abi.Any) error { return throughMember(v, check) }
	c.From = func(v *abi.Any, dst unsafe.Pointer) error {
		if !v.IsObject() {
			return from(v, dst)
		}
		return throughMember(v, func(v *abi.Any) error { return from(v, dst) })
	}
	return c
}

// throughMember calls do with a value, or with the plain one of a member.
func throughMember(v *abi.Any, do func(v *abi.Any) error) error {
	if Member != nil && v.IsObject() {
		if plain, ok := Member(v.Pointer()); ok {
			defer values.Release(plain)
			return do(&plain)
		}
	}
	return do(v)
}
