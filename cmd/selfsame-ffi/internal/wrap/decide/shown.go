package decide

import (
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
)

// What Go shares is shared: containers that Go holds are shown where they are, and structs that Go holds are objects where they are.

// shows says whether values of a type that Go holds are seen where they are: slices, arrays and maps, but for bytes, and values of
// types with a class, but for numbers and texts.
func (d *Decider) shows(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && (d.isObject(n) || d.crossesByItself(n)) {
		return d.isObject(n) && isInPlace(n)
	}
	return isContainer(t)
}

// isContainer says whether a type is a slice, an array or a map, but for bytes.
func isContainer(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return !isByte(u.Elem().Underlying())
	case *types.Array:
		return !isByte(u.Elem().Underlying())
	case *types.Map:
		return true
	}
	return false
}

// isInPlace says whether a value of a named type with a class has parts that can change.
func isInPlace(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Struct, *types.Slice, *types.Array, *types.Map:
		return true
	}
	return false
}

// hold notes which structs a type holds that Go keeps, as that of a field or a variable does. by is the struct of the field, nil for a
// variable.
func (d *Decider) hold(t types.Type, by *types.Named) {
	switch x := types.Unalias(t).(type) {
	case *types.Named:
		if _, ok := x.Underlying().(*types.Struct); ok {
			key := types.TypeString(x, nil)
			d.holders[key] = append(d.holders[key], by)
			return
		}
		if isContainer(x) {
			d.hold(x.Underlying(), by)
		}
	case *types.Pointer:
		d.hold(x.Elem(), by)
	case *types.Slice:
		d.hold(x.Elem(), by)
	case *types.Array:
		d.hold(x.Elem(), by)
	case *types.Map:
		d.hold(x.Elem(), by)
	}
}

// holdParams notes which structs Python code gets where Go has them: those that a func of its own gets behind a pointer, in a slice or in
// a map.
func (d *Decider) holdParams(sig *types.Signature) {
	for v := range sig.Params().Variables() {
		if _, pointer := types.Unalias(v.Type()).(*types.Pointer); pointer || isContainer(v.Type()) {
			d.hold(v.Type(), nil)
		}
	}
}

// isHeld says whether Go keeps values of a struct in something that Python can refer to, so that a copy would not be the value: in a
// variable, or in a struct that is no dataclass itself.
func (d *Decider) isHeld(n *types.Named) bool { return d.heldIn(n, map[*types.Named]bool{}) }

func (d *Decider) heldIn(n *types.Named, seen map[*types.Named]bool) bool {
	if seen[n] {
		return false
	}
	seen[n] = true
	for _, by := range d.holders[types.TypeString(n, nil)] {
		if by == nil || !d.couldBeRecord(by, map[*types.Named]bool{}) || d.heldIn(by, seen) {
			return true
		}
	}
	return false
}

// couldBeRecord says whether a struct has all that a dataclass needs, apart from what holds it and from its name.
func (d *Decider) couldBeRecord(n *types.Named, seen map[*types.Named]bool) bool {
	if seen[n] {
		return true
	}
	seen[n] = true
	s, ok := n.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 || d.isTag(n) || n.TypeArgs().Len() > 0 || types.NewMethodSet(types.NewPointer(n)).Len() > 0 ||
		d.mention[types.TypeString(n, nil)].returned > 0 || d.nameable(n) != nil {
		return false
	}
	names := map[string]bool{}
	for f := range s.Fields() {
		name := pythonName(f.Name())
		if !f.Exported() || f.Embedded() || names[name] || !d.couldBePart(f.Type(), seen) {
			return false
		}
		names[name] = true
	}
	return true
}

// couldBePart does that for the type of a field.
func (d *Decider) couldBePart(t types.Type, seen map[*types.Named]bool) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch x := types.Unalias(t).(type) {
	case *types.Slice:
		return d.couldBePart(x.Elem(), seen)
	case *types.Array:
		return d.couldBePart(x.Elem(), seen)
	case *types.Map:
		return d.couldBePart(x.Key(), seen) && (isNothing(x.Elem()) || d.couldBePart(x.Elem(), seen))
	case *types.Named:
		if d.crossesByItself(x) || !isInPlace(x) {
			return d.isPlain(x)
		}
		if isStruct(x) {
			return d.couldBeRecord(x, seen)
		}
		return x.NumMethods() == 0 && d.couldBePart(x.Underlying(), seen)
	}
	return d.isPlain(t)
}

// returns says what the source of a func or method tells of its first result.
func (d *Decider) returns(f *types.Func) load.Returns {
	if f == nil || f.Pkg() == nil {
		return load.Returns{}
	}
	d.doc(f.Pkg(), "") // it reads the package
	docs := d.docs[f.Pkg().Path()]
	if docs == nil {
		return load.Returns{}
	}
	return docs.Returns[declaredName(f)]
}

// mayGiveNil says whether the source of a func shows that it may return nil, also as the result of another func of its package.
func (d *Decider) mayGiveNil(f *types.Func) bool {
	r := d.returns(f)
	return r.Nil || r.From != "" && d.docs[f.Pkg().Path()].Returns[r.From].Written
}

// declaredAs returns the type of a method and its name, as package effects names funcs; "" for the type of another func, and for the
// name of a method of a type without one.
func declaredAs(f *types.Func) (receiver, name string) {
	if f.Signature().Recv() == nil {
		return "", f.Name()
	}
	receiver, name, _ = strings.Cut(declaredName(f), ".")
	return receiver, name
}

// declaredName returns the name of a func in the comments of its package: that of a method has its type in front.
func declaredName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// showResult has the first result of a call shown where Go has it, if the source says that Go goes on using it.
func (d *Decider) showResult(c *form.Call) {
	r := &c.Results
	if len(r.Values) == 0 || r.Found || c.Through != nil || r.Values[0].Way != form.Same || !d.returns(c.Func).Kept {
		return
	}
	if n, ok := types.Unalias(r.Values[0].Type).(*types.Named); ok && d.isObject(n) || !isContainer(r.Values[0].Type) {
		return
	}
	r.Values[0].Way = form.ShownResult
	if c.Class != nil {
		r.Values[0].Way = form.ShownByMethod
	}
}

// shown returns the value of a container that Python sees where Go has it.
func shown(as form.Value, way form.Way) form.Value { return form.Value{Type: as.Type, Way: way} }
