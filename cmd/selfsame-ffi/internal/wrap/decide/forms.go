package decide

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// isGenerated says whether a package stands for the one that is written, of which the types are that declared makes.
func isGenerated(p *types.Package) bool { return p.Path() == "" }

// form is how a value crosses that is a parameter, a result or a field itself, not a part of one.
type form struct {
	Type    types.Type // that of the generated func
	in, out func(expression string) string
}

// form decides how a value of a type crosses. Beside what crosses everywhere, a struct or interface without a name gets one, and an
// address is a number. name is that of the parameter or field.
func (d *Decider) form(t types.Type, name string) (*form, *reason.Reason) {
	same := func(expression string) string { return expression }
	err := d.crosses(t)
	if err == nil {
		return &form{t, same, same}, nil
	}
	switch x := types.Unalias(t).(type) {
	case *types.Struct, *types.Interface:
		if n := d.declared(x, name); n != nil {
			return &form{n, same, same}, nil
		}
	default:
		if b, ok := x.Underlying().(*types.Basic); ok && b.Kind() == types.Uintptr && d.writable(t) == nil {
			return &form{
				types.Typ[types.Uint64],
				func(expression string) string { return d.text(t) + "(" + expression + ")" },
				func(expression string) string { return "uint64(" + expression + ")" },
			}, nil
		}
	}
	return nil, err
}

// declared declares a type for a struct or an interface without a name, which is called after what it belongs to: a value of one is
// assignable to the other. It returns nil when the type cannot be declared in another package, or does not cross then.
func (d *Decider) declared(t types.Type, name string) *types.Named {
	key := types.TypeString(t, nil)
	if n, ok := d.unnamed[key]; ok {
		return n
	}
	d.unnamed[key] = nil
	if d.writable(t) != nil {
		return nil
	}
	switch x := t.(type) {
	case *types.Struct:
		if !d.isPlainStruct(x) {
			return nil
		}
	case *types.Interface:
		if !x.IsMethodSet() || x.Empty() {
			return nil
		}
	}
	if name = strings.Trim(name, "_"); name != "" {
		name = capital(name)
	}
	name = capital(d.owner) + name
	for i := 2; d.own.Scope().Lookup(name) != nil || d.module.has(name) || d.targetDeclares(name) || d.structs.has(name); i++ {
		name = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i)
	}
	if types.IsInterface(t) { // the class has the name
		name = strings.ToLower(name[:1]) + name[1:]
	}
	o := types.NewTypeName(0, d.own, name, nil)
	n := types.NewNamed(o, t, nil)
	d.own.Scope().Insert(o)
	if d.namedCrosses(n) != nil {
		return nil
	}
	d.plan.Decls = append(d.plan.Decls, fmt.Sprintf("// %s is a type that has no name in the wrapped package.\ntype %s %s\n", name, name, d.text(t)))
	d.unnamed[key] = n
	return n
}

// isPlainStruct says whether all fields of a struct are exported and plain.
func (d *Decider) isPlainStruct(s *types.Struct) bool {
	for f := range s.Fields() {
		if !f.Exported() || f.Embedded() || !d.isPlain(f.Type()) {
			return false
		}
	}
	return s.NumFields() > 0
}

// writable returns nil when the generated package can write a type, whether or not it crosses.
func (d *Decider) writable(t types.Type) *reason.Reason {
	return d.writableIn(t, map[types.Type]bool{})
}

