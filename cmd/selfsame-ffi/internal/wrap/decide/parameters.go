package decide

import (
	"fmt"
	"go/types"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// argument decides how a parameter crosses. Beside what crosses as a value, a channel is a callback or an iterable, and a pointer to a
// value that Go code changes is an object that holds the value. name is that of the called func.
func (d *Decider) argument(p *form.Param, of *types.Var, name string) *reason.Reason {
	t := of.Type()
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok && storesLater(name) && d.isCopied(pointer.Elem()) {
		p.Way, p.Place, p.Locks = form.InPlace, d.place(pointer.Elem()), true
		return nil
	}
	as, err := d.value(t, of.Name())
	if err == nil {
		p.Value, p.Locks = as, d.locks(as.Type)
		p.Letter = isLetter(t)
		if d.lacksNone(as.Type) {
			p.Way, p.Locks = form.Optional, false
		}
		return nil
	}
	switch x := types.Unalias(t).(type) {
	case *types.Chan:
		if d.crosses(x.Elem()) != nil {
			return err
		}
		p.Type, p.Way = x, map[types.ChanDir]form.Way{
			types.SendRecv: form.KeptSending, types.SendOnly: form.Sending, types.RecvOnly: form.Receiving,
		}[x.Dir()]
		return nil
	case *types.Pointer:
		if d.refers(x) {
			p.Way, p.Place, p.Locks = form.InPlace, d.place(x.Elem()), true
			return nil
		}
	}
	return err
}

// isLetter says whether a type is rune, which stands for a character, where an int32 is a number.
func isLetter(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Name() == "rune"
}

// lacksNone says whether a type has a nil which does not cross as None by itself: it is a callable, a file or an object of a map or
// slice type in Python. A nil slice without a class is an empty list.
func (d *Decider) lacksNone(t types.Type) bool {
	n, named := types.Unalias(t).(*types.Named)
	if named && d.isObject(n) {
		switch n.Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
		return false
	}
	if _, isFunc := t.Underlying().(*types.Signature); isFunc {
		return !named || n.Obj().Pkg().Path() != "iter"
	}
	return named && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "io" && d.crossesByItself(n)
}

// storesLater says whether a func keeps a pointer to store a value later, as flag.StringVar does.
func storesLater(name string) bool {
	return strings.HasSuffix(name, "Var") || strings.HasSuffix(name, "VarP")
}

// isCopied says whether a pointer to a type crosses as a copy of the value: it is a number, a text or a time.
func (d *Decider) isCopied(t types.Type) bool {
	if n, named := types.Unalias(t).(*types.Named); named {
		return d.crosses(t) == nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time" && d.crossesByItself(n)
	}
	_, basic := types.Unalias(t).(*types.Basic)
	return basic && d.crosses(t) == nil
}

// returnsPlace says whether a func returns a pointer through which it stores a value later, as flag.String does: beside it there is
// one, as flag.StringVar, that takes the same pointer.
func (d *Decider) returnsPlace(sig *types.Signature, name string) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	result := sig.Results().At(0)
	p, ok := types.Unalias(result.Type()).(*types.Pointer)
	if !ok || !d.isCopied(p.Elem()) {
		return false
	}
	short, isShort := strings.CutSuffix(name, "P")
	var other types.Object
	for _, beside := range []string{name + "Var", short + "VarP"} {
		switch {
		case other != nil || beside == short+"VarP" && !isShort:
		case sig.Recv() != nil:
			other, _, _ = types.LookupFieldOrMethod(sig.Recv().Type(), true, result.Pkg(), beside)
		case result.Pkg() != nil:
			other = result.Pkg().Scope().Lookup(beside)
		}
	}
	f, ok := other.(*types.Func)
	return ok && f.Signature().Params().Len() > 0 && types.Identical(f.Signature().Params().At(0).Type(), p)
}

// storesResult says whether a func stores its result through a pointer to any type, as json.Unmarshal does. The name of a format behind
// the verb has capitals only: ReadJSON stores what it reads, UnmarshalTOML is told it.
func storesResult(name string) bool {
	ofFormat := func(verb string) bool {
		format, ok := strings.CutPrefix(name, verb)
		return ok && len(format) > 2 && strings.ToUpper(format) == format
	}
	if ofFormat("Unmarshal") {
		return false
	}
	return strings.Contains(name, "Unmarshal") || strings.HasPrefix(name, "Decode") || strings.HasSuffix(name, "Decode") || ofFormat("Read")
}

