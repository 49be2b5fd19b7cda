package decide

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/typeparts"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// isGenerated says whether a package stands for the one that is written, of which the types are that declared makes.
func isGenerated(p *types.Package) bool { return p.Path() == "" }

// value decides how a value of a type crosses that is a parameter, a result or a field itself, not a part of one. Beside what crosses
// everywhere, a struct or interface without a name gets one, and an address is a number. name is that of the parameter or field.
func (d *Decider) value(t types.Type, name string) (form.Value, *reason.Reason) {
	err := d.crosses(t)
	if err == nil {
		return form.Value{Type: t}, nil
	}
	switch x := types.Unalias(t).(type) {
	case *types.Struct, *types.Interface:
		if name = strings.Trim(name, "_"); name != "" {
			name = capital(name)
		}
		if n := d.declared(x, capital(d.owner)+name); n != nil {
			return form.Value{Type: n, Way: form.Renamed}, nil
		}
	default:
		if b, ok := x.Underlying().(*types.Basic); ok && b.Kind() == types.Uintptr && d.writable(t) == nil {
			return form.Value{Type: t, Way: form.Number}, nil
		}
	}
	return form.Value{}, err
}

// declared declares a type for one without a name, a struct, an interface or a func, which gets a name like this: a value of one is
// assignable to the other. It returns nil when the type cannot be declared in another package, or does not cross then.
func (d *Decider) declared(t types.Type, name string) *types.Named {
	key := types.TypeString(t, nil)
	if n, ok := d.unnamed[key]; ok {
		return n
	}
	d.unnamed[key] = nil
	if d.writable(t) != nil {
		return nil
	}
	switch x := t.(type) {
	case *types.Struct:
		if !d.isPlainStruct(x) {
			return nil
		}
	case *types.Interface:
		if !x.IsMethodSet() || x.Empty() {
			return nil
		}
	}
	for i := 2; d.own.Scope().Lookup(name) != nil || d.module.Has(name) || d.targetDeclares(name) || d.structs.Has(name); i++ {
		name = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i)
	}
	_, isFunc := t.(*types.Signature)
	if isFunc || types.IsInterface(t) { // the class has the name
		name = strings.ToLower(name[:1]) + name[1:]
	}
	o := types.NewTypeName(0, d.own, name, nil)
	n := types.NewNamed(o, t, nil)
	d.own.Scope().Insert(o)
	if isFunc { // which has a class only where it is a result
		d.mention[types.TypeString(n, nil)] = mentions{returned: 1}
	}
	if d.namedCrosses(n) != nil {
		return nil
	}
	d.plan.Declared = append(d.plan.Declared, form.Declared{Type: n})
	d.unnamed[key] = n
	return n
}

// methodsOf declares the interface of the exported methods of a type that is not exported, nil for a type without any.
func (d *Decider) methodsOf(t types.Type) *types.Named {
	of := types.Unalias(t)
	if p, ok := of.(*types.Pointer); ok {
		of = types.Unalias(p.Elem())
	}
	n, ok := of.(*types.Named)
	if !ok || n.Obj().Exported() || n.Obj().Pkg() == nil {
		return nil
	}
	key := types.TypeString(t, nil)
	if known, ok := d.unnamed[key]; ok {
		return known
	}
	var methods []*types.Func
	for selection := range types.NewMethodSet(t).Methods() {
		f, ok := selection.Obj().(*types.Func)
		sig, _ := selection.Type().(*types.Signature)
		if !ok || !f.Exported() || sig.TypeParams().Len() > 0 || d.writable(sig) != nil {
			continue
		}
		methods = append(methods, types.NewFunc(f.Pos(), f.Pkg(), f.Name(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
	}
	if len(methods) == 0 {
		return nil
	}
	as := types.NewInterfaceType(methods, nil).Complete()
	delete(d.unnamed, types.TypeString(as, nil)) // another type with these methods has a class of its own
	d.unnamed[key] = d.declared(as, capital(n.Obj().Name()))
	return d.unnamed[key]
}

// isPlainStruct says whether all fields of a struct are exported and plain.
func (d *Decider) isPlainStruct(s *types.Struct) bool {
	for f := range s.Fields() {
		if !f.Exported() || f.Embedded() || !d.isPlain(f.Type()) {
			return false
		}
	}
	return s.NumFields() > 0
}

// writable returns nil when the generated package can write a type, whether or not it crosses.
func (d *Decider) writable(t types.Type) *reason.Reason {
	return d.writableIn(t, map[types.Type]bool{})
}

func (d *Decider) writableIn(t types.Type, seen map[types.Type]bool) *reason.Reason {
	t = types.Unalias(t)
	if seen[t] {
		return nil
	}
	seen[t] = true
	is := true
	switch x := t.(type) {
	case *types.Named:
		return d.nameable(x)
	case *types.Basic:
		is = x.Kind() != types.UnsafePointer
	case *types.Struct:
		for f := range x.Fields() {
			if !f.Exported() {
				return reason.New(reason.PartNotExported, "a struct with the field "+f.Name())
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			if !m.Exported() {
				return reason.New(reason.PartNotExported, "an interface with the method "+m.Name())
			}
		}
		is = x.IsMethodSet()
	case *types.TypeParam, *types.Union, *types.Tuple:
		is = false
	}
	if !is {
		return reason.New(reason.Unwritable, types.TypeString(t, shortly))
	}
	for _, part := range typeparts.Of(t) {
		if err := d.writableIn(part, seen); err != nil {
			return err
		}
	}
	return nil
}

// through decides the generic func that a signature with types needs which cannot be written, nil when it has none.
func (d *Decider) through(sig *types.Signature) (*form.Through, *reason.Reason) {
	made := &form.Through{Params: map[int]types.Type{}, Results: map[int]bool{}}
	for i := range sig.Params().Len() {
		t := paramType(sig, i)
		if d.writable(t) == nil {
			continue
		}
		made.Params[i] = anything
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() != types.UnsafePointer && b.Kind() != types.Uintptr {
			made.Params[i] = b
		}
	}
	if len(made.Params) == 0 {
		return nil, nil
	}
	if sig.TypeParams().Len() > 0 {
		return nil, reason.New(reason.Unwritable, "a generic func with types that are not exported")
	}
	for i := range sig.Results().Len() {
		made.Results[i] = d.writable(sig.Results().At(i).Type()) != nil
	}
	made.Go = d.structs.Take("through" + capital(d.owner))
	return made, nil
}

// paramType returns the type of a parameter: of a variadic one that of each value.
func paramType(sig *types.Signature, i int) types.Type {
	t := sig.Params().At(i).Type()
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return t.(*types.Slice).Elem()
	}
	return t
}

// anything is the type any.
var anything = types.Universe.Lookup("any").Type()