func (d *Decider) writableIn(t types.Type, seen map[types.Type]bool) *reason.Reason {
	t = types.Unalias(t)
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch x := t.(type) {
	case *types.Basic:
		if x.Kind() != types.UnsafePointer {
			return nil
		}
	case *types.Named:
		return d.nameable(x)
	case *types.Map:
		if err := d.writableIn(x.Key(), seen); err != nil {
			return err
		}
		return d.writableIn(x.Elem(), seen)
	case interface{ Elem() types.Type }:
		return d.writableIn(x.Elem(), seen)
	case *types.Signature:
		for _, list := range []*types.Tuple{x.Params(), x.Results()} {
			for v := range list.Variables() {
				if err := d.writableIn(v.Type(), seen); err != nil {
					return err
				}
			}
		}
		return nil
	case *types.Struct:
		for f := range x.Fields() {
			if !f.Exported() {
				return reason.New(reason.PartNotExported, "a struct with the field "+f.Name())
			}
			if err := d.writableIn(f.Type(), seen); err != nil {
				return err
			}
		}
		return nil
	case *types.Interface:
		for m := range x.Methods() {
			if !m.Exported() {
				return reason.New(reason.PartNotExported, "an interface with the method "+m.Name())
			}
			if err := d.writableIn(m.Signature(), seen); err != nil {
				return err
			}
		}
		if x.IsMethodSet() {
			return nil
		}
	}
	return reason.New(reason.Unwritable, types.TypeString(t, shortly))
}

// through is a generic func that leads to one whose signature has types that the generated package cannot write: the compiler finds
// them.
type through struct {
	decl, name string
	texts      map[int]string // the types of those parameters for callers
}

// through makes that func for a signature, nil when it needs none. A parameter of a basic type takes the plain value, another one
// what funcs of the wrapped package return.
func (d *Decider) through(sig *types.Signature) (*through, *reason.Reason) {
	made := &through{texts: map[int]string{}}
	var typeParams, inner, outer, args, results []string
	setup := ""
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		t, dots := p.Type(), ""
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t, dots = t.(*types.Slice).Elem(), "..."
		}
		name := fmt.Sprintf("a%d", i)
		if d.writable(t) == nil {
			inner, outer = append(inner, name+" "+dots+d.text(t)), append(outer, name+" "+dots+d.text(t))
			args = append(args, name+dots)
			continue
		}
		param, text, value := fmt.Sprintf("T%d", i), "any", fmt.Sprintf("selfsame.Given[T%d](%%s, %q)", i, shown(p, i))
		typeParams = append(typeParams, param+" any")
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() != types.UnsafePointer && b.Kind() != types.Uintptr {
			text, value = b.Name(), param+"(%s)"
			typeParams[len(typeParams)-1] = param + " ~" + text
		}
		inner, outer = append(inner, name+" "+dots+param), append(outer, name+" "+dots+text)
		made.texts[i] = text
		if dots == "" {
			args = append(args, fmt.Sprintf(value, name))
			continue
		}
		setup = fmt.Sprintf("rest := make([]%s, len(%s))\nfor i, one := range %s {\nrest[i] = %s\n}\n", param, name, name, fmt.Sprintf(value, "one"))
		args = append(args, "rest...")
	}
	if len(made.texts) == 0 {
		return nil, nil
	}
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if d.writable(t) == nil {
			results = append(results, d.text(t))
			continue
		}
		typeParams = append(typeParams, fmt.Sprintf("R%d any", i))
		results = append(results, fmt.Sprintf("R%d", i))
	}
	if sig.TypeParams().Len() > 0 {
		return nil, reason.New(reason.Unwritable, "a generic func with types that are not exported")
	}
	made.name = d.structs.take("through" + capital(d.owner))
	result, give := "", ""
	if len(results) > 0 {
		result, give = " ("+strings.Join(results, ", ")+")", "return "
	}
	made.decl = fmt.Sprintf("// %[1]s leads to a func with types that cannot be written here.\nfunc %[1]s[%[2]s](f func(%[3]s)%[4]s) func(%[5]s)%[4]s {\n"+
		"return func(%[5]s)%[4]s {\n%[6]s%[7]sf(%[8]s)\n}\n}\n\n",
		made.name, strings.Join(typeParams, ", "), strings.Join(inner, ", "), result, strings.Join(outer, ", "), setup, give, strings.Join(args, ", "))
	return made, nil
}
