package decide

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// items adds what a list, a dict or a set has for a slice, array or map type, and for a class with a length and a method At or Get of an
// index what a list has for that.
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
		if s.sorts() {
			s.add("__go_sort__", "Sorts the elements by the order of the type.", form.Operation{Op: form.Sorts})
		}
		if s.hasItems() {
			s.Members = append(s.Members, &form.Item{ID: s.Named.Obj().Name() + " (items)", Form: &form.Items{Of: s.Class}})
		}
		return
	}
	name := s.atIndex()
	if !s.sized || name == "" {
		return
	}
	element := s.find(name).Results().At(0).Type()
	if each := s.eachOf(); each != nil && !types.Identical(each.Params[each.At], element) {
		return // the elements are what a loop gives
	}
	at := form.Operation{Op: form.GetsElement, Go: name, Value: element, Length: s.length}
	s.add("__getitem__", "The element at an index.", at)
	fails := func(sig *types.Signature) bool {
		return sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
	}
	if set, name := s.first("Set", "SetAt"); s.takes(set, types.Typ[types.Int], element) && (set.Results().Len() == 0 || fails(set)) {
		at.Op, at.Go, at.Fails = form.SetsElement, name, fails(set)
		s.add("__setitem__", "Sets the element at an index, as the method "+pythonName(name)+" does.", at)
	}
	if remove, name := s.first("RemoveAt", "DeleteAt", "Remove", "Delete"); s.takes(remove, types.Typ[types.Int]) &&
		(strings.HasSuffix(name, "At") || !isInteger(element)) && remove.Results().Len() < 2 {
		at.Op, at.Go, at.Fails = form.DeletesElement, name, fails(remove)
		s.add("__delitem__", "Removes the element at an index, as the method "+pythonName(name)+" does.", at)
	}
}

// sorts says whether a list has an order of its own: the methods of sort.Interface.
func (s *special) sorts() bool {
	n := types.Typ[types.Int]
	less := s.find("Less")
	return s.hasItems() && isFunction(s.find("Len"), "", "int") && s.takes(less, n, n) && returnsOne(less, 2) && isBool(less.Results().At(0).Type()) &&
		s.takes(s.find("Swap"), n, n)
}

// atIndex returns the name of the method that returns the element at an index, "" for none.
func (s *special) atIndex() string {
	for _, name := range []string{"At", "Get", "Index"} {
		if sig := s.find(name); returnsOne(sig, 1) && s.takes(sig, types.Typ[types.Int]) && s.isElement(sig.Results().At(0).Type()) {
			return name
		}
	}
	return ""
}

