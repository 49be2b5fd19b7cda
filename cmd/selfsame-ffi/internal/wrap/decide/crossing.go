package decide

import (
	"go/types"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// crosses returns nil for a type that may stand in a signature of the generated package; otherwise the reason why not. It
// makes the classes of the types that it meets.
func (d *Decider) crosses(t types.Type) *reason.Reason {
	switch x := types.Unalias(t).(type) {
	case *types.Basic:
		switch x.Kind() {
		case types.Invalid, types.Uintptr, types.UnsafePointer:
			return reason.New(reason.NoCounterpart, x.String())
		}
		return nil
	case *types.Named:
		return d.namedCrosses(x)
	case *types.Pointer:
		return d.pointerCrosses(x)
	case *types.Slice:
		return d.crosses(x.Elem())
	case *types.Array:
		return d.crosses(x.Elem())
	case *types.Map:
		if err := d.crosses(x.Key()); err != nil {
			return err
		}
		return d.crosses(x.Elem())
	case *types.Chan:
		return reason.New(reason.Channel, "")
	case *types.Signature:
		return d.signatureCrosses(x)
	case *types.Interface:
		if x.Empty() {
			return nil
		}
		return reason.New(reason.Unnamed, "an interface")
	case *types.Struct:
		if isNothing(x) {
			return nil // None; the values of a map that is a set
		}
		return reason.New(reason.Unnamed, "a struct")
	case *types.TypeParam:
		return reason.New(reason.NotInstantiated, "a type parameter")
	}
	return reason.New(reason.NoCounterpart, t.String())
}

// isNothing says whether a type is struct{}.
func isNothing(t types.Type) bool {
	s, ok := types.Unalias(t).(*types.Struct)
	return ok && s.NumFields() == 0
}

func (d *Decider) signatureCrosses(sig *types.Signature) *reason.Reason {
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			if list == sig.Params() && isContext(v.Type()) && v == list.At(0) {
				continue
			}
			if err := d.crosses(v.Type()); err != nil {
				return err.In("in a callback, ")
			}
		}
	}
	return nil
}

func (d *Decider) pointerCrosses(p *types.Pointer) *reason.Reason {
	switch e := types.Unalias(p.Elem()).(type) {
	case *types.Basic:
		return d.crosses(e)
	case *types.Named:
		if isPath(e, "math/big", "Int") && !d.targets[e.Obj().Pkg()] {
			return nil
		}
		if _, ok := e.Underlying().(*types.Interface); ok {
			return reason.New(reason.NoCounterpart, "a pointer to an interface")
		}
		if err := d.namedCrosses(e); err != nil {
			return err
		}
		if d.classes[types.TypeString(e, nil)] != nil || d.records[types.TypeString(e, nil)] {
			return nil
		}
		if _, basic := e.Underlying().(*types.Basic); basic {
			return nil
		}
		if isPath(e, "time", "Time") || isPath(e, "time", "Duration") {
			return nil
		}
	}
	return reason.New(reason.NoCounterpart, types.TypeString(p, shortly))
}

// shortly names a package in messages.
func shortly(p *types.Package) string { return p.Name() }

func isPath(n *types.Named, path, name string) bool {
	o := n.Obj()
	return o.Pkg() != nil && o.Pkg().Path() == path && o.Name() == name
}

func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && isPath(n, "context", "Context")
}

var (
	errorType      = types.Universe.Lookup("error").Type()
	errorInterface = errorType.Underlying().(*types.Interface)
)

func isError(t types.Type) bool { return types.Identical(t, errorType) }

// isFailure says whether a type is error, or a type of errors whose nil means that there is none.
func isFailure(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return isError(t) || (pointer || types.IsInterface(t)) && types.Implements(t, errorInterface)
}

// isErrorList says whether a type is a list of errors that is an error itself: an empty one means that there is none. A list that tells
// whether it has errors has warnings too.
func isErrorList(t types.Type) bool {
	_, isSlice := t.Underlying().(*types.Slice)
	warns, _, _ := types.LookupFieldOrMethod(t, true, nil, "HasErrors")
	return isSlice && warns == nil && types.Implements(t, errorInterface)
}

