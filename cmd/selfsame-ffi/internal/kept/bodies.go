package kept

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// The methods of a package that wrap has written do nothing but lock an object and call another package. So for them the funcs of that
// package are looked at too, in the source that the build compiles: another version of it may be slower.

// bodies has the source of the packages whose types the classes of wrapped packages stand for. A package is read when it is first asked for.
type bodies struct {
	known    map[string]*compiled
	exported types.Importer
	classes  map[string]bool         // the types T of gen.Wrapped[T] that classes have, by type string
	packages map[string]bool         // the packages of those
	read     map[string]*ssa.Package // nil: its source was not understood
}

// add adds the classes of a package.
func (b *bodies) add(p *types.Package) {
	for _, name := range p.Scope().Names() {
		s, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok || !isClassStruct(p.Scope().Lookup(name).Type()) {
			continue
		}
		for i := range s.NumFields() {
			named, ok := types.Unalias(s.Field(i).Type()).(*types.Named)
			if !ok || !isGen(named.Obj().Pkg()) || named.TypeArgs().Len() != 1 {
				continue
			}
			t := named.TypeArgs().At(0)
			b.classes[types.TypeString(t, nil)] = true
			if pointer, ok := t.(*types.Pointer); ok {
				if of, ok := types.Unalias(pointer.Elem()).(*types.Named); ok && of.Obj().Pkg() != nil {
					b.packages[of.Obj().Pkg().Path()] = true
				}
			}
		}
	}
}

// isGen says whether a package is what generated code alone imports of the frontend.
func isGen(p *types.Package) bool { return p != nil && p.Path() == gosource.GenPath }

// of returns a func of one of the packages with its body, nil for another func.
func (b *bodies) of(f *ssa.Function) *ssa.Function {
	object, ok := f.Object().(*types.Func)
	if !ok || f.Origin() != nil || f.Synthetic != "" && len(f.Blocks) > 0 || object.Pkg() == nil || !b.packages[object.Pkg().Path()] {
		return nil
	}
	p := b.source(object.Pkg().Path())
	if p == nil {
		return nil
	}
	recv := object.Signature().Recv()
	if recv == nil {
		return p.Func(object.Name())
	}
	t := types.Unalias(recv.Type())
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	member := p.Type(named.Obj().Name())
	if member == nil {
		return nil
	}
	own, ok := member.Type().(*types.Named)
	if !ok {
		return nil
	}
	for m := range own.Methods() {
		if m.Name() == object.Name() {
			return p.Prog.FuncValue(m)
		}
	}
	return nil
}

// source reads a package. Source that is newer than package ssa may make that panic.
func (b *bodies) source(path string) (p *ssa.Package) {
	if known, ok := b.read[path]; ok {
		return known
	}
	defer func() {
		_ = recover()
		b.read[path] = p
	}()
	c := b.known[path]
	if c == nil || len(c.CgoFiles) > 0 {
		return nil
	}
	parsed, err := (&gosource.Package{Dir: c.Dir, ImportPath: path, Name: c.Name, GoFiles: c.GoFiles}).Syntax()
	if err != nil {
		return nil
	}
	made, _, err := ssautil.BuildPackage(&types.Config{Importer: b.exported}, parsed.Set, types.NewPackage(path, c.Name), parsed.Files,
		ssa.InstantiateGenerics)
	if err != nil {
		return nil
	}
	return made
}
