package decide

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// optionName is what structs of options are called.
var optionName = regexp.MustCompile(`(Options?|Opts?|Config|Configuration|Params|Parameters|Settings)$`)

// maxKeywords is how many keyword arguments a func gets for its options.
const maxKeywords = 60

// options decides the keyword arguments for the options of a func with the given parameters, of which the first fixed are not variadic.
// It returns nil when there are none.
func (d *Decider) options(sig *types.Signature, params []*form.Param, fixed int) *form.Options {
	last := sig.Params().Len() - 1
	if last < 0 {
		return nil
	}
	t := paramType(sig, last)
	n, pointer := optionStruct(t)
	made := &form.Options{Struct: n, Pointer: pointer}
	switch {
	case sig.Variadic():
		if len(params) == fixed || d.crosses(t) != nil {
			return nil
		}
		made.Param = params[fixed]
	case n == nil || d.crosses(t) != nil || pointer && !d.noneIsNil(t) || fixed == 0:
		return nil
	default:
		made.Param = params[fixed-1]
	}
	var taken form.Names
	for _, p := range params {
		taken.Take(p.Python)
	}
	if n != nil {
		d.fieldOptions(made, &taken)
	} else {
		d.funcOptions(made, t, &taken)
	}
	if len(made.All) == 0 {
		return nil
	}
	if !made.Param.Rest {
		made.Param.MayBeLeft = true
		if !pointer {
			made.Param.Way = form.Optional
		}
	}
	return made
}

// optionStruct returns the struct of options that a type is, or points to.
func optionStruct(t types.Type) (n *types.Named, pointer bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	n, ok := t.(*types.Named)
	if !ok || !optionName.MatchString(n.Obj().Name()) {
		return nil, false
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil, false
	}
	return n, pointer
}

// leftOut returns how a value of a type crosses that may be left out.
func (d *Decider) leftOut(t types.Type) form.Value {
	if d.isNone(t) {
		return form.Value{Type: t}
	}
	return form.Value{Type: t, Way: form.Optional, Letter: isLetter(t)}
}

// fieldOptions decides the keyword arguments for the fields of a struct.
func (d *Decider) fieldOptions(made *form.Options, taken *form.Names) {
	s := made.Struct.Underlying().(*types.Struct)
	for f := range settable(made.Struct, s) {
		name := pythonName(f.Name())
		if taken.Has(name) || len(made.All) == maxKeywords || d.crosses(f.Type()) != nil {
			continue
		}
		made.All = append(made.All, form.Option{Python: taken.Take(name), Value: d.leftOut(f.Type()), Field: f.Name()})
	}
}

// funcOptions decides the keyword arguments for the funcs named WithX that return an option of a type. A func without parameters is a
// flag; a func with several has no keyword argument.
func (d *Decider) funcOptions(made *form.Options, option types.Type, taken *form.Names) {
	n, ok := types.Unalias(option).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || !d.targets[n.Obj().Pkg()] {
		return
	}
	switch n.Underlying().(type) {
	case *types.Signature, *types.Interface, *types.Struct:
	default:
		return
	}
	scope := n.Obj().Pkg().Scope()
	for _, goName := range scope.Names() {
		f, ok := scope.Lookup(goName).(*types.Func)
		rest, with := strings.CutPrefix(goName, "With")
		if !ok || !f.Exported() || !with || rest == "" || len(made.All) == maxKeywords || d.rules.Omits(goName) {
			continue
		}
		sig := f.Signature()
		name := pythonName(rest)
		if sig.TypeParams().Len() > 0 || sig.Results().Len() != 1 || sig.Params().Len() > 1 || taken.Has(name) ||
			!types.AssignableTo(sig.Results().At(0).Type(), option) {
			continue
		}
		t := types.Type(types.Typ[types.Bool])
		if sig.Params().Len() == 1 {
			if t = sig.Params().At(0).Type(); d.crosses(t) != nil {
				continue
			}
		}
		made.All = append(made.All, form.Option{
			Python: taken.Take(name), Value: d.leftOut(t), Func: f, Flag: sig.Params().Len() == 0, Spread: sig.Variadic(),
		})
	}
}
