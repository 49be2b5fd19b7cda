package kept

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// A carrier is a value that may lead to a handle: a handle, or what can hold one. Values of interfaces and funcs are carriers
// unless it is known what they hold.

// carriers knows which types are carriers.
type carriers struct {
	known map[types.Type]bool // in the spelling that the map was asked for; true as well while a type is looked at
}

// plain has the types of the frontend of which no value leads to a handle in Go memory.
var plain = map[string]bool{
	"Object": true, "String": true, "Bytes": true, "DataType": true, "Device": true, "IntEnum": true, "StrEnum": true,
	"Ref": true, "Opt": true, "Field": true,
}

// carries says whether values of a type are carriers.
func (c *carriers) carries(t types.Type) bool {
	t = types.Unalias(t)
	if known, ok := c.known[t]; ok {
		return known
	}
	c.known[t] = true // what contains t, while t is looked at, counts as a carrier
	carries := c.look(t)
	c.known[t] = carries
	return carries
}

func (c *carriers) look(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		if isFrontend(named.Obj().Pkg()) {
			return c.frontendType(named)
		}
		if isClassStruct(named) {
			return c.structCarries(named.Underlying().(*types.Struct), 1)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		if isClassStruct(u.Elem()) {
			return false // it borrows the object, and is not what a handle of it leads to
		}
		return c.carries(u.Elem())
	case *types.Slice:
		return c.carries(u.Elem())
	case *types.Array:
		return c.carries(u.Elem())
	case *types.Chan:
		return c.carries(u.Elem())
	case *types.Map:
		return c.carries(u.Key()) || c.carries(u.Elem())
	case *types.Struct:
		return c.structCarries(u, 0)
	case *types.Tuple:
		for i := range u.Len() {
			if c.carries(u.At(i).Type()) {
				return true
			}
		}
		return false
	}
	return true // an interface, a func, a type parameter
}

// frontendType does carries' work for a type that the frontend declares.
func (c *carriers) frontendType(t *types.Named) bool {
	name := t.Obj().Name()
	switch {
	case plain[name]:
		return false
	case name == "Optional" || strings.HasPrefix(name, "Tuple"):
		for i := range t.TypeArgs().Len() {
			if c.carries(t.TypeArgs().At(i)) {
				return true
			}
		}
		return t.TypeArgs().Len() == 0
	}
	return true
}

func (c *carriers) structCarries(s *types.Struct, first int) bool {
	for i := first; i < s.NumFields(); i++ {
		if c.carries(s.Field(i).Type()) {
			return true
		}
	}
	return false
}

// isFrontend says whether a package is the frontend, or a part of it.
func isFrontend(p *types.Package) bool {
	return p != nil && (p.Path() == gosource.FrontendPath || strings.HasPrefix(p.Path(), gosource.FrontendPath+"/internal/"))
}

// isClassStruct says whether a type is a struct whose values are native objects: its first field embeds Object or another such
// struct.
func isClassStruct(t types.Type) bool {
	for range 32 {
		named, ok := types.Unalias(t).(*types.Named)
		if !ok {
			return false
		}
		if isFrontend(named.Obj().Pkg()) && (named.Obj().Name() == "Object" || strings.HasSuffix(named.Obj().Name(), "Enum")) {
			return true
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok || s.NumFields() == 0 || !s.Field(0).Embedded() {
			return false
		}
		t = s.Field(0).Type()
	}
	return false
}

// leads says whether a value may lead to a handle, of which more may be known than its type.
func (c *carriers) leads(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return false
	case *ssa.MakeInterface:
		return c.leads(v.X)
	case *ssa.ChangeInterface:
		return c.leads(v.X)
	case *ssa.ChangeType:
		return c.leads(v.X)
	case *ssa.MakeClosure:
		for _, b := range v.Bindings {
			if c.carries(b.Type()) {
				return true
			}
		}
		return false
	case *ssa.Slice:
		if made, ok := v.X.(*ssa.Alloc); ok && c.carries(v.Type()) {
			return c.isFilledWithCarriers(made)
		}
	}
	return c.carries(v.Type())
}

// isFilledWithCarriers looks at what is stored in an array that is made for the arguments of a variadic call.
func (c *carriers) isFilledWithCarriers(array *ssa.Alloc) bool {
	for _, use := range *array.Referrers() {
		switch use := use.(type) {
		case *ssa.Slice:
		case *ssa.IndexAddr:
			for _, inner := range *use.Referrers() {
				if store, ok := inner.(*ssa.Store); !ok || store.Addr != use || c.leads(store.Val) {
					return true
				}
			}
		default:
			return true
		}
	}
	return false
}
