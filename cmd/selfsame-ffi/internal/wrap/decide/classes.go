package decide

import (
	"cmp"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// maxDepth is how far from a wrapped package a type's members are bound; the objects of those further off are only passed on.
const maxDepth = 2

// newClass makes the class of a named type and queues its members.
func (d *Decider) newClass(n *types.Named, kind form.Kind) *form.Class {
	o := n.Obj()
	name := o.Name() + typeSuffix(n.TypeArgs())
	if alias := d.aliasOf(n); alias != nil {
		name = alias.Name()
	}
	if isGenerated(o.Pkg()) {
		name = capital(name)
	}
	if d.targets[o.Pkg()] && kind == form.Pointer && implementsError(n) {
		name += "Value" // the name is the exception's
	}
	path, goName := "", ""
	if d.isApart(n) {
		of, taken := d.takeApart(o.Pkg(), name)
		path, goName = of+"."+taken, capital(of)+taken
	} else {
		path = d.take(o.Pkg(), name)
		goName = path
	}
	c := &form.Class{
		Kind: kind, Named: n, Go: d.structs.Take(goName), Key: d.plan.Name + "." + path, Target: d.targets[o.Pkg()], Depth: d.depth + 1,
	}
	if c.Target {
		c.Depth = 0
	}
	if d.constructed {
		d.describe(c)
	}
	if kind == form.Pointer {
		c.Enum = d.enum(n)
		c.ByValue = c.Enum != nil || d.isValue(n)
	}
	c.Shared = isContext(n) || d.isShared(n, d.doc(o.Pkg(), o.Name()))
	d.classes[types.TypeString(n, nil)] = c
	d.plan.Classes = append(d.plan.Classes, c)
	d.queue = append(d.queue, c)
	return c
}

// describe puts the comment of a class's type before the rest of its doc.
func (d *Decider) describe(c *form.Class) {
	o := c.Named.Obj()
	c.Doc = cmp.Or(d.pythonDoc(d.doc(o.Pkg(), o.Name())), fmt.Sprintf("The Go type %s.", types.TypeString(c.Named, shortly))) + c.Doc
}

func implementsError(n *types.Named) bool {
	failure := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(types.NewPointer(n), failure)
}

// isValue decides whether Go code expects values of a type rather than pointers. So it does when the type has a method of the value, or
// none, and nothing changes a value.
func (d *Decider) isValue(n *types.Named) bool {
	own := types.NewMethodSet(n).Len() > 0 || n.NumMethods() == 0
	return own && d.isUnchanged(n)
}

// isUnchanged says whether values of a type stay what they are. So they do when no exported method with a pointer receiver writes through
// that, those apart that fill a value with what was read, and the wrapped packages never mention a pointer to the type. Tags of fields say
// that a decoder fills it, through a pointer.
func (d *Decider) isUnchanged(n *types.Named) bool {
	if types.IsInterface(n) || hasTags(n) || d.mention[types.TypeString(n, nil)].pointer > 0 {
		return false
	}
	ofValue := types.NewMethodSet(n)
	for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		f, ok := m.Obj().(*types.Func)
		if ok && f.Exported() && ofValue.Lookup(f.Pkg(), f.Name()) == nil && !fills(f.Name()) && d.receiver(f) != (effects.Body{}) {
			return false
		}
	}
	return true
}

// receiver returns what the source of a method shows that it does to its object.
func (d *Decider) receiver(f *types.Func) effects.Body {
	receiver, name, isMethod := strings.Cut(declaredName(f), ".")
	if f.Pkg() == nil || !isMethod {
		return effects.Body{Unknown: true}
	}
	return d.bodies.Of(f.Pkg().Path(), receiver, name, effects.Receiver)
}

func hasTags(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Tag(i) != "" {
			return true
		}
	}
	return false
}

// fills says whether a method of a name fills a value with what was read.
func fills(method string) bool {
	return strings.HasPrefix(method, "Unmarshal") || method == "Scan" || method == "GobDecode"
}