// takes says whether a signature, which may be nil, has just parameters of these types.
func (s *special) takes(sig *types.Signature, params ...types.Type) bool {
	if sig == nil || sig.Variadic() || sig.Params().Len() != len(params) {
		return false
	}
	for i, t := range params {
		if !types.Identical(sig.Params().At(i).Type(), t) {
			return false
		}
	}
	return true
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
func (d *Decider) isElement(t types.Type) bool { return d.crosses(t) == nil && !isError(t) }

// lookUp adds what a dict or a list has to a class whose method Get or Load returns the value of a key and whether there is one, or whose
// method Has or the like says that beside Get. With an int and no Keys the key is an index. It returns whether the class is such a dict.
func (s *special) lookUp() (dict bool) {
	get, got := s.first("Get", "Load")
	if get == nil || get.Variadic() || get.Params().Len() != 1 || get.Results().Len() == 0 ||
		!s.isElement(get.Params().At(0).Type()) || !s.isElement(get.Results().At(0).Type()) {
		return false
	}
	k, v := get.Params().At(0).Type(), get.Results().At(0).Type()
	asked := ""
	switch get.Results().Len() {
	case 1:
		var has *types.Signature
		has, asked = s.first("Has", "Contains", "Exists", "HasKey", "IsSet")
		if !s.takes(has, k) || has.Results().Len() != 1 || !isBool(has.Results().At(0).Type()) {
			return false
		}
	case 2:
		if !isBool(get.Results().At(1).Type()) {
			return false
		}
	default:
		return false
	}
	set, put := s.first("Set", "Put", "Store", "Insert", "Add")
	hasSet := s.takes(set, k, v)
	keys, _ := s.first(keyLists...)
	isIndex := k.String() == "int" && keys == nil
	if isIndex && asked != "" {
		return false
	}
	if !hasSet && keys == nil && !isIndex {
		return false // Get is about something else
	}
	s.add("__getitem__", "The value of a key, as the method "+pythonName(got)+" returns it.",
		form.Operation{Op: form.GetsKey, Go: got, Has: asked, Key: k, Value: v, IsIndex: isIndex})
	if hasSet {
		s.add("__setitem__", "Sets the value of a key, as the method "+pythonName(put)+" does.", form.Operation{
			Op: form.SetsKey, Go: put, Key: k, Value: v, Fails: set.Results().Len() == 1 && isError(set.Results().At(0).Type()),
		})
	}
	if isIndex {
		return false
	}
	if remove, del := s.first("Delete", "Remove"); hasSet && s.takes(remove, k) {
		s.add("__delitem__", "Removes a key, as the method "+pythonName(del)+" does.",
			form.Operation{Op: form.DeletesKey, Go: got, Has: asked, By: del, Key: k})
	}
	if !s.Has("__contains__") {
		s.add("__contains__", "Whether a key is in it.", form.Operation{Op: form.HasKey, Go: got, Has: asked, Key: k})
	}
	return true
}

// keyLists are the names of the methods that give the keys of a dict.
var keyLists = []string{"Keys", "AllKeys"}

// counted adds __iter__ for a class that has elements by index, and no length. Of another class with items Python would try indices too.
func (s *special) counted() {
	for _, i := range s.Members {
		if o, ok := i.Form.(*form.Operation); ok && o.Op == form.GetsKey && o.IsIndex {
			s.add("__iter__", "The elements, from index 0 on.", form.Operation{Op: form.StepsIndices, Go: o.Go, Value: o.Value})
			return
		}
	}
}

// abstract returns the class of collections.abc that a class is, "" for none. A mapping gives its keys in a loop, a sequence what it has
// by index, a set says with its name that it is one, and an iterator has a method that makes a step.
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
	switch {
	case loop.Op >= form.StepsUntilEOF && loop.Op <= form.StepsRows:
		return "Iterator"
	case get != nil && get.Op == form.GetsKey && s.Has("__len__") && (loop.Op == form.Links && loop.By != "" ||
		slices.Contains(keyLists, loop.Go) && types.Identical(loopElement(loop.Value), get.Key)):
		if s.Has("__setitem__") && s.Has("__delitem__") {
			return "MutableMapping"
		}
		return "Mapping"
	case get != nil && get.Op == form.GetsElement && loop.Op == form.Calls && types.Identical(loopElement(loop.Value), get.Value) &&
		!s.hasField("Index") && !s.hasField("Count"): // a sequence has methods of these names
		return "Sequence"
	case get == nil && s.isNamedSet() && s.Has("__contains__") && s.Has("__len__"):
		return "Set"
	}
	return ""
}

