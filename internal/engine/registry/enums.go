package registry

// IsEnum says whether the class derives from ffi.Enum.
func (c Registration) IsEnum() bool {
	for p := c.Parent; p != nil; p = p.Parent {
		if BuiltinStructs[p.GoType] == "ffi.Enum" {
			return true
		}
	}
	return false
}
