package selfsame

// isEnum says whether the class derives from ffi.Enum.
func (c registration) isEnum() bool {
	for p := c.parent; p != nil; p = p.parent {
		if builtinStructs[p.goType] == "ffi.Enum" {
			return true
		}
	}
	return false
}
