package decide

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

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
