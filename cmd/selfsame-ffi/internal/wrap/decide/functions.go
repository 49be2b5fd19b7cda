package decide

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"

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
func (d *Decider) made(f *types.Func) (*Class, constructor) {
	if f.Signature().TypeParams().Len() > 0 {
		return nil, constructor{}
	}
	return d.makes(f, instance{sig: f.Signature()})
}

// makes returns the class that a func or an instance of one makes, nil for one that is no constructor.
func (d *Decider) makes(f *types.Func, of instance) (*Class, constructor) {
	sig := of.sig
	n := sig.Results().Len()
	k := constructor{f: f, instance: of}
	if n == 0 || n > 2 || n == 2 && !isError(sig.Results().At(1).Type()) {
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
	if c == nil || c.Kind != Pointer || !c.Target {
		return nil, k
	}
	return c, k
}

// constructors chooses the constructor of each class.
func (d *Decider) constructors(p *types.Package) {
	byClass := map[*Class][]constructor{}
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
		if len(all) == 0 || c.Named.Obj().Pkg() != p {
			continue
		}
		k, ok := choose(all, d.rules.Init[c.Named.Obj().Name()], c.Named.Obj().Name())
		if ok {
			d.init(c, k)
		}
	}
}

// choose picks the constructor of a type: the one that a person chose, NewX, XOf with any number of values if NewX takes none, New,
// or Compile, Parse or Open of a text, which may have options behind it. A struct of which nothing is exported but methods, so that
// nobody could fill it, has the only func New... that makes one.
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
	if !isClosed(all[0].sig.Results().At(0).Type()) {
		return constructor{}, false
	}
	var only []constructor
	for _, k := range all {
		if strings.HasPrefix(k.f.Name(), "New") {
			only = append(only, k)
		}
	}
	if len(only) != 1 {
		return constructor{}, false
	}
	return only[0], true
}