// refusesError says whether a parameter is the error of Go's idiom Must(f()), whose value the func returns where there is none. In Python f
// raises it.
func refusesError(name string, sig *types.Signature, i int) bool {
	return strings.HasPrefix(name, "Must") && i > 0 && i == sig.Params().Len()-1 && isError(sig.Params().At(i).Type())
}

// scans says whether a func stores values through any number of pointers, as Scan of database/sql does.
func scans(name string, sig *types.Signature) bool {
	if sig == nil {
		return false
	}
	last := sig.Params().Len() - 1
	if name != "Scan" || !sig.Variadic() || sig.Results().Len() != 1 || !isError(sig.Results().At(0).Type()) {
		return false
	}
	s, ok := sig.Params().At(last).Type().(*types.Slice)
	if !ok {
		return false
	}
	iface, ok := s.Elem().Underlying().(*types.Interface)
	return ok && iface.Empty()
}

// isLastOfAny says whether a parameter is the last one, a variadic one apart, and takes any value.
func isLastOfAny(sig *types.Signature, i int) bool {
	last := sig.Params().Len() - 1
	if sig.Variadic() {
		last--
	}
	iface, ok := sig.Params().At(i).Type().Underlying().(*types.Interface)
	return ok && iface.Empty() && i == last
}

// refers says whether a pointer that does not cross is an object that holds a value: a pointer to a slice, a map, an interface or
// another pointer.
func (d *Decider) refers(p *types.Pointer) bool {
	e := p.Elem()
	if isError(e) || d.crosses(p) == nil || d.crosses(e) != nil {
		return false
	}
	switch e.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Interface, *types.Pointer, *types.Array:
		return true
	}
	return false
}

// placeOf returns the place for the value that a pointer has.
func (d *Decider) placeOf(pointer types.Type) *form.Place {
	return d.place(types.Unalias(pointer).(*types.Pointer).Elem())
}

// place returns the type of the objects that hold a value of a type for Go code that has a pointer to it.
func (d *Decider) place(t types.Type) *form.Place {
	key := types.TypeString(t, nil)
	if p := d.places[key]; p != nil {
		return p
	}
	name := d.module.Take(placeName(t) + "Ref")
	p := &form.Place{Of: t, Go: d.structs.Take(strings.ToLower(name[:1]) + name[1:])}
	named := types.NewNamed(types.NewTypeName(0, types.NewPackage("", ""), name, nil), types.NewStruct(nil, nil), nil)
	c := &form.Class{
		Kind: form.Pointer, Named: named, Place: p, Go: d.structs.Take(name), Key: d.plan.Name + "." + name, Depth: 1,
		Doc: fmt.Sprintf("Holds a value of the Go type %s for Go code that has a pointer to it.", types.TypeString(t, shortly)),
	}
	c.Init = &form.Item{ID: name + "{}", Python: name, Form: &form.Operation{Op: form.PlaceInit, Of: c}}
	c.Members = []*form.Item{{ID: name + ".value", Python: "value", Doc: "The value.", Form: &form.Operation{Op: form.PlaceValue, Of: c}}}
	d.places[key] = p
	d.plan.Declared = append(d.plan.Declared, form.Declared{Place: p})
	d.plan.Classes = append(d.plan.Classes, c)
	return p
}

// placeName names a type in the name of a class: []string is StringSlice.
func placeName(t types.Type) string {
	switch x := types.Unalias(t).(type) {
	case *types.Basic:
		return capital(x.Name())
	case *types.Named:
		return capital(x.Obj().Name()) + typeSuffix(x.TypeArgs())
	case *types.Slice:
		return placeName(x.Elem()) + "Slice"
	case *types.Array:
		return placeName(x.Elem()) + "Array"
	case *types.Pointer:
		return placeName(x.Elem()) + "Pointer"
	case *types.Map:
		return placeName(x.Key()) + placeName(x.Elem()) + "Map"
	}
	return "Any"
}

func capital(name string) string { return string(unicode.ToUpper(rune(name[0]))) + name[1:] }
