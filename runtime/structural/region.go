package structural

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/fault"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// Region says whether variables are being defined where a walk is.
type Region int32

// The regions of the ABI. A pattern defines variables all the way down; a simple definition defines a variable, but
// what the variable's own fields mention is used, not defined.
const (
	RegionNone Region = iota
	RegionPattern
	RegionSimple
)

// rootRegion is where a walk starts.
func rootRegion(mapFreeVars bool) Region {
	if mapFreeVars {
		return RegionPattern
	}
	return RegionNone
}

// inField is the region of a field's value.
func (r Region) inField(flags int64) Region {
	switch {
	case r == RegionPattern:
		return r // goes all the way down
	case flags&abi.FlagSEqHashDefSimple != 0:
		return RegionSimple
	case flags&abi.FlagSEqHashDefPattern != 0:
		return RegionPattern
	}
	return r
}

// entering is the region that a hook asks for; none means to stay.
func (r Region) entering(asked Region) Region {
	if r == RegionPattern || asked == RegionNone {
		return r
	}
	return asked
}

// inVariable is the region of the fields of a variable.
func (r Region) inVariable() Region {
	if r == RegionSimple {
		return RegionNone
	}
	return r
}

// kindOf is how objects of a class are compared.
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
