package decide

import (
	"fmt"
	"go/types"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// argument is a parameter of a func literal, and what the called func gets for it.
type argument struct {
	text  string // the type of the parameter
	value string // the expression that is passed
	setup string // statements before the call
	locks bool   // its value may be an object whose calls are serialised
}

// argument decides a parameter. Beside what has a form, a channel is a callback or an iterable, and a pointer to a value
// that Go code changes is an object that holds the value. callee is the text of the called func.
func (d *Decider) argument(of *types.Var, name, callee string) (*argument, *reason.Reason) {
	t := of.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok && storesLater(callee) {
		if d.isCopied(p.Elem()) {
			return &argument{text: "*" + d.ref(p.Elem()).GoType, value: name + ".at()", locks: true}, nil
		}
	}
	as, err := d.form(t, of.Name())
	if err == nil && d.lacksNone(as.Type) {
		return &argument{text: "selfsame.Optional[" + d.text(as.Type) + "]", value: as.in(name + ".Value")}, nil
	}
	if err == nil {
		return &argument{text: d.text(as.Type), value: as.in(name), locks: d.locks(as.Type)}, nil
	}
	switch x := types.Unalias(t).(type) {
	case *types.Chan:
		if d.crosses(x.Elem()) != nil {
			return nil, err
		}
		element := d.text(x.Elem())
		made := &argument{text: fmt.Sprintf("func(%s) error", element), value: "c" + name[1:]}
		switch x.Dir() {
		case types.SendRecv:
			made.setup = fmt.Sprintf("%s := selfsame.KeptSending(%s)\n", made.value, name)
		case types.SendOnly:
			made.setup = fmt.Sprintf("%s, end%s := selfsame.Sending(%s)\ndefer end%s()\n", made.value, name[1:], name, name[1:])
		case types.RecvOnly:
			made.text = d.plan.Imports.Name(iterPackage) + ".Seq[" + element + "]"
			made.setup = fmt.Sprintf("%s, end%s := selfsame.Receiving(%s)\ndefer end%s()\n", made.value, name[1:], name, name[1:])
		}
		return made, nil
	case *types.Pointer:
		if d.refers(x) {
			return &argument{text: "*" + d.ref(x.Elem()).GoType, value: name + ".at()", locks: true}, nil
		}
	}
	return nil, err
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
		return !named || n.Obj().Pkg().Path() != iterPackage.Path()
	}
	return named && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == ioPackage.Path() && d.crossesByItself(n)
}

var iterPackage = types.NewPackage("iter", "iter")

// storesLater says whether a func keeps a pointer to store a value later, as flag.StringVar does.
func storesLater(callee string) bool {
	return strings.HasSuffix(callee, "Var") || strings.HasSuffix(callee, "VarP")
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
func (d *Decider) returnsPlace(sig *types.Signature, callee string) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	result := sig.Results().At(0)
	p, ok := types.Unalias(result.Type()).(*types.Pointer)
	if !ok || !d.isCopied(p.Elem()) {
		return false
	}
	name := callee[strings.LastIndexByte(callee, '.')+1:]
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

// storesResult says whether a func stores its result through a pointer to any type, as json.Unmarshal does.
func storesResult(callee string) bool {
	name := callee[strings.LastIndexByte(callee, '.')+1:]
	if rest, ok := strings.CutPrefix(name, "Unmarshal"); ok && len(rest) > 2 && strings.ToUpper(rest) == rest {
		return false // UnmarshalTOML and its like are told what was read
	}
	return strings.Contains(name, "Unmarshal") || strings.HasPrefix(name, "Decode") || strings.HasSuffix(name, "Decode") || name == "ReadJSON"
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

// isPlace says whether a parameter is the last one, a variadic one apart, and takes any value.
func isPlace(sig *types.Signature, i int) bool {
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

// ref returns the class of the objects that hold a value of a type for Go code that has a pointer to it.
func (d *Decider) ref(t types.Type) *Class {
	key := types.TypeString(t, nil)
	if c := d.refs[key]; c != nil {
		return c
	}
	name := d.module.take(refName(t) + "Ref")
	first := strings.ToLower(name[:1]) + name[1:]
	text, goType := d.text(t), d.structs.take(first)
	named := types.NewNamed(types.NewTypeName(0, types.NewPackage("", ""), name, nil), types.NewStruct(nil, nil), nil)
	c := &Class{
		Kind: Pointer, Type: named, Named: named, Go: d.structs.take(name), Key: d.plan.Name + "." + name, GoType: goType, Depth: 1,
		Doc: fmt.Sprintf("Holds a value of the Go type %s for Go code that has a pointer to it.", types.TypeString(t, shortly)), scope: newScope(),
	}
	d.plan.Decls = append(d.plan.Decls, fmt.Sprintf(`// %[1]s is a pointer to a value that Python code can read and set.
type %[1]s struct{ p *%[2]s }

func (r *%[1]s) at() *%[2]s {
	if r == nil {
		return nil
	}
	return r.p
}

// SelfsamePointer returns what a func that takes any value gets.
func (r *%[1]s) SelfsamePointer() any { return r.at() }

func %[3]s(p *%[2]s) *%[1]s {
	if p == nil {
		return nil
	}
	return &%[1]s{p}
}
`, goType, text, c.maker()))
	c.Init = &Item{ID: name + "{}", Python: name, Code: fmt.Sprintf(
		"selfsame.Init(func(o *%[1]s, value selfsame.Optional[%[2]s]) {\nr := &%[3]s{new(%[2]s)}\nif value.OK {\n*r.p = value.Value\n}\no.Set(r)\n}, \"value=None\")",
		c.Go, text, goType)}
	c.Members = []*Item{{ID: name + ".value", Python: "value", Code: fmt.Sprintf(
		"selfsame.Property(\"value\", func(o *%[1]s) %[2]s { defer o.Lock().Unlock(); return *o.Go().p }, "+
			"func(o *%[1]s, value %[2]s) { defer o.Lock().Unlock(); *o.Go().p = value }, \"The value.\")", c.Go, text)}}
	d.refs[key] = c
	d.plan.Classes = append(d.plan.Classes, c)
	return c
}

// maker returns the name of the func that makes an object of a pointer; for the classes of ref only.
func (c *Class) maker() string { return "new" + strings.ToUpper(c.GoType[:1]) + c.GoType[1:] }

// refName names a type in the name of a class: []string is StringSlice.
func refName(t types.Type) string {
	switch x := types.Unalias(t).(type) {
	case *types.Basic:
		return capital(x.Name())
	case *types.Named:
		return capital(x.Obj().Name()) + typeSuffix(x.TypeArgs())
	case *types.Slice:
		return refName(x.Elem()) + "Slice"
	case *types.Array:
		return refName(x.Elem()) + "Array"
	case *types.Pointer:
		return refName(x.Elem()) + "Pointer"
	case *types.Map:
		return refName(x.Key()) + refName(x.Elem()) + "Map"
	}
	return "Any"
}

func capital(name string) string { return string(unicode.ToUpper(rune(name[0]))) + name[1:] }
