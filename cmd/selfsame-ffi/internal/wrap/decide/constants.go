package decide

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

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
		value, kind := pythonValue(c.Val())
		if value == "" {
			continue
		}
		made := &Constant{ID: name, Value: value, Type: kind, Doc: d.pythonDoc(d.doc(p, name))}
		if n, ok := types.Unalias(c.Type()).(*types.Named); ok {
			if isErrorConstant(name, n) {
				continue
			}
			made.Class = d.classes[types.TypeString(n, nil)]
		}
		if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsFloat != 0 && kind == "int" {
			made.Value, made.Type = value+".0", "float"
		}
		if n, ok := types.Unalias(c.Type()).(*types.Named); ok && isPath(n, "time", "Duration") && d.crossesByItself(n) {
			made.Value, made.Type, made.Duration = "nanoseconds("+value+")", "datetime.timedelta", true
		}
		if made.Class != nil && (made.Class.Init == nil || made.Class.Init.Reason != "") {
			made.Class = nil
		}
		made.Python = d.take(p, d.renamed(name, constantName(name)))
		d.plan.Constants = append(d.plan.Constants, made)
	}
}

// plainTypes makes names for the exported types whose values cross as plain ones, such as Fields = dict[str, typing.Any].
func (d *Decider) plainTypes(p *types.Package) {
	for _, name := range p.Scope().Names() {
		o, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !o.Exported() || o.IsAlias() || d.rules.Omits(name) {
			continue
		}
		n, ok := o.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 || d.isObject(n) || d.crosses(n) != nil {
			continue
		}
		if text := pythonType(n.Underlying()); text != anyType {
			made := &Constant{ID: name, Python: d.take(p, d.renamed(name, name)), Alias: text, Doc: d.pythonDoc(d.doc(p, name))}
			d.plan.Constants = append(d.plan.Constants, made)
		}
	}
}

const anyType = "typing.Any"

// pythonType returns the Python type of a plain value.
func pythonType(t types.Type) string {
	switch x := t.Underlying().(type) {
	case *types.Basic:
		switch info := x.Info(); {
		case info&types.IsBoolean != 0:
			return "bool"
		case info&types.IsInteger != 0:
			return "int"
		case info&types.IsFloat != 0:
			return "float"
		case info&types.IsString != 0:
			return "str"
		}
	case *types.Slice:
		if isByte(x.Elem()) {
			return "bytes"
		}
		return "list[" + pythonType(x.Elem()) + "]"
	case *types.Map:
		if isNothing(x.Elem()) {
			return "set[" + pythonType(x.Key()) + "]"
		}
		return "dict[" + pythonType(x.Key()) + ", " + pythonType(x.Elem()) + "]"
	}
	return anyType
}

// pythonValue writes a constant in Python; "" for one that it cannot write.
func pythonValue(v constant.Value) (text, kind string) {
	switch v.Kind() {
	case constant.Bool:
		if constant.BoolVal(v) {
			return "True", "bool"
		}
		return "False", "bool"
	case constant.String:
		return strconv.QuoteToASCII(constant.StringVal(v)), "str"
	case constant.Int:
		return v.ExactString(), "int"
	case constant.Float:
		f, _ := constant.Float64Val(v)
		text := strconv.FormatFloat(f, 'g', -1, 64)
		if strings.ContainsAny(text, "IN") {
			return "", ""
		}
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text, "float"
	}
	return "", ""
}

// errors decides the exceptions of a package: its error variables and its error types.
func (d *Decider) errors(p *types.Package) {
	imported, exceptions := "", map[string]string{}
	var others []*Constant
	var found []*types.Named
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() || d.rules.Omits(name) {
			continue
		}
		switch x := o.(type) {
		case *types.Const:
			if n, ok := types.Unalias(x.Type()).(*types.Named); ok && isErrorConstant(name, n) {
				d.errorConstant(p, x)
			}
		case *types.Var:
			if !isError(x.Type()) {
				continue
			}
			imported = d.plan.Imports.Name(p)
			python := d.take(p, d.renamed(name, errorName(name)))
			if same := d.sameError(p, name); same != "" {
				others = append(others, &Constant{ID: name, Python: python, Same: same, Doc: d.pythonDoc(d.doc(p, name))})
				continue
			}
			exceptions[name] = python
			d.plan.Errors = append(d.plan.Errors, &Item{
				ID: name, Python: python,
				Code: fmt.Sprintf("// %s\nif %s.%s != nil {\n_ = selfsame.RegisterErrorKind(%s.%s, %q%s) // it fails for an error that has an exception already\n}", comment(d.doc(p, name), name), imported, name, imported, name, d.plan.Name+"."+python, d.base(p, name)),
			})
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
		if of, own := strings.CutPrefix(c.Same, "."); own {
			c.Same = "." + exceptions[of]
		}
		d.plan.Constants = append(d.plan.Constants, c)
	}
}

