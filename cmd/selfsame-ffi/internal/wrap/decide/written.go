package decide

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// findEffects asks the compiler what the funcs and methods of the wrapped packages do to their arguments.
func (d *Decider) findEffects() {
	var all []effects.Callable
	add := func(f *types.Func, of instance, receiver types.Type) {
		asks := false
		for v := range of.sig.Params().Variables() {
			if d.writable(v.Type()) != nil {
				return
			}
			asks = asks || isShared(v.Type())
		}
		results := true
		for v := range of.sig.Results().Variables() {
			results = results && d.writable(v.Type()) == nil
		}
		if asks && (receiver == nil || d.writable(receiver) == nil) {
			all = append(all, effects.Callable{
				Key: effectKey(f, of.args), Func: f, Signature: of.sig, TypeArgs: of.args, Receiver: receiver, Results: results,
			})
		}
	}
	for _, p := range d.world.Packages {
		for _, name := range p.Types.Scope().Names() {
			switch o := p.Types.Scope().Lookup(name).(type) {
			case *types.Func:
				if !o.Exported() {
					continue
				}
				for _, of := range d.instancesOf(o.Signature()) {
					add(o, of, nil)
				}
			case *types.TypeName:
				n, ok := o.Type().(*types.Named)
				if !ok || !o.Exported() || o.IsAlias() || types.IsInterface(n) {
					continue
				}
				for _, n := range d.instances(n) {
					receiver := types.NewPointer(n)
					for selection := range types.NewMethodSet(receiver).Methods() {
						f, isFunc := selection.Obj().(*types.Func)
						sig, ok := selection.Type().(*types.Signature)
						if isFunc && ok && f.Exported() && sig.TypeParams().Len() == 0 {
							add(f, instance{sig: sig}, receiver)
						}
					}
				}
			}
		}
	}
	if len(all) > 0 {
		d.effects = effects.Asked(all, d.world.Escapes)
	}
}

func effectKey(f *types.Func, args []types.Type) string {
	key := f.FullName()
	for _, t := range args {
		key += "," + types.TypeString(t, nil)
	}
	return key
}

// isShared says whether Go code that gets a value of a type gets what its caller has.
func isShared(t types.Type) bool {
	switch x := t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	case *types.Interface:
		return x.Empty()
	}
	return false
}

// swapped are the funcs that swap elements of an argument of any type by reflection, which neither the compiler nor a body shows.
var swapped = map[string]bool{"sort.Slice": true, "sort.SliceStable": true}

// needs says whether a func fails for certain when a parameter is nil, so that None is no argument.
func (d *Decider) needs(f *types.Func, p *form.Param) bool {
	if f == nil || f.Pkg() == nil || p.Way != form.Same && p.Way != form.Optional {
		return false
	}
	isPart := func(string) bool { return true } // a method of a nil interface cannot be called
	switch x := p.Type.Underlying().(type) {
	case *types.Interface, *types.Signature:
	case *types.Pointer:
		if _, ok := x.Elem().Underlying().(*types.Struct); !ok {
			return false
		}
		isPart = func(name string) bool {
			o, _, _ := types.LookupFieldOrMethod(x, true, f.Pkg(), name)
			_, isField := o.(*types.Var)
			return isField
		}
	default:
		return false
	}
	receiver, name := declaredAs(f)
	return d.bodies.Needs(f.Pkg().Path(), receiver, name, p.Index, isPart)
}

// asksNil says whether nil is another argument for a parameter than an empty slice or map: the body asks for it, or the comment tells what
// it means.
func (d *Decider) asksNil(f *types.Func, p *form.Param, v *types.Var) bool {
	switch p.Type.Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return false
	}
	switch p.Way {
	case form.Same, form.Writes, form.MaybeWrites, form.WritesCopy:
	default:
		return false
	}
	if f == nil || f.Pkg() == nil || d.isClass(types.Unalias(p.Type)) {
		return false
	}
	receiver, name := declaredAs(f)
	return d.bodies.AsksNil(f.Pkg().Path(), receiver, name, p.Index) || v.Name() != "" && tellsOfNil(d.doc(f.Pkg(), declaredName(f)), v.Name())
}

