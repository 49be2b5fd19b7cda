package decide

import (
	"cmp"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// constructor is a func that makes an object of a class.
type constructor struct {
	f *types.Func
	instance
	fails bool
	value bool // it returns T, not *T
}

// made returns the class that a func makes, nil for one that is no constructor.
func (d *Decider) made(f *types.Func) (*form.Class, constructor) {
	if f.Signature().TypeParams().Len() > 0 {
		return nil, constructor{}
	}
	return d.makes(f, instance{sig: f.Signature()})
}

// makes returns the class that a func or an instance of one makes, nil for one that is no constructor.
func (d *Decider) makes(f *types.Func, of instance) (*form.Class, constructor) {
	k, named := returned(f, of)
	if named == nil {
		return nil, k
	}
	c := d.classes[types.TypeString(named, nil)]
	if c == nil || c.Kind != form.Pointer || !c.Target {
		return nil, k
	}
	return c, k
}

// returned returns the type of which a func or an instance of one makes a value, nil for one that makes none.
func returned(f *types.Func, of instance) (constructor, *types.Named) {
	sig := of.sig
	n := sig.Results().Len()
	k := constructor{f: f, instance: of}
	if n == 0 || n > 2 || n == 2 && !isFailure(sig.Results().At(1).Type()) {
		return k, nil
	}
	k.fails = n == 2
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	} else {
		k.value = true
	}
	named, _ := t.(*types.Named)
	return k, named
}

// constructors chooses the constructor of each class.
func (d *Decider) constructors(p *types.Package) {
	byClass := map[*form.Class][]constructor{}
	for _, name := range p.Scope().Names() {
		f, ok := p.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		for _, of := range d.instancesOf(f.Signature()) {
			if c, k := d.makes(f, of); c != nil {
				byClass[c] = append(byClass[c], k)
			}
		}
	}
	for _, c := range d.plan.Classes {
		all := byClass[c]
		if len(all) == 0 || c.Named.Obj().Pkg() != p || c.Enum != nil {
			continue
		}
		wanted := d.rules.Init[c.Named.Obj().Name()]
		if wanted == "" {
			all = slices.DeleteFunc(all, func(k constructor) bool { return convertsAny(k, c.Named) })
		}
		k, ok := choose(all, wanted, d.typeName(c.Named))
		if !ok && !d.zeroServes(c.Named) {
			k, ok = simplest(all, c.Named)
		}
		if ok {
			d.init(c, k)
		}
	}
}

// convertsAny says whether a func makes a struct of any value, whose fields are all exported: they are the arguments then.
func convertsAny(k constructor, of *types.Named) bool {
	s, isStruct := of.Underlying().(*types.Struct)
	if !isStruct || hasHidden(s) || s.NumFields() == 0 || k.sig.Params().Len() != 1 {
		return false
	}
	iface, is := k.sig.Params().At(0).Type().Underlying().(*types.Interface)
	return is && iface.Empty() && !k.sig.Variadic()
}

// choose picks the constructor of a type: the one that a person chose, NewX, XOf with any number of values if NewX takes none, New,
// or Compile, Parse or Open of a text, which may have options behind it.
func choose(all []constructor, wanted, typeName string) (constructor, bool) {
	find := func(name string) (constructor, bool) {
		for _, k := range all {
			if k.f.Name() == name {
				return k, true
			}
		}
		return constructor{}, false
	}
	if wanted != "" {
		return find(wanted)
	}
	first, hasNew := find("New" + typeName)
	of, hasOf := find(typeName + "Of")
	if hasOf && of.sig.Variadic() && of.sig.Params().Len() == 1 && (!hasNew || first.sig.Params().Len() == 0) {
		return of, true
	}
	if hasNew {
		return first, true
	}
	if k, ok := find("New"); ok {
		return k, true
	}
	for _, name := range []string{"Compile", "Parse", "Open"} {
		if k, ok := find(name); ok && takesText(k.sig) {
			return k, true
		}
	}
	return constructor{}, false
}

