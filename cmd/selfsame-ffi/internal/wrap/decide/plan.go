// Package decide decides how each exported item of Go packages crosses to Python: which types become classes, which funcs and
// methods are bound, and why others are not.
package decide

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// Plan is what to write.
type Plan struct {
	Name      string // of the Python package
	Doc       string
	Classes   []*Class
	Functions []*Item
	Constants []*Constant
	Errors    []*Item
	Decls     []string          // of types that the generated package needs for itself
	Anys      []string          // Go names of interfaces without methods
	Records   map[string]string // comments of records and their fields, by symbol
	Imports   *Imports

	Submodules []*Submodule // of several wrapped packages, one each
}

// Submodule has the names of one of several wrapped packages.
type Submodule struct {
	Name, Path string      // of the Python module and the Go package
	Names      [][2]string // the names in it, and those of the same things in the Python package
}

// Kind says what a class stands for.
type Kind int

// The kinds of classes.
const (
	Pointer   Kind = iota // a Go type T, as *T and T
	Interface             // an interface type
)

// Class is a class that stands for a Go type.
type Class struct {
	Kind    Kind
	Type    types.Type // a Named or an instance of one
	Named   *types.Named
	Go      string // the name of the struct in the generated package
	Key     string // the type key, such as roaring.Bitmap
	GoType  string // the type as the generated package writes it
	Doc     string
	ByValue bool
	Shared  bool
	Target  bool // of a package that is wrapped, not of one that it mentions
	Depth   int  // how many types lead to it from a wrapped package
	Init    *Item
	Members []*Item
	Adapter *Item // how Python classes implement the interface; nil: they cannot

	scope *scope
}

// Has says whether the class has a member of a name in Python.
func (c *Class) Has(python string) bool {
	return slices.ContainsFunc(c.Members, func(i *Item) bool { return i.Python == python })
}

// Item is one thing that is registered.
type Item struct {
	ID      string // as in Go: NewBitmap, Bitmap.Add
	Python  string
	Counted bool           // an exported func or method of a wrapped package
	Code    string         // an option of the class, or a statement
	Decl    string         // declarations that Code needs
	Reason  *reason.Reason // why it is left out; nil: it is not
}

// Constant is a constant of the Python package.
type Constant struct {
	ID, Python string
	Value      string // a Python expression
	Type       string // its Python type
	Class      *Class // of a typed constant whose type has a class
	Same       string // of another name for an exception: a builtin one, or behind a dot one of the package; it has no Value
	Doc        string
	Duration   bool   // the value is a time.Duration
	Alias      string // of a name for a type of Python: that; it has no Value
}

// Decider makes a Plan.
type Decider struct {
	world   *load.World
	rules   *overrides.Rules
	plan    *Plan
	targets map[*types.Package]bool
	classes map[string]*Class
	records map[string]bool // by type string; false: decided against, or being decided
	anys    map[string]bool
	docs    map[string]*load.Docs
	module  *scope // names in the Python module
	structs *scope // names in the generated Go package
	depth   int    // of the class whose members are being decided
	mention map[string]mentions
	queue   []*Class
	refs    map[string]*Class          // of ref, by type string
	names   map[string]string          // Python names by those of Go, for comments; nil: to be made
	aliases map[string]*types.TypeName // by package path and name of the type
	aliased map[*types.Package]bool    // packages of the types that have an alias
	own     *types.Package             // stands for the one that is written
	unnamed map[string]*types.Named    // of declared, by type string
	owner   string                     // names what is being decided, as the types that declared makes are called
}

// mentions counts how a type stands in the signatures of a wrapped package.
type mentions struct{ pointer, value, returned int }

// New returns a Decider for the packages of a world. name is that of the Python package.
func New(w *load.World, name string, rules *overrides.Rules) *Decider {
	d := &Decider{
		world: w, rules: rules, targets: map[*types.Package]bool{}, classes: map[string]*Class{}, records: map[string]bool{},
		anys: map[string]bool{}, refs: map[string]*Class{}, docs: map[string]*load.Docs{},
		aliases: map[string]*types.TypeName{}, aliased: map[*types.Package]bool{}, unnamed: map[string]*types.Named{},
		own: types.NewPackage("", "wrapped"), module: newScope(), structs: newScope(), mention: map[string]mentions{},
	}
	for _, p := range w.Packages {
		d.targets[p.Types] = true
		d.docs[p.Types.Path()] = p.Docs
	}
	for _, p := range w.Packages {
		d.findAliases(p.Types)
	}
	d.plan = &Plan{Name: name, Records: map[string]string{}, Imports: newImports(), Doc: w.Packages[0].Docs.Package}
	return d
}

// Plan decides everything.
func (d *Decider) Plan() (*Plan, error) {
	for _, name := range []string{"init", "main", d.plan.Name, "selfsame", "context"} {
		d.structs.take(name)
	}
	if len(d.world.Packages) > 1 {
		for _, p := range d.world.Packages {
			d.plan.Submodules = append(d.plan.Submodules, &Submodule{Name: d.module.take(pythonName(p.Types.Name())), Path: p.Types.Path()})
		}
	}
	for _, p := range d.world.Packages {
		d.count(p.Types)
	}
	for _, p := range d.world.Packages {
		d.typesOf(p.Types)
	}
	for _, p := range d.world.Packages {
		d.constructors(p.Types)
	}
	d.names = nil // the constructors are known now
	for len(d.queue) > 0 {
		c := d.queue[0]
		d.queue = d.queue[1:]
		d.depth = c.Depth
		d.members(c)
	}
	d.depth = 0
	for _, p := range d.world.Packages {
		d.functions(p.Types)
	}
	for len(d.queue) > 0 { // classes that only funcs mention
		c := d.queue[0]
		d.queue = d.queue[1:]
		d.depth = c.Depth
		d.members(c)
	}
	for _, p := range d.world.Packages {
		d.plainTypes(p.Types)
		d.constants(p.Types)
		d.errors(p.Types)
	}
	d.operators()
	if len(d.plan.Classes)+len(d.plan.Functions) == 0 {
		return nil, fmt.Errorf("%s exports nothing that Python could use", d.world.Packages[0].Types.Path())
	}
	return d.plan, nil
}

// doc returns the comment of what a package declares.
func (d *Decider) doc(p *types.Package, name string) string {
	if p == nil {
		return ""
	}
	docs, ok := d.docs[p.Path()]
	if !ok {
		docs = d.world.DocsOf(p.Path())
		d.docs[p.Path()] = docs
	}
	if docs == nil {
		return ""
	}
	return docs.Of[name]
}

// Items returns all items of the plan.
func (p *Plan) Items() []*Item {
	var all []*Item
	for _, c := range p.Classes {
		if c.Init != nil {
			all = append(all, c.Init)
		}
		all = append(all, c.Members...)
		if c.Adapter != nil {
			all = append(all, c.Adapter)
		}
	}
	all = append(all, p.Functions...)
	return append(all, p.Errors...)
}

// Refuse gives the item of a registered name its reason: the frontend does not take it. It returns false when there is no such item.
func (p *Plan) Refuse(name, text string) bool {
	why := reason.New(reason.RefusedByRuntime, text)
	for _, c := range p.Classes {
		if name == c.Key && c.Init != nil {
			c.Init.Reason = why
			return true
		}
		member, ok := strings.CutPrefix(name, c.Key+".")
		if !ok {
			continue
		}
		for _, i := range c.Members {
			if i.Python == member {
				i.Reason = why
				return true
			}
		}
	}
	for _, i := range p.Functions {
		if p.Name+"."+i.Python == name {
			i.Reason = why
			return true
		}
	}
	return false
}