// tellsOfNil says whether a sentence of a comment says what nil means for a parameter: weights may be nil, if weights is nil, with nil
// weights. Other sentences with both words say that nil is no argument, or speak of another parameter.
func tellsOfNil(text, name string) bool {
	name = regexp.QuoteMeta(strings.ToLower(name[:1]) + name[1:])
	says := regexp.MustCompile(`(?i)(^|[^\w.])` + name + `['"` + "`" + `]? (is|are|may be|can be|could be|might be|==|was) nil\b|\bnil ` + name + `\b`)
	text = strings.Join(strings.Fields(text), " ")
	for _, at := range says.FindAllStringIndex(text, -1) {
		end := strings.Index(text[at[1]:], ".")
		if end < 0 {
			end = len(text) - at[1]
		}
		if !refusesNil.MatchString(text[at[1] : at[1]+end]) {
			return true
		}
	}
	return false
}

// refusesNil finds what follows where nil is no argument.
var refusesNil = regexp.MustCompile(`\b(panics?|errors?|fails?|invalid)\b`)

// written decides what becomes of an argument that the func writes through, and notes what does not come back.
func (d *Decider) written(c *form.Call, p *form.Param, v *types.Var) {
	if p.Way == form.InPlace {
		d.pointed(c, p)
		return
	}
	if p.Way != form.Same || c.Through != nil {
		return
	}
	e, body := d.effect(c, p)
	t := types.Unalias(p.Type)
	switch x := t.Underlying().(type) {
	case *types.Pointer:
		if !d.isCopied(x.Elem()) {
			d.writtenPointer(p, v, x, e, body)
			return
		}
		if e.Writes || !e.Known && body.Writes {
			p.Way, p.Place, p.Locks = form.InPlace, d.place(x.Elem()), true
		} else if body.Keeps && (e.Leaks || !e.Known) {
			d.note("parameter %s: the func may keep the pointer, which leads to a copy", v)
		}
	case *types.Slice:
		if d.isClass(t) {
			return // its objects are shared
		}
		d.writtenSlice(c, p, v, x, e, body)
	case *types.Map:
		if d.isClass(t) {
			return
		}
		switch {
		case body.Unknown || body.Writes && body.Keeps:
			p.Way = form.MaybeWrites
		case body.Writes:
			p.Way = form.Writes
		}
		if body.Keeps {
			d.note("parameter %s: the func may keep the map, so it gets a copy of a dict", v)
		}
	case *types.Interface:
		if x.Empty() && (e.Writes || c.Func != nil && swapped[c.Func.FullName()]) {
			p.Way = form.MaybeWrites
		}
	}
}

// pointed decides whether a pointer to a slice, an array or a map may be given as that: the func does not keep it.
func (d *Decider) pointed(c *form.Call, p *form.Param) {
	switch p.Place.Of.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array:
		e, body := d.effect(c, p)
		if d.isClass(types.Unalias(p.Place.Of)) || c.Through != nil || storesLater(c.Name()) || body.Keeps && (e.Leaks || !e.Known) {
			return
		}
		p.Way = form.Pointed
	}
}

// writtenPointer does that for a pointer that crosses as a copy of what it leads to.
func (d *Decider) writtenPointer(p *form.Param, v *types.Var, to *types.Pointer, e effects.Effect, body effects.Body) {
	n, ok := types.Unalias(to.Elem()).(*types.Named)
	writes := e.Writes || e.Leaks || !e.Known && (body.Writes || body.Unknown)
	switch {
	case !ok || !writes:
	case d.records[types.TypeString(n, nil)]:
		p.Way = form.MaybeWrites
		if body.Keeps {
			d.note("parameter %s: the func may keep the pointer, which leads to a copy", v)
		}
	case isPath(n, "math/big", "Int") && !d.isObject(n) && (e.Writes || body.Writes):
		d.note("parameter %s: what the func stores in it does not come back, as an int cannot change", v)
	}
}

