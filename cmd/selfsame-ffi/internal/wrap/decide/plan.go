// Package decide decides how each exported item of Go packages crosses to Python: which types become classes, which funcs and
// methods are bound, and why others are not.
package decide

import (
	"fmt"
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/effects"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/load"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/overrides"
)

// Decider makes a plan.
type Decider struct {
	world   *load.World
	rules   *overrides.Rules
	plan    *form.Plan
	targets map[*types.Package]bool
	classes map[string]*form.Class
	records map[string]bool // by type string; false: decided against, or being decided
	anys    map[string]bool
	docs    map[string]*load.Docs
	module  form.Names                      // names in the Python module
	structs form.Names                      // names in the generated Go package
	apart   map[*form.Submodule]*form.Names // names in the submodules of packages that are not wrapped
	depth   int                             // of the class whose members are being decided
	mention map[string]mentions

	constructed bool // all constructors are known

	holders map[string][]*types.Named // the structs with a field that holds a struct, nil for a variable, by type string of the latter
	queue   []*form.Class
	places  map[string]*form.Place      // by type string of the value
	names   map[string]string           // Python names by those of Go, for comments; nil: to be made
	own     *types.Package              // stands for the one that is written
	unnamed map[string]*types.Named     // of declared, by type string
	effects map[string][]effects.Effect // on the parameters of funcs, by key
	bodies  *effects.Bodies
	notes   []string          // on what is being decided
	params  map[string]string // the parameters of what is being described: their names in Python, by those in Go
	owner   string            // names what is being decided, as the types that declared makes are called
}

// mentions counts how a type stands in the signatures of a wrapped package.
type mentions struct{ pointer, value, returned int }

// New returns a Decider for the packages of a world. name is that of the Python package.
func New(w *load.World, name string, rules *overrides.Rules) *Decider {
	d := &Decider{
		world: w, rules: rules, targets: map[*types.Package]bool{}, classes: map[string]*form.Class{}, records: map[string]bool{},
		anys: map[string]bool{}, places: map[string]*form.Place{}, docs: map[string]*load.Docs{}, unnamed: map[string]*types.Named{},
		own: types.NewPackage("", "wrapped"), apart: map[*form.Submodule]*form.Names{}, mention: map[string]mentions{}, holders: map[string][]*types.Named{},
		bodies: effects.NewBodies(w.FilesOf),
	}
	for _, p := range w.Packages {
		d.targets[p.Types] = true
		d.docs[p.Types.Path()] = p.Docs
	}
	d.plan = &form.Plan{Name: name, Records: map[string]string{}, ByValue: map[string]string{}, Aliases: map[string]*types.TypeName{}}
	d.plan.Doc = w.Packages[0].Docs.Package
	for _, p := range w.Packages {
		d.plan.Packages = append(d.plan.Packages, p.Types)
	}
	for _, p := range w.Packages {
		d.findAliases(p.Types)
	}
	return d
}

// Plan decides everything.
func (d *Decider) Plan() (*form.Plan, error) {
	for _, name := range []string{"init", "main", d.plan.Name, "selfsame", "gen", "overlay", "context"} {
		d.structs.Take(name)
	}
	if len(d.world.Packages) > 1 {
		for _, p := range d.world.Packages {
			d.plan.Submodules = append(d.plan.Submodules, &form.Submodule{Name: d.module.Take(pythonName(p.Types.Name())), Path: p.Types.Path()})
		}
	}
	for _, p := range d.world.Packages {
		d.count(p.Types)
	}
	d.findEffects()
	for _, p := range d.world.Packages {
		d.typesOf(p.Types)
	}
	for _, p := range d.world.Packages {
		d.constructors(p.Types)
	}
	d.names, d.constructed = nil, true // comments tell of the constructors
	for _, c := range d.plan.Classes {
		d.describe(c)
	}
	d.queued()
	d.depth = 0
	for _, p := range d.world.Packages {
		d.functions(p.Types)
	}
	d.queued() // classes that only funcs mention
	for _, p := range d.world.Packages {
		d.plainTypes(p.Types)
		d.constants(p.Types)
		d.errors(p.Types)
	}
	d.operators()
	d.unions()
	for _, a := range d.rules.Aliases {
		if err := d.alias(a); err != nil {
			return nil, err
		}
	}
	if len(d.plan.Classes)+len(d.plan.Functions) == 0 {
		return nil, fmt.Errorf("%s exports nothing that Python could use", d.world.Packages[0].Types.Path())
	}
	return d.plan, nil
}

// queued decides the members of the classes that have been made.
func (d *Decider) queued() {
	for len(d.queue) > 0 {
		c := d.queue[0]
		d.queue = d.queue[1:]
		d.depth = c.Depth
		d.members(c)
	}
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