// makers are what funcs are called that make an object, and openers what those are called beside them that make one of something.
var (
	makers  = regexp.MustCompile(`^(New|Make|Create)([^a-z]|$)`)
	openers = regexp.MustCompile(`^(Open|Parse|Compile|Build|Dial|Connect|From|Load|Read)([^a-z]|$)`)

	// zeroServes finds what comments say of types whose zero value is an object that works.
	zeroServes = regexp.MustCompile(`(?i)\bzero[- ]values?\b[^.]*\b(ready|usable|useful|valid|empty|can be used|works)\b`)
)

// zeroServes says whether the comment of a type says that its zero value serves.
func (d *Decider) zeroServes(n *types.Named) bool {
	return zeroServes.MatchString(strings.Join(strings.Fields(d.doc(n.Obj().Pkg(), n.Obj().Name())), " "))
}

// simplest picks the constructor of a struct with fields that are not exported, whose zero value may be an object that does not work: of
// the funcs New..., Make... or Create..., and of some others where no field is exported, the one with the fewest parameters. A func that
// takes another object makes something of that.
func simplest(all []constructor, of *types.Named) (constructor, bool) {
	if s, ok := of.Underlying().(*types.Struct); !ok || !hasHidden(s) {
		return constructor{}, false
	}
	all = slices.DeleteFunc(slices.Clone(all), func(k constructor) bool {
		for p := range k.sig.Params().Variables() {
			t := types.Unalias(p.Type())
			if pointer, ok := t.(*types.Pointer); ok {
				t = pointer.Elem()
			}
			if types.Identical(t, of) {
				return true
			}
		}
		return !makers.MatchString(k.f.Name()) && !(isClosed(of) && openers.MatchString(k.f.Name()))
	})
	if len(all) == 0 {
		return constructor{}, false
	}
	effort := func(k constructor) int {
		n := 2 * k.sig.Params().Len()
		if k.sig.Variadic() {
			n--
		}
		if !makers.MatchString(k.f.Name()) {
			n += 100
		}
		return n
	}
	return slices.MinFunc(all, func(a, b constructor) int {
		return cmp.Or(cmp.Compare(effort(a), effort(b)), cmp.Compare(len(a.f.Name()), len(b.f.Name())))
	}), true
}

// hasHidden says whether a struct has a field that is not exported.
func hasHidden(s *types.Struct) bool {
	for f := range s.Fields() {
		if !f.Exported() && f.Name() != "_" {
			return true
		}
	}
	return false
}

// isClosed says whether a type is a struct without an exported field.
func isClosed(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() {
			return false
		}
	}
	return true
}

// takesText says whether the first argument is a text.
func takesText(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && sig.Params().At(0).Type().String() == "string"
}

// init gives a class its constructor.
func (d *Decider) init(c *form.Class, k constructor) {
	d.owner = k.f.Name()
	item := &form.Item{ID: k.f.Name(), Python: c.Python(), Counted: true}
	if d.omitted(item) {
		return
	}
	call, err := d.call(k.f, k.instance, nil)
	if err != nil {
		return // it remains a func, whose reason is told
	}
	made := &form.Constructor{Call: call, Of: c, Value: k.value}
	if s, ok := c.Named.Underlying().(*types.Struct); ok && call.Options == nil && hasFixed(call) {
		made.Fields = besides(call, d.initFields(c.Named, s))
	}
	item.Form, item.Notes = made, d.notes
	if text := d.docOf(k.f.Name(), d.doc(k.f.Pkg(), k.f.Name()), call); text != "" {
		c.Doc += "\n\n" + item.Python + ": " + text
	}
	c.Init = item
}

// besides returns the fields whose names no parameter of a call has.
func besides(call *form.Call, fields []form.Field) []form.Field {
	return slices.DeleteFunc(fields, func(f form.Field) bool {
		return slices.ContainsFunc(call.Params, func(p *form.Param) bool { return p.Python == f.Python })
	})
}