// hasField says whether a struct has a field of a name, perhaps of one that is embedded.
func (s *special) hasField(name string) bool {
	o, _, _ := types.LookupFieldOrMethod(s.Named, true, s.Named.Obj().Pkg(), name)
	_, is := o.(*types.Var)
	return is
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

// iteration adds __iter__ for a method All or Values that returns an iterator, or ToArray or Slice, and for one such as EachSet. A dict has
// its keys.
func (s *special) iteration(isDict bool) {
	if s.Has("__iter__") {
		return
	}
	names := s.loops()
	if isDict {
		names = append(slices.Clone(keyLists), "All")
	}
	for _, name := range names {
		sig := s.find(name)
		if !returnsOne(sig, 0) {
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

// onlyLoop adds __iter__ for the one method that returns an iterator of Go, whatever its name.
func (s *special) onlyLoop(isDict bool) {
	if isDict || s.Has("__iter__") {
		return
	}
	var names []string
	for m := range s.methods.Methods() {
		if sig := s.find(m.Obj().Name()); returnsOne(sig, 0) && isSeq(sig.Results().At(0).Type()) {
			names = append(names, m.Obj().Name())
		}
	}
	if len(names) == 1 && !isBackwards.MatchString(names[0]) && s.crosses(s.find(names[0]).Results().At(0).Type()) == nil {
		t := s.find(names[0]).Results().At(0).Type()
		s.add("__iter__", "The elements, as the method "+pythonName(names[0])+" returns them.", form.Operation{Op: form.Calls, Go: names[0], Value: t})
	}
}

// isBackwards finds the names of methods that give elements in another order than the usual one.
var isBackwards = regexp.MustCompile(`Backward|Revers|Desc`)

// isSeq says whether a type is an iter.Seq.
func isSeq(t types.Type) bool {
	n, isNamed := types.Unalias(t).(*types.Named)
	return isNamed && isPath(n, "iter", "Seq")
}

// loops returns the names of the methods that may give all elements.
func (s *special) loops() []string {
	names := []string{"All", "Values", "Iter", "ToArray", "Slice", "ToSlice", "Items", "Elements", "Keys"}
	for m := range s.methods.Methods() {
		if name := m.Obj().Name(); strings.HasPrefix(name, "Each") {
			names = append(names, name)
		}
	}
	return names
}

// each adds __iter__ for a method that calls a func with each element.
func (s *special) each() {
	if each := s.eachOf(); each != nil && !s.Has("__iter__") {
		s.add("__iter__", "The elements, with which the method "+pythonName(each.Go)+" calls a function.", *each)
	}
}

// eachOf returns the loop of a method such as ForEach, whose source shows that it ends; nil if there is none. The func gets an element, or
// its index and the element, or a key of those that Get knows and its value.
func (s *special) eachOf() *form.Operation {
	for _, name := range []string{"Each", "ForEach", "Range", "Iterate"} {
		sig := s.find(name)
		if sig == nil || sig.Params().Len() != 1 || sig.Results().Len() > 0 && isError(sig.Results().At(0).Type()) || holdsChannel(s.Named) {
			continue
		}
		of, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
		if !ok || of.Variadic() || of.Params().Len() == 0 || of.Params().Len() > 2 || of.Results().Len() > 1 {
			continue
		}
		each := &form.Operation{Op: form.StepsEach, Go: name, Asks: of.Results().Len() == 1}
		for v := range of.Params().Variables() {
			each.Params = append(each.Params, v.Type())
		}
		if len(each.Params) == 2 {
			get, _ := s.first("Get", "Load")
			switch isIndex := each.Params[0].String() == "int"; {
			case s.takes(get, each.Params[0]) && types.Identical(get.Results().At(0).Type(), each.Params[1]) && get.Results().Len() == 2:
			case isIndex:
				each.At = 1
			default:
				continue
			}
		}
		each.Value = each.Params[each.At]
		f, ok := s.methods.Lookup(s.Named.Obj().Pkg(), name).Obj().(*types.Func)
		if !ok || f.Pkg() == nil || each.Asks && !isBool(of.Results().At(0).Type()) || !s.isElement(each.Value) {
			continue
		}
		receiver, method := declaredAs(f)
		if s.bodies.Loops(f.Pkg().Path(), receiver, method, each.Asks) {
			return each
		}
	}
	return nil
}

// holdsChannel says whether a struct has a channel, from which a loop may wait for ever.
func holdsChannel(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if _, is := s.Field(i).Type().Underlying().(*types.Chan); is {
			return true
		}
	}
	return false
}

// elements adds __iter__ for a linked list, whose first element leads to the next one: its source says that there may be none. A dict has
// the keys of its elements, if these have a field Key.
func (s *special) elements(isDict bool) {
	sig, name := s.first("Front", "First", "Oldest", "Head")
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
		!s.mayGiveNil(f) { // nothing says that the loop ends
		return
	}
	links := form.Operation{Op: form.Links, Go: name, Key: p, Value: p}
	if !isDict {
		s.add("__iter__", "The elements, from that of the method "+pythonName(name)+" on.", links)
		return
	}
	key, _, _ := types.LookupFieldOrMethod(p, true, s.Named.Obj().Pkg(), "Key")
	get, _ := s.first("Get", "Load")
	if v, ok := key.(*types.Var); ok && types.Identical(v.Type(), get.Params().At(0).Type()) {
		links.By, links.Value = "Key", v.Type()
		s.add("__iter__", "The keys, from that of the method "+pythonName(name)+" on.", links)
	}
}
