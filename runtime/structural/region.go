package structural

import "github.com/selfsame-ffi/selfsame/abi"

// Region says whether the values that a walk meets define variables or use them.
type Region int32

// The regions of the ABI.
const (
	RegionNone    Region = iota // variables are used
	RegionPattern               // variables are defined, at any depth
	RegionSimple                // variables are defined, but those in the fields of a variable are used
)

// inField returns the region of the value of a field with these flags.
func (r Region) inField(flags int64) Region {
	switch {
	case r == RegionPattern:
		return r // a pattern extends to any depth
	case flags&abi.FlagSEqHashDefSimple != 0:
		return RegionSimple
	case flags&abi.FlagSEqHashDefPattern != 0:
		return RegionPattern
	}
	return r
}

// inVariable returns the region of the fields of a variable.
func (r Region) inVariable() Region {
	if r == RegionSimple {
		return RegionNone
	}
	return r
}
