package registry

// Why an enum's members are objects with handles. A Go enum is usually an integer type with constants, which has no
// name, fields or identity in other languages. The ABI's enum is one object per member. A member as the canonical
// handle of a class struct that embeds IntEnum needs nothing new: == and switch compare members, and a parameter
// *Handle[Color] takes nothing else.

// IsEnum says whether the class derives from ffi.Enum.
func (c Registration) IsEnum() bool {
	for p := c.Parent; p != nil; p = p.Parent {
		if BuiltinStructs[p.GoType] == "ffi.Enum" {
			return true
		}
	}
	return false
}
