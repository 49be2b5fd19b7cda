package structural

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Region says whether the values that a walk meets define variables or use them.
type Region int32

// The regions of the ABI.
const (
	RegionNone    Region = iota // variables are used
	RegionPattern               // variables are defined, at any depth
	RegionSimple                // variables are defined, but those in the fields of a variable are used
)

// rootRegion returns the region in which a walk starts.
func rootRegion(mapFreeVars bool) Region {
	if mapFreeVars {
		return RegionPattern
	}
	return RegionNone
}

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

// entering returns the region of a part for which a hook asks for a region; RegionNone asks for no change.
func (r Region) entering(asked Region) Region {
	if r == RegionPattern || asked == RegionNone {
		return r
	}
	return asked
}

// inVariable returns the region of the fields of a variable.
func (r Region) inVariable() Region {
	if r == RegionSimple {
		return RegionNone
	}
	return r
}

// kindOf returns how objects of a class are compared; a TypeError when they cannot be.
func kindOf(t *graph.Type) (int32, error) {
	kind, known := t.EqHashKind()
	if !known {
		return 0, fault.Type("Type metadata is not set for type `%s`, so StructuralHash is not supported for this type", t.Key())
	}
	if kind == abi.SEqHashUnsupported {
		return 0, fault.Type("_type_s_eq_hash_kind is not set for type `%s`, so StructuralHash is not supported for this type", t.Key())
	}
	return kind, nil
}