// streams are the interfaces that cross as binary files.
var streams = []string{"Reader", "Writer", "ReadCloser", "WriteCloser", "ReadWriter", "ReadWriteCloser"}

// crossesByItself reports whether the engine knows a named type without a class.
func (d *Decider) crossesByItself(n *types.Named) bool {
	o := n.Obj()
	if o.Pkg() == nil { // error, comparable
		return o.Name() == "error"
	}
	if d.targets[o.Pkg()] {
		return false
	}
	switch o.Pkg().Path() {
	case "time":
		return o.Name() == "Time" || o.Name() == "Duration"
	case "io":
		return slices.Contains(streams, o.Name())
	case "iter":
		return true
	}
	return false
}

// namedCrosses does crosses's work for a named type.
func (d *Decider) namedCrosses(n *types.Named) *reason.Reason {
	o := n.Obj()
	if d.crossesByItself(n) {
		if n.TypeArgs() != nil {
			for t := range n.TypeArgs().Types() {
				if err := d.crosses(t); err != nil {
					return err
				}
			}
		}
		return nil
	}
	key := types.TypeString(n, nil)
	if d.classes[key] != nil || d.records[key] || d.anys[key] {
		return nil
	}
	if isContext(n) {
		d.newClass(n, form.Interface)
		return nil
	}
	if isPath(n, "math/big", "Int") && !d.targets[o.Pkg()] {
		return reason.New(reason.ByValue, "big.Int")
	}
	if err := d.nameable(n); err != nil {
		return err
	}
	if n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		return reason.New(reason.NotInstantiated, o.Name()+" is generic and")
	}
	switch u := n.Underlying().(type) {
	case *types.Interface:
		if !u.IsMethodSet() {
			return reason.New(reason.Constraint, o.Name())
		}
		if u.NumMethods() == 0 {
			d.anys[key] = true
			d.plan.Anys = append(d.plan.Anys, n)
			return nil
		}
		d.newClass(n, form.Interface)
		return nil
	case *types.Basic:
		if u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr && n.NumMethods() == 0 {
			return reason.New(reason.NoCounterpart, o.Name())
		}
		if n.NumMethods() == 0 && !d.hasConstants(n) && !d.isTag(n) {
			return nil
		}
	case *types.Struct:
		if d.isRecord(n, u) {
			return nil
		}
	case *types.Signature:
		if n.NumMethods() == 0 && d.mention[key].returned == 0 && !d.isTag(n) {
			if err := d.signatureCrosses(u); err == nil {
				return nil
			}
		}
	case *types.Chan, *types.Pointer:
	default: // slices, maps and arrays
		if n.NumMethods() == 0 {
			if err := d.crosses(u); err == nil {
				return nil
			}
		}
	}
	d.newClass(n, form.Pointer)
	return nil
}

// isTag says whether a type of a wrapped package stands in no signature and in no field, as template.HTML: its values tell their type
// to a func that takes any.
func (d *Decider) isTag(n *types.Named) bool {
	return d.targets[n.Obj().Pkg()] && d.mention[types.TypeString(n, nil)] == mentions{}
}

