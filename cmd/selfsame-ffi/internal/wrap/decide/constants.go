package decide

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// constants decides the constants of a package. Constants of a type with a class are objects of it.
func (d *Decider) constants(p *types.Package) {
	names := p.Scope().Names()
	docs := d.docs[p.Path()]
	slices.SortStableFunc(names, func(a, b string) int { return docs.Order[a] - docs.Order[b] })
	for _, name := range names {
		c, ok := p.Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() || d.rules.Omits(name) {
			continue
		}
		if !hasPython(c.Val()) {
			d.plan.Functions = append(d.plan.Functions, &form.Item{
				ID: name, Reason: reason.New(reason.NoCounterpart, "the number "+c.Val().String()),
			})
			continue
		}
		made := &form.Constant{ID: name, Value: c.Val(), Doc: d.pythonDoc(d.doc(p, name))}
		if n, ok := types.Unalias(c.Type()).(*types.Named); ok {
			if isErrorConstant(name, n) {
				continue
			}
			made.Class = d.classes[types.TypeString(n, nil)]
			made.Duration = isPath(n, "time", "Duration") && d.crossesByItself(n)
		}
		if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 {
			made.Float = true
		}
		if made.Class != nil && (made.Class.Init == nil || made.Class.Init.Reason != nil) {
			made.Class = nil
		}
		if made.Class != nil && made.Class.Enum != nil {
			made.Member = memberOf(made.Class.Enum, c)
		}
		made.Python = d.take(p, d.renamed(name, constantName(name)))
		d.plan.Constants = append(d.plan.Constants, made)
	}
}

// memberOf returns the name of the member that a constant is in an enum.
func memberOf(e *form.Enum, c *types.Const) string {
	return e.Members[slices.IndexFunc(e.Members, func(m form.EnumMember) bool { return m.Const == c })].Python
}

// hasPython says whether Python can write a constant.
func hasPython(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool, constant.String, constant.Int:
		return true
	case constant.Float:
		f, _ := constant.Float64Val(v)
		return !math.IsInf(f, 0)
	case constant.Complex:
		return hasPython(constant.Real(v)) && hasPython(constant.Imag(v))
	}
	return false
}

// plainTypes makes names for the exported types whose values cross as plain ones, such as Fields = dict[str, typing.Any].
func (d *Decider) plainTypes(p *types.Package) {
	for _, name := range p.Scope().Names() {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || o.IsAlias() || d.rules.Omits(name) {
			continue
		}
		n, ok := o.Type().(*types.Named)
		if ok && n.TypeParams().Len() == 0 && !d.isObject(n) && d.crosses(n) == nil && hasPlainName(n.Underlying()) {
			d.plan.Constants = append(d.plan.Constants, &form.Constant{
				ID: name, Python: d.take(p, d.renamed(name, name)), Alias: n.Underlying(), Doc: d.pythonDoc(d.doc(p, name)),
			})
		}
	}
}

