package decide

import (
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// items adds what a list, a dict or a set has for a slice, array or map type, and __getitem__ for a class with a length and a method
// At or Get of an index.
func (s *special) items() {
	switch u := s.Named.Underlying().(type) {
	case *types.Array:
		if s.Kind == form.Pointer && s.ByValue && !isByte(u.Elem()) && s.crosses(u.Elem()) == nil { // it is hashed, so it does not change
			s.add("__getitem__", "The element at an index.", form.Operation{Op: form.GetsElement, Value: u.Elem()})
		} else if s.hasItems() {
			s.Members = append(s.Members, &form.Item{ID: s.Named.Obj().Name() + " (items)", Form: &form.Items{Of: s.Class}})
		}
		return
	case *types.Slice, *types.Map:
		if s.hasItems() {
			s.Members = append(s.Members, &form.Item{ID: s.Named.Obj().Name() + " (items)", Form: &form.Items{Of: s.Class}})
		}
		return
	}
	if !s.sized {
		return
	}
	for _, name := range []string{"At", "Get", "Index"} {
		if sig := s.find(name); returnsOne(sig, 1) && sig.Params().At(0).Type().String() == "int" && s.isElement(sig.Results().At(0).Type()) {
			s.add("__getitem__", "The element at an index.", form.Operation{
				Op: form.GetsElement, Go: name, Value: sig.Results().At(0).Type(), Length: s.length,
			})
			return
		}
	}
}

// hasItems says whether a class is that of a slice, array or map type whose elements cross, and which Python can change.
func (s *special) hasItems() bool {
	if s.Kind != form.Pointer || !isContainer(s.Named) || s.crosses(s.Named.Underlying()) != nil {
		return false
	}
	_, isArray := s.Named.Underlying().(*types.Array)
	return !isArray || !s.ByValue
}

// isElement says whether values of a type can be those of a container.
func (s *special) isElement(t types.Type) bool { return s.crosses(t) == nil && !isError(t) }

// lookUp adds what a dict or a list has to a class whose method Get or Load returns the value of a key and whether there is one. With
// an int and no Keys the key is an index. It returns whether the class is such a dict.
func (s *special) lookUp() (dict bool) {
	get, got := s.first("Get", "Load")
	if get == nil || get.Variadic() || get.Params().Len() != 1 || get.Results().Len() != 2 || !isBool(get.Results().At(1).Type()) ||
		!s.isElement(get.Params().At(0).Type()) || !s.isElement(get.Results().At(0).Type()) {
		return false
	}
	k, v := get.Params().At(0).Type(), get.Results().At(0).Type()
	isKey := func(sig *types.Signature, params int) bool {
		return sig != nil && !sig.Variadic() && sig.Params().Len() == params && types.Identical(sig.Params().At(0).Type(), k)
	}
	set, put := s.first("Set", "Put", "Store", "Add")
	hasSet := isKey(set, 2) && types.Identical(set.Params().At(1).Type(), v)
	keys := s.find("Keys")
	isIndex := k.String() == "int" && keys == nil
	if !hasSet && keys == nil && !isIndex {
		return false // Get is about something else
	}
	s.add("__getitem__", "The value of a key, as the method "+pythonName(got)+" returns it.",
		form.Operation{Op: form.GetsKey, Go: got, Key: k, Value: v, IsIndex: isIndex})
	if hasSet {
		s.add("__setitem__", "Sets the value of a key, as the method "+pythonName(put)+" does.", form.Operation{
			Op: form.SetsKey, Go: put, Key: k, Value: v, Fails: set.Results().Len() == 1 && isError(set.Results().At(0).Type()),
		})
	}
	if isIndex {
		return false
	}
	if remove, del := s.first("Delete", "Remove"); hasSet && isKey(remove, 1) {
		s.add("__delitem__", "Removes a key, as the method "+pythonName(del)+" does.", form.Operation{Op: form.DeletesKey, Go: got, By: del, Key: k})
	}
	if !s.Has("__contains__") {
		s.add("__contains__", "Whether a key is in it.", form.Operation{Op: form.HasKey, Go: got, Key: k})
	}
	return true
}

// counted adds __iter__ for a class that has elements by index, and no length. Of another class with items Python would try indices too.
func (s *special) counted() {
	for _, i := range s.Members {
		if o, ok := i.Form.(*form.Operation); ok && o.Op == form.GetsKey && o.IsIndex {
			s.add("__iter__", "The elements, from index 0 on.", form.Operation{Op: form.StepsIndices, Go: o.Go, Value: o.Value})
			return
		}
	}
}

// abstract returns the class of collections.abc that a class is, "" for none. A mapping gives its keys in a loop, a set says with its name
// that it is one, and an iterator has a method that makes a step.
func (s *special) abstract() string {
	var loop, get *form.Operation
	for _, i := range s.Members {
		if o, ok := i.Form.(*form.Operation); ok && i.Python == "__iter__" {
			loop = o
		} else if ok && i.Python == "__getitem__" {
			get = o
		}
	}
	if loop == nil {
		return ""
	}
	isSet := strings.HasSuffix(s.Named.Obj().Name(), "Set") || strings.HasSuffix(s.Named.Obj().Name(), "Bitmap")
	switch {
	case loop.Op >= form.StepsUntilEOF && loop.Op <= form.StepsRows:
		return "Iterator"
	case get != nil && get.Op == form.GetsKey && loop.Go == "Keys" && s.Has("__len__") && types.Identical(loopElement(loop.Value), get.Key):
		if s.Has("__setitem__") && s.Has("__delitem__") {
			return "MutableMapping"
		}
		return "Mapping"
	case get == nil && isSet && s.Has("__contains__") && s.Has("__len__"):
		return "Set"
	}
	return ""
}

// loopElement returns the type of what a loop over a slice or an iterator gives, nil for another type.
func loopElement(t types.Type) types.Type {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.TypeArgs().Len() == 1 && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "iter" {
		return n.TypeArgs().At(0)
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return types.Typ[types.Invalid]
}

// iteration adds __iter__ for a method All or Values that returns an iterator, or ToArray or Slice. A dict has its keys.
func (s *special) iteration(isDict bool) {
	if s.Has("__iter__") {
		return
	}
	names := []string{"All", "Values", "Iter", "ToArray", "Slice", "ToSlice", "Keys"}
	if isDict {
		names = []string{"Keys", "All"}
	}
	for _, name := range names {
		sig := s.find(name)
		if sig == nil || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
			continue
		}
		t := sig.Results().At(0).Type()
		_, isSlice := t.Underlying().(*types.Slice)
		n, isNamed := types.Unalias(t).(*types.Named)
		isSeq := isNamed && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "iter"
		if (isSlice || isSeq) && s.crosses(t) == nil {
			s.add("__iter__", "The elements, as the method "+pythonName(name)+" returns them.", form.Operation{Op: form.Calls, Go: name, Value: t})
			return
		}
	}
}

// elements adds __iter__ for a linked list, whose first element leads to the next one: its source says that there may be none.
func (s *special) elements() {
	sig, name := s.first("Front", "First")
	if s.Has("__iter__") || sig == nil || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return
	}
	p, ok := types.Unalias(sig.Results().At(0).Type()).(*types.Pointer)
	if !ok || types.Identical(p.Elem(), s.Named) || s.crosses(p) != nil {
		return
	}
	next, _, _ := types.LookupFieldOrMethod(p, true, s.Named.Obj().Pkg(), "Next")
	f, ok := next.(*types.Func)
	if !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 || !types.Identical(f.Signature().Results().At(0).Type(), p) ||
		!s.returns(f).Nil { // nothing says that the loop ends
		return
	}
	s.add("__iter__", "The elements, from that of the method "+pythonName(name)+" on.", form.Operation{Op: form.Links, Go: name, Value: p})
}
