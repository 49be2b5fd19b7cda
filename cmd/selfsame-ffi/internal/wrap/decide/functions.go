package decide

import (
	"cmp"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
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
	sig := of.sig
	n := sig.Results().Len()
	k := constructor{f: f, instance: of}
	if n == 0 || n > 2 || n == 2 && !isFailure(sig.Results().At(1).Type()) {
		return nil, k
	}
	k.fails = n == 2
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	} else {
		k.value = true
	}
	named, ok := t.(*types.Named)
	if !ok {
		return nil, k
	}
	c := d.classes[types.TypeString(named, nil)]
	if c == nil || c.Kind != form.Pointer || !c.Target {
		return nil, k
	}
	return c, k
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
		k, ok := choose(all, d.rules.Init[c.Named.Obj().Name()], d.typeName(c.Named))
		if !ok && !zeroServes.MatchString(strings.Join(strings.Fields(d.doc(p, c.Named.Obj().Name())), " ")) {
			k, ok = simplest(all, c.Named)
		}
		if ok {
			d.init(c, k)
		}
	}
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

// functions decides the funcs and variables of a package.
func (d *Decider) functions(p *types.Package) {
	done := map[string]bool{}
	for _, c := range d.plan.Classes {
		if c.Init != nil && c.Init.Counted && c.Named.Obj().Pkg() == p {
			// A func such as Parse, whose name does not tell what it makes, is one of the package too.
			name := d.typeName(c.Named)
			done[c.Init.ID] = strings.HasPrefix(c.Init.ID, "New"+name) || strings.HasSuffix(c.Init.ID, "Of")
		}
	}
	names := p.Scope().Names()
	slices.SortStableFunc(names, func(a, b string) int { // where two have one name in Python, the deprecated one gives way
		return cmp.Compare(d.deprecated(p, a), d.deprecated(p, b))
	})
	for _, name := range names {
		o := p.Scope().Lookup(name)
		if !o.Exported() || done[name] {
			continue
		}
		switch x := o.(type) {
		case *types.Func:
			d.function(p, x)
		case *types.Var:
			d.variable(p, x)
		}
	}
}

// deprecated returns 1 for what a package declares and its comment calls deprecated, else 0.
func (d *Decider) deprecated(p *types.Package, name string) int {
	if text := d.doc(p, name); strings.HasPrefix(text, "Deprecated:") || strings.Contains(text, "\nDeprecated:") {
		return 1
	}
	return 0
}

func (d *Decider) function(p *types.Package, f *types.Func) {
	if c, static := d.static(f); c != nil {
		c.Members = append(c.Members, d.bind(f, instance{sig: f.Signature()}, c.Names.Take(d.renamed(f.Name(), static)), true))
		return
	}
	sigs := d.instancesOf(f.Signature())
	if len(sigs) == 0 {
		d.plan.Functions = append(d.plan.Functions, &form.Item{ID: f.Name(), Counted: true, Reason: reason.New(reason.NoInstances, "")})
		return
	}
	d.parser(f)
	for i, s := range sigs {
		item := d.bind(f, s, d.take(p, d.renamed(f.Name(), pythonName(f.Name()))+s.suffix), false)
		item.Counted = i == 0
		d.plan.Functions = append(d.plan.Functions, item)
	}
}

// static returns the class of which a further constructor such as NewBitmapFromBytes is a static method, with its name there; nil
// for other funcs.
func (d *Decider) static(f *types.Func) (*form.Class, string) {
	c, _ := d.made(f)
	if c == nil || c.Depth > maxDepth || c.Named.Obj().Pkg() != f.Pkg() {
		return nil, ""
	}
	rest, ok := strings.CutPrefix(f.Name(), "New"+d.typeName(c.Named))
	if !ok || rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
		return nil, ""
	}
	name := memberName(c, pythonName(rest))
	if c.Names.Has(name) {
		name = pythonName(f.Name())
	}
	return c, name
}

// parser gives a class a static method for a func such as ParseURL that makes an object of it: beside the func of the module there
// is URL.parse. ParseURLOf is URL.parse_of, ParseRequest of a URL is URL.parse_request. A method of the class goes before.
func (d *Decider) parser(f *types.Func) {
	c, _ := d.made(f)
	if c == nil || c.Depth > maxDepth || c.Named.Obj().Pkg() != f.Pkg() {
		return
	}
	rest, ok := strings.CutPrefix(f.Name(), "Parse")
	if !ok || rest != "" && !unicode.IsUpper(rune(rest[0])) {
		return // Parser returns no value of a text
	}
	if of, own := strings.CutPrefix(rest, d.typeName(c.Named)); own && (of == "" || unicode.IsUpper(rune(of[0]))) {
		rest = of
	}
	id := c.Named.Obj().Name() + "." + f.Name()
	python := d.renamed(id, pythonName("Parse"+rest))
	if c.Names.Has(python) || d.rules.Omits(id) {
		return
	}
	item := d.bind(f, instance{sig: f.Signature()}, c.Names.Take(python), true)
	if item.Reason != nil {
		return // the func of the module says why
	}
	item.ID, item.Counted = id, false
	c.Members = append(c.Members, item)
}

// bind decides a func, which becomes one of the module or a static method.
func (d *Decider) bind(f *types.Func, of instance, python string, static bool) *form.Item {
	item := &form.Item{ID: f.Name(), Python: python, Counted: true}
	if d.omitted(item) {
		return item
	}
	d.owner = f.Name()
	call, err := d.call(f, of, nil)
	if err != nil {
		item.Reason = err
		return item
	}
	call.Static, item.Form, item.Notes = static, call, d.notes
	item.Doc = d.docOf(f.Name(), d.doc(f.Pkg(), f.Name()), call)
	return item
}

// variable decides a package variable, which is an attribute of the module: a func without arguments returns its value, and another one,
// whose name is no identifier, sets it. Variables of errors are exceptions.
func (d *Decider) variable(p *types.Package, v *types.Var) {
	if isErrorVariable(v) {
		return
	}
	item := &form.Item{ID: v.Name(), Python: d.take(p, d.renamed(v.Name(), pythonName(v.Name())))}
	d.plan.Functions = append(d.plan.Functions, item)
	if d.omitted(item) {
		return
	}
	d.owner = v.Name()
	as, err := d.value(v.Type(), "")
	channel := d.received(v.Type())
	switch {
	case err == nil && as.Way == form.Same && d.shows(as.Type):
		as = shown(as, form.ShownOf)
	case err == nil:
	case channel != nil:
		as = form.Value{Type: channel, Way: form.Renamed}
	case d.writable(v.Type()) == nil:
		item.Reason = err
		return
	default:
		as = form.Value{Type: v.Type(), Way: form.Anything}
		if n := d.methodsOf(v.Type()); n != nil {
			as = form.Value{Type: n, Way: form.Renamed}
		}
	}
	item.Form, item.Doc = &form.Variable{Var: v, Value: as}, d.docOf(v.Name(), d.doc(p, v.Name()), nil)
	if basic, ok := v.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsUntyped == 0 && d.crosses(v.Type()) == nil {
		d.plan.Functions = append(d.plan.Functions, &form.Item{
			ID: v.Name() + " (set)", Python: item.Python + ".set", Doc: "Sets the variable.", Form: &form.SetVariable{Var: v},
		})
	}
}