// concurrent finds what comments say of types that goroutines may share.
var (
	concurrent    = regexp.MustCompile(`(?i)(safe for|may be used by|can be used by|used by)\s+(\w+\s+)*(concurrent|simultaneous|multiple goroutines)|concurrency[- ]safe|goroutine[- ]safe|thread[- ]safe`)
	notConcurrent = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|un)[- ]*(\w+[- ]+)?(safe for|goroutine[- ]safe|thread[- ]safe|concurrency[- ]safe|be used)`)
)

func (d *Decider) isShared(n *types.Named, doc string) bool {
	name := n.Obj().Name()
	if d.rules.Shared[name] || d.rules.Locked[name] {
		return d.rules.Shared[name]
	}
	if _, basic := n.Underlying().(*types.Basic); basic || guardsItself(n) {
		return true
	}
	text := strings.Join(strings.Fields(doc), " ")
	return concurrent.MatchString(text) && !notConcurrent.MatchString(text)
}

// isMutex says whether a type is a mutex, of the package sync or of one that stands for it.
func isMutex(n *types.Named) bool { return n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex" }

// guardsItself says whether a struct has a mutex of its own, or embeds a struct that has: its methods take turns where they must. Serve
// of a server and Run of a scheduler wait: a lock around them would keep Shutdown and Stop out.
func guardsItself(n *types.Named) bool { return guardsWithin(n, 0) }

func guardsWithin(n *types.Named, depth int) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range s.Fields() {
		t := types.Unalias(f.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if m, ok := t.(*types.Named); ok && (isMutex(m) || f.Embedded() && m.Obj().Pkg() == n.Obj().Pkg() && guardsWithin(m, depth+1)) {
			return true
		}
	}
	return false
}

// count counts how the types of a wrapped package stand in its signatures.
func (d *Decider) count(p *types.Package) {
	signature := func(sig *types.Signature) {
		for v := range sig.Params().Variables() {
			d.mentionType(v.Type(), false)
		}
		for v := range sig.Results().Variables() {
			d.mentionType(v.Type(), true)
		}
	}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				signature(o.Signature())
			}
		case *types.Var:
			if o.Exported() {
				d.mentionType(o.Type(), true)
				d.hold(o.Type(), nil)
			}
		case *types.TypeName:
			n, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() {
				continue
			}
			for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
				if f, ok := m.Obj().(*types.Func); ok && f.Exported() {
					signature(f.Signature())
				}
			}
			if s, ok := n.Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					if f.Exported() {
						d.mentionType(f.Type(), false)
						d.hold(f.Type(), n)
					}
				}
			} else if n.TypeParams().Len() == 0 {
				d.mentionType(n.Underlying(), false)
			}
			if iface, ok := n.Underlying().(*types.Interface); ok {
				for m := range iface.Methods() {
					signature(m.Signature())
				}
			}
		}
	}
}

func (d *Decider) mentionType(t types.Type, result bool) {
	note := func(n *types.Named, pointer bool) {
		key := types.TypeString(n, nil)
		m := d.mention[key]
		if pointer {
			m.pointer++
		} else {
			m.value++
		}
		if result && (pointer || isFunc(n)) {
			m.returned++
		}
		d.mention[key] = m
	}
	switch x := types.Unalias(t).(type) {
	case *types.Named:
		note(x, false)
	case *types.Pointer:
		if n, ok := types.Unalias(x.Elem()).(*types.Named); ok {
			note(n, true)
		}
	case *types.Slice:
		d.mentionType(x.Elem(), result)
	case *types.Map:
		d.mentionType(x.Key(), false)
		d.mentionType(x.Elem(), result)
	case *types.Array:
		d.mentionType(x.Elem(), result)
	case *types.Chan:
		d.mentionType(x.Elem(), result)
	case *types.Signature:
		for _, list := range []*types.Tuple{x.Params(), x.Results()} {
			for v := range list.Variables() {
				d.mentionType(v.Type(), false)
			}
		}
	}
}

func isFunc(n *types.Named) bool {
	_, ok := n.Underlying().(*types.Signature)
	return ok
}

// typesOf makes the classes of the exported types of a wrapped package, the error types apart.
func (d *Decider) typesOf(p *types.Package) {
	names := p.Scope().Names()
	slices.Sort(names)
	var found []*types.Named
	for _, name := range names {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || o.IsAlias() || d.rules.Omits(name) {
			continue
		}
		n, ok := o.Type().(*types.Named)
		if !ok {
			continue
		}
		found = append(found, n)
	}
	for _, n := range found { // those of the package have the first choice of names
		for _, instance := range d.instances(n) {
			_ = d.namedCrosses(instance)
		}
	}
}

// members decides the members of a class.
func (d *Decider) members(c *form.Class) {
	if isContext(c.Named) {
		d.contextClass(c)
		return
	}
	if c.Depth > maxDepth && !d.isContainer(c.Named) && c.Named.Obj().Pkg().Path() != "io/fs" {
		return // of a file system one needs what it says of its files
	}
	d.special(c)
	d.methods(c)
	if c.Kind == form.Interface {
		d.adapter(c)
		if isPath(c.Named, "io/fs", "FS") && c.Adapter.Reason == nil {
			d.folder(c)
		}
		return
	}
	if s, ok := c.Named.Underlying().(*types.Struct); ok {
		d.fields(c, s)
	}
	d.zero(c)
}

// isContainer says whether a type is a map, a slice or a basic value of plain values, as http.Header is. Such a type has members
// however far from a wrapped package it is: without them nobody could make one.
func (d *Decider) isContainer(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Basic:
		return d.isPlain(n.Underlying())
	}
	return false
}

// methods decides the methods of a class.
func (d *Decider) methods(c *form.Class) {
	for selection := range methodsOf(c).Methods() {
		f, isFunc := selection.Obj().(*types.Func)
		sig, ok := selection.Type().(*types.Signature)
		if !isFunc || !ok || !f.Exported() {
			continue
		}
		if d.isText(c, f, sig) {
			continue
		}
		made := d.instancesOf(sig)
		if len(made) == 0 {
			d.member(c, f.Name(), "").Reason = reason.New(reason.NoInstances, "")
		}
		for i, of := range made {
			item := d.member(c, f.Name(), of.suffix)
			item.Counted = item.Counted && i == 0
			d.method(c, f, of, item)
		}
	}
}

// isText says whether a method is the __str__ of its class, which then stands for it, unless a rule gives the method a name.
func (d *Decider) isText(c *form.Class, f *types.Func, sig *types.Signature) bool {
	id := c.Named.Obj().Name() + "." + f.Name()
	if (f.Name() != "String" && f.Name() != "Error") || !isFunction(sig, "", "string") || d.rules.Names[id] != "" {
		return false
	}
	i := slices.IndexFunc(c.Members, func(m *form.Item) bool {
		o, ok := m.Form.(*form.Operation)
		return ok && m.Python == "__str__" && o.Go == f.Name()
	})
	if i < 0 {
		return false
	}
	c.Members[i].ID, c.Members[i].Counted = id, c.Target
	c.Members[i].Doc = cmp.Or(d.methodDoc(f, c, nil), c.Members[i].Doc)
	return true
}

// member adds an item for a method to a class. suffix is that of its Python name.
func (d *Decider) member(c *form.Class, name, suffix string) *form.Item {
	item := &form.Item{ID: c.Named.Obj().Name() + "." + name, Counted: c.Target}
	item.Python = c.Names.Take(d.renamed(item.ID, memberName(c, pythonName(name))) + suffix)
	c.Members = append(c.Members, item)
	return item
}

// method decides a method, or an instance of a generic one.
func (d *Decider) method(c *form.Class, f *types.Func, of instance, item *form.Item) {
	if d.omitted(item) {
		return
	}
	name := f.Name()
	d.owner = capital(c.Go) + name
	if reads(name, of.sig) {
		item.Form, item.Doc = &form.Reading{Of: c, Go: name, At: name == "ReadAt"}, d.methodDoc(f, c, nil)
		return
	}
	call, err := d.call(f, of, c)
	if err != nil {
		item.Reason = err
		return
	}
	d.stopping(call, c)
	item.Form, item.Doc, item.Notes = call, d.methodDoc(f, c, call), d.notes
}

// methodDoc returns the comment of a method, which may be promoted from an embedded type.
func (d *Decider) methodDoc(f *types.Func, c *form.Class, call *form.Call) string {
	recv := f.Signature().Recv()
	owner := c.Named.Obj().Name()
	if recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			owner = n.Obj().Name()
		}
	}
	return d.docOf(f.Name(), d.doc(f.Pkg(), owner+"."+f.Name()), call)
}

// renamed returns the Python name that the rules give to an item, name without one.
func (d *Decider) renamed(id, name string) string { return cmp.Or(d.rules.Names[id], name) }

// omitted notes that the rules leave an item out.
func (d *Decider) omitted(item *form.Item) bool {
	if d.rules.Omits(item.ID) {
		item.Reason = reason.New(reason.Omitted, "")
		return true
	}
	return false
}

// field is an exported field of a struct, or of a struct embedded in it.
type field struct {
	*types.Var
	owner string
}

// fields decides the fields of a class, which are properties.
func (d *Decider) fields(c *form.Class, s *types.Struct) {
	for _, f := range d.fieldsOf(c, s) {
		item := &form.Item{ID: c.Named.Obj().Name() + "." + f.Name()}
		name := d.renamed(item.ID, pythonName(f.Name()))
		if c.Names.Has(name) {
			name += "_"
		}
		item.Python = c.Names.Take(name)
		c.Members = append(c.Members, item)
		if d.omitted(item) {
			continue
		}
		d.owner = c.Go
		item.Form, item.Reason = d.property(c, f, item.Python)
		item.Doc = d.docOf(f.Name(), d.doc(f.Pkg(), f.owner+"."+f.Name()), nil)
	}
}

// property decides a field, which is a property.
func (d *Decider) property(c *form.Class, f field, python string) (form.Form, *reason.Reason) {
	made := &form.Property{Of: c, Go: f.Name(), Writable: true}
	as, err := d.value(f.Type(), f.Name())
	if p, ok := types.Unalias(f.Type()).(*types.Pointer); err != nil && ok && d.refers(p) {
		made.Get = form.Value{Type: p, Way: form.InPlace, Place: d.place(p.Elem())}
		made.Set = made.Get
		return made, nil
	}
	if err != nil {
		made.Writable, made.Get = false, form.Value{Type: f.Type(), Way: form.Anything}
		if channel := d.received(f.Type()); channel != nil {
			made.Get = form.Value{Type: channel}
		} else if d.writable(f.Type()) == nil {
			return nil, err
		}
		return made, nil
	}
	made.Get, made.Set, made.Writable = as, as, !c.Names.Has("set_"+python)
	switch {
	case c.Kind == form.Pointer && as.Way == form.Same && d.shows(as.Type):
		made.Get = shown(as, form.ShownIn)
	// A context would be that of the call as the first parameter, and an error be raised as the only result.
	case isContext(as.Type) || isError(as.Type):
		made.Get.Way, made.Set.Way, made.Writable = form.Optional, form.Optional, true
	}
	return made, nil
}

func isStruct(n *types.Named) bool {
	_, is := n.Underlying().(*types.Struct)
	return is
}

// fieldsOf returns the exported fields of a struct and the promoted ones of those that it embeds.
func (d *Decider) fieldsOf(c *form.Class, s *types.Struct) []field {
	var found []field
	seen := map[string]bool{}
	var collect func(s *types.Struct, owner string, depth int)
	collect = func(s *types.Struct, owner string, depth int) {
		for f := range s.Fields() {
			if f.Exported() && !seen[f.Name()] {
				o, _, _ := types.LookupFieldOrMethod(types.NewPointer(c.Named), true, c.Named.Obj().Pkg(), f.Name())
				if o == types.Object(f) || c.Named.TypeArgs().Len() > 0 && depth == 0 {
					seen[f.Name()] = true
					found = append(found, field{f, owner})
				}
			}
		}
		for f := range s.Fields() {
			if !f.Embedded() || depth > 3 {
				continue
			}
			t := f.Type()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem()
			}
			if n, ok := types.Unalias(t).(*types.Named); ok {
				if inner, ok := n.Underlying().(*types.Struct); ok {
					collect(inner, n.Obj().Name(), depth+1)
				}
			}
		}
	}
	collect(s, c.Named.Obj().Name(), 0)
	return found
}

// isObject says whether a named type has a class.
func (d *Decider) isObject(n *types.Named) bool { return d.classes[types.TypeString(n, nil)] != nil }