// hasPlainName says whether Python has a name for a type of plain values.
func hasPlainName(t types.Type) bool {
	switch x := t.(type) {
	case *types.Basic:
		return x.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// errors decides the exceptions of a package: its error variables and its error types.
func (d *Decider) errors(p *types.Package) {
	exceptions := map[string]string{}
	var others []*form.Constant
	var found []*types.Named
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() || d.rules.Omits(name) {
			continue
		}
		switch x := o.(type) {
		case *types.Const:
			if n, ok := types.Unalias(x.Type()).(*types.Named); ok && isErrorConstant(name, n) {
				d.errorValue(p, x, d.take(p, d.renamed(name, errorName(name))))
			}
		case *types.Var:
			if !isErrorVariable(x) {
				continue
			}
			own, builtin := d.sameError(p, name)
			if own != "" && errorName(own) == errorName(name) {
				continue
			}
			python := d.take(p, d.renamed(name, errorName(name)))
			if own+builtin != "" {
				others = append(others, &form.Constant{ID: name, Python: python, Other: own, Builtin: builtin, Doc: d.pythonDoc(d.doc(p, name))})
				continue
			}
			exceptions[name] = python
			d.errorValue(p, x, python)
		case *types.TypeName:
			n, ok := x.Type().(*types.Named)
			if !ok || x.IsAlias() || n.TypeParams().Len() > 0 {
				continue
			}
			found = append(found, n)
		}
	}
	for _, n := range found { // the kind of an error that is a variable goes before
		d.errorType(p, n)
	}
	for _, c := range others {
		if c.Other != "" {
			c.Other = exceptions[c.Other]
		}
		d.plan.Constants = append(d.plan.Constants, c)
	}
}

// errorValue gives a variable or constant that is an error an exception.
func (d *Decider) errorValue(p *types.Package, o types.Object, python string) {
	d.plan.Errors = append(d.plan.Errors, &form.Item{
		ID: o.Name(), Python: python, Doc: d.doc(p, o.Name()), Form: &form.ErrorValue{Object: o, Base: d.errorBase(p, o.Name())},
	})
}

// isErrorConstant says whether a constant of a type is an error and called so. It is an exception then.
func isErrorConstant(name string, n *types.Named) bool {
	return types.Implements(n, errorInterface) && isErrorName.MatchString(name)
}

// isErrorName finds the names that say of a variable or a constant that it is an error.
var isErrorName = regexp.MustCompile(`^Err|Err(or)?$`)

var isErrorPrefixed = regexp.MustCompile(`^Err[A-Z]`)

// isErrorVariable says whether a variable is an error: by its type, or because its values are errors that can be compared and it is
// called so or nobody else can make one.
func isErrorVariable(v *types.Var) bool {
	t := types.Unalias(v.Type())
	if isError(t) {
		return true
	}
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && !types.IsInterface(n) && types.Implements(v.Type(), errorInterface) && types.Comparable(v.Type()) &&
		(!n.Obj().Exported() || isErrorName.MatchString(v.Name()))
}

// sameError says of an error variable that is another one which it is: the exported variable of the package, or the builtin exception of
// Python. It returns nothing for a variable with an error of its own.
func (d *Decider) sameError(p *types.Package, name string) (own, builtin string) {
	same := d.docs[p.Path()].Same
	for range len(same) {
		other := same[name]
		if builtin := builtinErrors[other]; builtin != "" {
			return "", builtin
		}
		if v, ok := p.Scope().Lookup(other).(*types.Var); !ok || !isErrorVariable(v) {
			return "", ""
		}
		name = other
		if same[name] == "" && ast.IsExported(name) && !d.rules.Omits(name) {
			return name, ""
		}
	}
	return "", ""
}

// builtinErrors are the error variables of the standard library for which Python has an exception.
var builtinErrors = map[string]string{
	"context.DeadlineExceeded": "TimeoutError", "os.ErrDeadlineExceeded": "TimeoutError",
	"io.EOF": "EOFError", "errors.ErrUnsupported": "NotImplementedError",
	"os.ErrNotExist": "FileNotFoundError", "os.ErrExist": "FileExistsError", "os.ErrPermission": "PermissionError",
	"io/fs.ErrNotExist": "FileNotFoundError", "io/fs.ErrExist": "FileExistsError", "io/fs.ErrPermission": "PermissionError",
}

// errorType gives the errors of a type an exception, and a func that returns an exception's object of the type.
func (d *Decider) errorType(p *types.Package, n *types.Named) {
	if !hasException(n) {
		return
	}
	c := d.classes[types.TypeString(n, nil)]
	if c == nil {
		return
	}
	name := n.Obj().Name()
	made := form.ErrorType{Named: n, ByValue: types.IsInterface(n) || types.Implements(n, errorInterface) && d.isValue(n), Base: d.errorBase(p, name)}
	python := errorTypeName(n)
	d.plan.Errors = append(d.plan.Errors, &form.Item{ID: name + " (exception)", Python: d.take(p, python), Form: &made})
	d.plan.Functions = append(d.plan.Functions, &form.Item{
		ID: name + " (of an exception)", Python: d.take(p, naming.Snake(python)+"_of"), Form: &form.ErrorDetails{ErrorType: made},
		Doc: "Returns the " + python + " behind an exception, with its fields; None without one.",
	})
}

// errorTypeName makes the name of the exception of a type: that of the type, but of ErrPath, as of a variable, PathError.
func errorTypeName(n *types.Named) string {
	name := n.Obj().Name()
	if other := errorName(name); isErrorPrefixed.MatchString(name) && n.Obj().Pkg().Scope().Lookup(other) == nil {
		return other
	}
	return name
}

// errorName makes the name of an exception: ErrNotFound is NotFoundError, of one without Err in front the name with Error behind.
func errorName(goName string) string {
	rest := strings.TrimPrefix(goName, "Err")
	if rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
		rest = goName
	}
	return strings.TrimSuffix(strings.TrimSuffix(rest, "Error"), "Err") + "Error"
}