func (d *Decider) writtenSlice(c *form.Call, p *form.Param, v *types.Var, s *types.Slice, e effects.Effect, body effects.Body) {
	if isWriter(c) {
		return
	}
	named := (v.Name() == "dst" || v.Name() == "dest") && !returnsType(c.Signature, v.Type())
	hasMaps := containsMap(s.Elem())
	switch {
	case e.Known && !e.Leaks && !hasMaps:
		// The compiler counts what a method changes of a struct that has the slice as a change of the slice.
		held := body.Keeps && !body.Writes && !body.Unknown
		switch {
		case e.Surely && !held, e.Writes && named:
			p.Way = form.Writes
		case e.Writes:
			p.Way = form.MaybeWrites
		}
		return
	case !body.Unknown && !body.Writes && !body.Keeps:
	case named || body.Writes && !body.Unknown && !body.Keeps && !e.Leaks:
		p.Way = form.Writes
	default:
		p.Way = form.WritesCopy
	}
	if body.Keeps {
		d.note("parameter %s: the func may keep the slice, so it gets a copy: later changes do not come back", v)
	}
}

// isWriter says whether a method is the Write of an io.Writer or the WriteAt of an io.WriterAt, which must not change its argument.
func isWriter(c *form.Call) bool {
	sig := c.Signature
	name := c.Name()
	return c.Class != nil && (name == "Write" || name == "WriteAt") && sig.Results().Len() == 2 && isError(sig.Results().At(1).Type())
}

// effect returns what the called func does to an argument, as the compiler says, and as its body shows.
func (d *Decider) effect(c *form.Call, p *form.Param) (e effects.Effect, body effects.Body) {
	body.Unknown = true
	if c.Func == nil {
		return e, body
	}
	if all := d.effects[effectKey(c.Func, c.TypeArgs)]; p.Index < len(all) {
		e = all[p.Index]
	}
	if c.Func.Pkg() == nil {
		return e, body
	}
	receiver := ""
	if recv := c.Func.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if pointer, ok := t.(*types.Pointer); ok {
			t = types.Unalias(pointer.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok || types.IsInterface(n) {
			return e, body
		}
		receiver = n.Obj().Name()
	}
	return e, d.bodies.Of(c.Func.Pkg().Path(), receiver, c.Func.Name(), p.Index)
}

// isClass says whether values of a type are objects of a class.
func (d *Decider) isClass(t types.Type) bool {
	n, ok := t.(*types.Named)
	return ok && d.isObject(n)
}

func containsMap(t types.Type) bool {
	switch x := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Slice:
		return containsMap(x.Elem())
	}
	return false
}

// returnsType says whether a signature has a result of a type, as that of a func that appends.
func returnsType(sig *types.Signature, t types.Type) bool {
	for v := range sig.Results().Variables() {
		if types.Identical(v.Type(), t) {
			return true
		}
	}
	return false
}

// note notes what of a func does not come back.
func (d *Decider) note(format string, v *types.Var) {
	name := v.Name()
	if name == "" {
		name = v.Type().String()
	}
	d.notes = append(d.notes, fmt.Sprintf(format, "'"+strings.TrimSpace(name)+"'"))
}

// noteResults notes results that Python can only pass on.
func (d *Decider) noteResults(r form.Results) {
	for i, v := range r.Values {
		if v.Way == form.Anything || v.Way == form.Uncalled {
			d.notes = append(d.notes, fmt.Sprintf("result %d: a %s can only be passed on", i, types.TypeString(v.Type, shortly)))
		}
	}
}