// nameable returns nil when the generated package can write a named type.
func (d *Decider) nameable(n *types.Named) *reason.Reason {
	o := n.Obj()
	switch {
	case o.Pkg() == nil, isGenerated(o.Pkg()), d.aliasOf(n) != nil:
		return nil
	case !o.Exported():
		return reason.New(reason.NotExported, o.Pkg().Name()+"."+o.Name())
	case o.Parent() != o.Pkg().Scope():
		return reason.New(reason.InFunc, o.Name())
	case !load.IsImportable(o.Pkg().Path()):
		return reason.New(reason.Internal, o.Pkg().Name()+"."+o.Name())
	}
	if n.TypeArgs() != nil {
		for t := range n.TypeArgs().Types() {
			if err := d.writable(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasConstants reports whether a wrapped package declares constants of a type.
func (d *Decider) hasConstants(n *types.Named) bool {
	if !d.targets[n.Obj().Pkg()] {
		return false
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), n) {
			return true
		}
	}
	return false
}

// isRecord decides whether a struct is a dataclass: it has no methods, and all its fields are exported and plain. It is never returned by
// pointer, and Go holds it nowhere that Python can refer to, so that nobody can tell two copies apart.
func (d *Decider) isRecord(n *types.Named, s *types.Struct) bool {
	key := types.TypeString(n, nil)
	if is, decided := d.records[key]; decided {
		return is
	}
	d.records[key] = false
	if s.NumFields() == 0 || d.isTag(n) || n.TypeArgs().Len() > 0 || types.NewMethodSet(types.NewPointer(n)).Len() > 0 || d.mention[key].returned > 0 || d.isHeld(n) {
		return false
	}
	seen := map[string]bool{}
	for f := range s.Fields() {
		name := pythonName(f.Name())
		if !f.Exported() || f.Embedded() || seen[name] || !d.isPlain(f.Type()) {
			return false
		}
		seen[name] = true
	}
	switch name := n.Obj().Name(); {
	case d.isApart(n) && d.submodule(n.Obj().Pkg()).Name == n.Obj().Pkg().Name():
		d.plan.ByValue[form.PrivateName(d.takeApart(n.Obj().Pkg(), name))] = key
	case d.module.Has(name) || d.isForeign(n) && d.targetDeclares(name):
		return false // a class can have another name, a dataclass cannot
	default:
		d.plan.ByValue[d.take(n.Obj().Pkg(), name)] = key
	}
	d.records[key] = true
	symbol := n.Obj().Pkg().Path() + "." + n.Obj().Name()
	if text := d.doc(n.Obj().Pkg(), n.Obj().Name()); text != "" {
		d.plan.Records[symbol] = d.pythonDoc(text)
	}
	for f := range s.Fields() {
		if text := d.doc(n.Obj().Pkg(), n.Obj().Name()+"."+f.Name()); text != "" {
			d.plan.Records[symbol+"."+gosource.FieldID(f.Name())] = d.docOf(f.Name(), text, nil)
		}
	}
	return true
}

func (d *Decider) isForeign(n *types.Named) bool {
	return !d.targets[n.Obj().Pkg()] && !isGenerated(n.Obj().Pkg())
}

// targetDeclares says whether a wrapped package exports a type of a name, which it then has in Python.
func (d *Decider) targetDeclares(name string) bool {
	for p := range d.targets {
		if _, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			return true
		}
	}
	return false
}

// isPlain says whether a dataclass may have a field of a type.
func (d *Decider) isPlain(t types.Type) bool {
	switch x := types.Unalias(t).(type) {
	case *types.Basic:
		return d.crosses(x) == nil
	case *types.Slice:
		return d.isPlain(x.Elem())
	case *types.Array:
		return d.isPlain(x.Elem())
	case *types.Map:
		return d.isPlain(x.Key()) && (isNothing(x.Elem()) || d.isPlain(x.Elem()))
	case *types.Pointer:
		switch e := types.Unalias(x.Elem()).(type) {
		case *types.Basic:
			return d.crosses(e) == nil
		case *types.Named:
			_, isStruct := e.Underlying().(*types.Struct)
			_, isBasic := e.Underlying().(*types.Basic)
			return (isStruct || isBasic) && d.isPlain(e)
		}
		return false
	case *types.Interface:
		return x.Empty()
	case *types.Named:
		if d.crossesByItself(x) {
			return x.Obj().Pkg() != nil && x.Obj().Pkg().Path() == "time"
		}
		if d.nameable(x) != nil {
			return false
		}
		switch u := x.Underlying().(type) {
		case *types.Struct:
			return d.isRecord(x, u)
		case *types.Basic:
			return d.crosses(x) == nil
		}
		return x.NumMethods() == 0 && d.isPlain(x.Underlying())
	}
	return false
}