// isClosed says whether a type is a struct or a pointer to one, without an exported field.
func isClosed(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
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
func (d *Decider) init(c *Class, k constructor) {
	d.owner = k.f.Name()
	item := &Item{ID: k.f.Name(), Python: c.Key[strings.LastIndexByte(c.Key, '.')+1:], Counted: true}
	if d.omitted(item) {
		return
	}
	made, err := d.callable(k.sig, d.plan.Imports.Name(k.f.Pkg())+"."+k.f.Name()+k.args, "")
	if err != nil {
		return // it remains a func, whose reason is told
	}
	item.Decl = made.decl
	params := made.params
	if params != "" {
		params = ", " + params
	}
	call, lock := made.call, made.lock
	set := "o.Set(r)"
	if k.value {
		set = "o.Set(&r)"
	}
	if s, ok := c.Named.Underlying().(*types.Struct); ok && k.sig.Params().Len() == 0 {
		var fields string
		params, fields, made.names = d.initFields(s, "r")
		set = fields + set
	}
	if k.fails {
		item.Code = fmt.Sprintf("selfsame.Init(func(o *%s%s) error {\n%sr, err := %s\nif err != nil {\nreturn %s\n}\n%s\nreturn nil\n}%s)",
			c.Go, params, lock, call, made.failure, set, made.argNames())
	} else {
		item.Code = fmt.Sprintf("selfsame.Init(func(o *%s%s) {\n%sr := %s\n%s\n}%s)", c.Go, params, lock, call, set, made.argNames())
	}
	if text := d.docOf(k.f.Name(), d.doc(k.f.Pkg(), k.f.Name())); text != "" {
		c.Doc += "\n\n" + item.Python + ": " + text
	}
	c.Init = item
}

// zero gives a class without a constructor one that makes the zero value, with the exported fields as arguments.
func (d *Decider) zero(c *Class) {
	if c.Init != nil {
		return
	}
	item := &Item{ID: c.Named.Obj().Name() + "{}", Python: c.Go}
	switch u := c.Named.Underlying().(type) {
	case *types.Struct:
		d.zeroStruct(c, u, item)
	case *types.Signature, *types.Chan, *types.Pointer, *types.Interface:
		if _, isFunc := u.(*types.Signature); !isFunc || d.signatureCrosses(u.(*types.Signature)) != nil {
			return
		}
		item.Code = fmt.Sprintf("selfsame.Init(func(o *%s, value %s) { f := %s(value); o.Set(&f) }, \"value\")", c.Go, d.text(u), c.GoType)
	default:
		if d.crosses(u) != nil {
			return
		}
		item.Code = fmt.Sprintf("selfsame.Init(func(o *%s, value %s) { v := %s(value); o.Set(&v) }, \"value\")", c.Go, d.text(u), c.GoType)
		if slice, ok := u.(*types.Slice); ok {
			item.Code = fmt.Sprintf("selfsame.Init(func(o *%s, value ...%s) { v := %s(value); o.Set(&v) }, \"value\")", c.Go, d.text(slice.Elem()), c.GoType)
		}
		if _, ok := u.(*types.Map); ok {
			item.Code = fmt.Sprintf("selfsame.Init(func(o *%s, value %s) { v := %s(value); o.Set(&v) }, \"value={}\")", c.Go, d.text(u), c.GoType)
		}
	}
	c.Init = item
}

const maxInitFields = 80

func (d *Decider) zeroStruct(c *Class, s *types.Struct, item *Item) {
	params, set, names := d.initFields(s, "v")
	text := ""
	for _, name := range names {
		text += fmt.Sprintf(", %q", name)
	}
	item.Code = fmt.Sprintf("selfsame.Init(func(o *%s%s) {\nv := new(%s)\n%so.Set(v)\n}%s)", c.Go, params, c.GoType, set, text)
}

// initFields returns the parameters of a constructor for the exported fields of a struct, the statements that set those of the value,
// and the names of the parameters.
func (d *Decider) initFields(s *types.Struct, value string) (list, set string, names []string) {
	var params []string
	seen := newScope()
	for f := range s.Fields() {
		if !f.Exported() || f.Embedded() || len(names) == maxInitFields || d.crosses(f.Type()) != nil {
			continue
		}
		name := fmt.Sprintf("a%d", len(names))
		python := seen.take(pythonName(f.Name()))
		names = append(names, python+"=None")
		if d.isNone(f.Type()) {
			params = append(params, name+" "+d.text(f.Type()))
			set += fmt.Sprintf("if %s != nil {\n%s.%s = %s\n}\n", name, value, f.Name(), name)
			continue
		}
		params = append(params, fmt.Sprintf("%s selfsame.Optional[%s]", name, d.text(f.Type())))
		set += fmt.Sprintf("if %s.OK {\n%s.%s = %s.Value\n}\n", name, value, f.Name(), name)
	}
	if len(params) > 0 {
		list = ", " + strings.Join(params, ", ")
	}
	return list, set, names
}

// functions decides the funcs and variables of a package.
func (d *Decider) functions(p *types.Package) {
	done := map[string]bool{}
	for _, c := range d.plan.Classes {
		if c.Init != nil && c.Init.Counted && c.Named.Obj().Pkg() == p {
			// A func such as Parse, whose name does not tell what it makes, is one of the package too.
			name := c.Named.Obj().Name()
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
		c.Members = append(c.Members, d.bind(f, f.Signature(), "", c.scope.take(d.renamed(f.Name(), static)), true))
		return
	}
	sigs := d.instancesOf(f.Signature())
	if len(sigs) == 0 {
		d.plan.Functions = append(d.plan.Functions, &Item{ID: f.Name(), Counted: true, Reason: reason.New(reason.NoInstances, "")})
		return
	}
	d.parser(f)
	for i, s := range sigs {
		item := d.bind(f, s.sig, s.args, d.take(p, d.renamed(f.Name(), pythonName(f.Name()))+s.suffix), false)
		item.Counted = i == 0
		d.plan.Functions = append(d.plan.Functions, item)
	}
}

// static returns the class of which a further constructor such as NewBitmapFromBytes is a static method, with its name there; nil
// for other funcs.
func (d *Decider) static(f *types.Func) (*Class, string) {
	c, _ := d.made(f)
	if c == nil || c.Depth > maxDepth || c.Named.Obj().Pkg() != f.Pkg() {
		return nil, ""
	}
	rest, ok := strings.CutPrefix(f.Name(), "New"+c.Named.Obj().Name())
	if !ok || rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
		return nil, ""
	}
	name := pythonName(rest)
	if c.scope.has(name) {
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
	if of, own := strings.CutPrefix(rest, c.Named.Obj().Name()); own && (of == "" || unicode.IsUpper(rune(of[0]))) {
		rest = of
	}
	id := c.Named.Obj().Name() + "." + f.Name()
	python := d.renamed(id, pythonName("Parse"+rest))
	if c.scope.has(python) || d.rules.Omits(id) {
		return
	}
	item := d.bind(f, f.Signature(), "", c.scope.take(python), true)
	if item.Reason != nil {
		return // the func of the module says why
	}
	item.ID, item.Counted = id, false
	c.Members = append(c.Members, item)
}

// bind decides a func, which becomes one of the module or a static method.
func (d *Decider) bind(f *types.Func, sig *types.Signature, typeArgs, python string, static bool) *Item {
	item := &Item{ID: f.Name(), Python: python, Counted: true}
	if d.omitted(item) {
		return item
	}
	d.owner = f.Name()
	made, err := d.callable(sig, d.plan.Imports.Name(f.Pkg())+"."+f.Name()+typeArgs, "")
	if err != nil {
		item.Reason = err
		return item
	}
	item.Decl = made.decl
	doc := d.docOf(f.Name(), d.doc(f.Pkg(), f.Name()))
	if static {
		item.Code = fmt.Sprintf("selfsame.Static(%q, %s, %q%s)", python, made.code, doc, made.argNames())
		return item
	}
	names := ""
	if len(made.names) > 0 {
		names = ", selfsame.ArgNames(" + strings.TrimPrefix(made.argNames(), ", ") + ")"
	}
	item.Code = fmt.Sprintf("selfsame.MustRegisterFunc(%q, %s, selfsame.Lenient(), selfsame.Plain(), selfsame.Doc(%q)%s)",
		d.plan.Name+"."+python, made.code, doc, names)
	return item
}

// variable decides a package variable: a func without arguments returns its value, and set_NAME changes it. Variables of errors are
// exceptions.
func (d *Decider) variable(p *types.Package, v *types.Var) {
	if isError(v.Type()) {
		return
	}
	item := &Item{ID: v.Name(), Python: d.take(p, d.renamed(v.Name(), pythonName(v.Name())))}
	d.plan.Functions = append(d.plan.Functions, item)
	if d.omitted(item) {
		return
	}
	d.owner = v.Name()
	name, text := d.plan.Imports.Name(p)+"."+v.Name(), "any"
	as, err := d.form(v.Type(), "")
	value := name
	switch {
	case err == nil:
		text, value = d.text(as.Type), as.out(name)
	case d.received(v.Type()) != "":
		text = d.received(v.Type())
	case d.writable(v.Type()) == nil:
		item.Reason = err
		return
	}
	item.Code = fmt.Sprintf("selfsame.MustRegisterFunc(%q, func() %s { return %s }, selfsame.Lenient(), selfsame.Plain(), selfsame.Doc(%q))",
		d.plan.Name+"."+item.Python, text, value, "Returns the Go variable "+v.Name()+". "+d.docOf(v.Name(), d.doc(p, v.Name())))
	if basic, ok := v.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsUntyped == 0 && d.crosses(v.Type()) == nil {
		set := &Item{ID: v.Name() + " (set)", Python: d.take(p, "set_"+item.Python)}
		set.Code = fmt.Sprintf("selfsame.MustRegisterFunc(%q, func(value %s) { %s = value }, selfsame.Lenient(), selfsame.ArgNames(\"value\"), selfsame.Doc(%q))",
			d.plan.Name+"."+set.Python, d.text(v.Type()), name, "Sets the Go variable "+v.Name()+".")
		d.plan.Functions = append(d.plan.Functions, set)
	}
}
