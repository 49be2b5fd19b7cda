package structural

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/control/accesspath"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/plane"
)

// errorContext is the cell of a VisitErrorContext: the objects on the path to the place of an error. C makes it
// (internal/plane/walks/structural_visitor.c).
type errorContext struct {
	reversed unsafe.Pointer // owned List, the innermost object first
	previous unsafe.Pointer // owned: the error's extra context before this one, or nil
}

func errorContextOf(h unsafe.Pointer) *errorContext {
	return (*errorContext)(unsafe.Add(h, abi.BodyOffset))
}

// FindAccessPaths returns every path from root (borrowed) that goes through the objects of a VisitErrorContext
// (borrowed), in their order from the outermost to the innermost. With prefixes, it also returns the
// paths on which only the outermost of these objects lie, down to the deepest objects that they lead to. The caller owns the Array of AccessPaths.
//
// Errors: ValueError (nested too deep), MemoryError, and those of getters.
func FindAccessPaths(root abi.Any, context unsafe.Pointer, prefixes bool) (abi.Any, error) {
	f := finder{prefixes: prefixes}
	if list := errorContextOf(context).reversed; list != nil {
		for _, v := range abi.SeqOf(list).Items() {
			if !v.IsObject() || len(f.wanted) != 0 && f.wanted[len(f.wanted)-1] == v.Pointer() {
				continue
			}
			f.wanted = append(f.wanted, v.Pointer())
		}
	}
	err := f.value(root)
	if err != nil {
		graph.ReleaseAll(f.found)
		return abi.Any{}, err
	}
	return graph.ObjectResult(graph.NewArray(f.found))
}

// finder is one search.
type finder struct {
	prefixes bool
	wanted   []unsafe.Pointer // the innermost first
	matched  int              // how many of them the walk is inside of, from the outermost on
	types    graph.Types
	path     []step
	found    []abi.Any // owned AccessPaths
}

// step is an AccessStep that record makes.
type step struct {
	kind accesspath.Kind
	key  abi.Any // borrowed
	name []byte  // the name of a field, which has no key
}

func (f *finder) value(v abi.Any) error {
	if !v.IsObject() {
		return nil
	}
	if len(f.path) >= graph.MaxDepth {
		return graph.ErrDepth("FindAccessPaths")
	}
	obj := v.Pointer()
	switch v.TypeIndex {
	case abi.IndexArray, abi.IndexList:
		for i, item := range abi.SeqOf(obj).Items() {
			if err := f.part(step{kind: accesspath.ArrayItem, key: abi.Int(int64(i))}, item); err != nil {
				return err
			}
		}
		return nil
	case abi.IndexMap, abi.IndexDict:
		c := container.MapOf(obj)
		for i := c.First(); i != container.NoBucket; i = c.Next(i) {
			p := c.At(i)
			if p.Key.TypeIndex == abi.IndexNone {
				continue
			}
			if err := f.part(step{kind: accesspath.MapItem, key: p.Key}, p.Value); err != nil {
				return err
			}
		}
		return nil
	}
	return f.object(obj)
}

// part goes through a value that one step leads to.
func (f *finder) part(s step, v abi.Any) error {
	f.path = append(f.path, s)
	err := f.value(v)
	f.path = f.path[:len(f.path)-1]
	return err
}

func (f *finder) object(obj unsafe.Pointer) error {
	t := f.types.Of(abi.TypeIndexOf(obj))
	if t.Info.Metadata == nil {
		return nil
	}
	if f.matched < len(f.wanted) && f.wanted[len(f.wanted)-1-f.matched] == obj {
		f.matched++
		defer func() { f.matched-- }()
		if f.matched == len(f.wanted) {
			return f.record()
		}
	}
	before := len(f.found)
	for i := range t.Fields {
		v, owned, err := t.Fields[i].Get(obj)
		if err == nil {
			err = f.part(step{kind: accesspath.Attr, name: t.Fields[i].Name()}, v)
		}
		if owned {
			graph.Release(v)
		}
		if err != nil {
			return err
		}
	}
	if f.prefixes && f.matched > 0 && f.matched < len(f.wanted) && len(f.path) != 0 && len(f.found) == before {
		return f.record()
	}
	return nil
}

// record adds the path to the present object to the result.
func (f *finder) record() error {
	steps := make([]unsafe.Pointer, 0, len(f.path))
	for i := len(f.path) - 1; i >= 0; i-- {
		s := &f.path[i]
		key, err := graph.Retain(s.key), error(nil)
		if s.kind == accesspath.Attr {
			key, err = graph.NewText(s.name)
		}
		var made unsafe.Pointer
		if err == nil {
			made, err = accesspath.NewStep(s.kind, key)
		}
		if err != nil {
			for _, h := range steps {
				plane.DecRef(h)
			}
			return err
		}
		steps = append(steps, made)
	}
	path, err := accesspath.FromSteps(steps)
	if err != nil {
		return err
	}
	f.found = append(f.found, abi.ObjectValue(path))
	return nil
}