// isErrorConstant says whether a constant of a type is an error and called so. It is an exception then.
func isErrorConstant(name string, n *types.Named) bool {
	failure := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(n, failure) && (strings.HasPrefix(name, "Err") || strings.HasSuffix(name, "Error"))
}

// errorConstant gives a constant that is an error an exception.
func (d *Decider) errorConstant(p *types.Package, c *types.Const) {
	name := c.Name()
	python := d.take(p, d.renamed(name, errorName(name)))
	d.plan.Errors = append(d.plan.Errors, &Item{
		ID: name, Python: python,
		Code: fmt.Sprintf("// %s\n_ = selfsame.RegisterErrorKind(%s.%s, %q%s)", comment(d.doc(p, name), name), d.plan.Imports.Name(p), name, d.plan.Name+"."+python, d.base(p, name)),
	})
}

// sameError says of an error variable that is another one which it is: the builtin exception of Python, or behind a dot the exported
// variable of the package. It returns "" for a variable with an error of its own.
func (d *Decider) sameError(p *types.Package, name string) string {
	same := d.docs[p.Path()].Same
	for range len(same) {
		other := same[name]
		if builtin := builtinErrors[other]; builtin != "" {
			return builtin
		}
		if v, ok := p.Scope().Lookup(other).(*types.Var); !ok || !isError(v.Type()) {
			return ""
		}
		name = other
		if same[name] == "" && ast.IsExported(name) && !d.rules.Omits(name) {
			return "." + name
		}
	}
	return ""
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
	failure := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	if _, isInterface := n.Underlying().(*types.Interface); isInterface || !implementsError(n) {
		return
	}
	c := d.classes[types.TypeString(n, nil)]
	if c == nil {
		return
	}
	text := "*" + d.text(n)
	if types.Implements(n, failure) && d.isValue(n) {
		text = d.text(n)
	}
	name := n.Obj().Name()
	python := d.take(p, name)
	d.plan.Errors = append(d.plan.Errors, &Item{
		ID: name + " (exception)", Python: python,
		Code: fmt.Sprintf("selfsame.MustRegisterErrorType[%s](%q%s)", text, d.plan.Name+"."+python, d.base(p, name)),
	})
	details := d.take(p, naming.Snake(name)+"_of")
	d.plan.Imports.Name(errorsPackage)
	d.plan.Functions = append(d.plan.Functions, &Item{
		ID: name + " (of an exception)", Python: details,
		Code: fmt.Sprintf("selfsame.MustRegisterFunc(%q, func(err error) selfsame.Optional[%s] {\nvar found %s\nif !goerrors.As(err, &found) {\n"+
			"return selfsame.Optional[%s]{}\n}\nreturn selfsame.Some(found)\n}, selfsame.Lenient(), selfsame.ArgNames(\"err\"), selfsame.Doc(%q))",
			d.plan.Name+"."+details, text, text, text, "Returns the "+name+" behind an exception, with its fields; None without one."),
	})
}

var errorsPackage = types.NewPackage("errors", "errors")

// errorName makes the name of an exception: ErrNotFound is NotFoundError, of one without Err in front the name with Error behind.
func errorName(goName string) string {
	rest := strings.TrimPrefix(goName, "Err")
	if rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
		rest = goName
	}
	return strings.TrimSuffix(rest, "Error") + "Error"
}

// comment makes one line of a comment.
func comment(text, otherwise string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return otherwise
	}
	return text
}