// hasFixed says whether keyword arguments can stand behind all parameters of a call.
func hasFixed(call *form.Call) bool {
	return !slices.ContainsFunc(call.Params, func(p *form.Param) bool { return p.Way == form.Within || p.Rest })
}

// zero gives a class without a constructor one that makes the zero value, with the exported fields as arguments.
func (d *Decider) zero(c *form.Class) {
	if c.Init != nil {
		return
	}
	item := &form.Item{ID: c.Named.Obj().Name() + "{}", Python: c.Go}
	switch u := c.Named.Underlying().(type) {
	case *types.Struct:
		if d.madeElsewhere(c) {
			return
		}
		item.Form = &form.Zero{Of: c, Fields: d.initFields(c.Named, u)}
	case *types.Signature:
		if d.signatureCrosses(u) != nil {
			return
		}
		item.Form = &form.Conversion{Of: c}
	case *types.Chan, *types.Pointer, *types.Interface:
		return
	default:
		if d.crosses(u) != nil {
			return
		}
		item.Form = &form.Conversion{Of: c}
	}
	c.Init = item
}

// madeElsewhere gives the class of a struct of another package, whose fields are all hidden, the constructor that it would have if that
// package were wrapped, as regexp.Compile, if it takes numbers and texts alone. It reports whether there is one.
func (d *Decider) madeElsewhere(c *form.Class) bool {
	p := c.Named.Obj().Pkg()
	if !d.isForeign(c.Named) || p == nil || !isClosed(c.Named) || c.Named.TypeArgs().Len() > 0 {
		return false
	}
	if whole, err := d.world.Importer.Import(p.Path()); err != nil || whole != p { // what others import of it may be a part
		return false
	}
	var all []constructor
	for _, name := range p.Scope().Names() {
		f, ok := p.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 || !takesPlain(f.Signature()) {
			continue
		}
		if k, makes := returned(f, instance{sig: f.Signature()}); makes == c.Named {
			all = append(all, k)
		}
	}
	k, ok := choose(all, "", c.Named.Obj().Name())
	if !ok && !d.zeroServes(c.Named) {
		k, ok = simplest(all, c.Named)
	}
	if ok {
		d.init(c, k)
	}
	if c.Init == nil {
		return false
	}
	c.Init.Counted = false // it is no func of the wrapped packages
	return true
}

// takesPlain says whether all parameters, of which there is one, are numbers and texts.
func takesPlain(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if _, plain := p.Type().(*types.Basic); !plain {
			return false
		}
	}
	return sig.Params().Len() > 0
}

const maxInitFields = 80

// initFields returns the exported fields of a struct that a constructor takes, those of the structs that it embeds behind its own.
func (d *Decider) initFields(n *types.Named, s *types.Struct) (all []form.Field) {
	var names form.Names
	for f := range settable(n, s) {
		if len(all) < maxInitFields && d.crosses(f.Type()) == nil {
			all = append(all, form.Field{Go: f.Name(), Python: names.Take(pythonName(f.Name())), Value: d.leftOut(f.Type())})
		}
	}
	return all
}

// settable goes over the exported fields of a struct, and behind them over those of the structs that it embeds, which it has as its own.
// A pointer to a struct may be nil, so there is the pointer alone.
func settable(n *types.Named, s *types.Struct) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		var embedded []*types.Struct
		for f := range s.Fields() {
			if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() {
				embedded = append(embedded, inner)
			}
			found, _, indirect := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), f.Name())
			_, isField := found.(*types.Var)
			if f.Exported() && isField && !indirect && !yield(f) {
				return
			}
		}
		for _, inner := range embedded {
			for f := range settable(n, inner) {
				if found, _, _ := types.LookupFieldOrMethod(n, true, n.Obj().Pkg(), f.Name()); sameField(found, f) && !yield(f) {
					return
				}
			}
		}
	}
}

// sameField says whether a struct has a field of an embedded one as its own. Fields of instances of a generic type are others each.
func sameField(found types.Object, f *types.Var) bool {
	v, ok := found.(*types.Var)
	return ok && (v == f || v.Origin() == f.Origin())
}
