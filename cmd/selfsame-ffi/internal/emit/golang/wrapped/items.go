package wrapped

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// declarations writes what the code of an item needs outside of it.
func (w *writer) declarations(i *form.Item) string {
	switch f := i.Form.(type) {
	case *form.Call:
		if f.Through != nil {
			return w.through(f)
		}
	case *form.Constructor:
		if f.Through != nil {
			return w.through(f.Call)
		}
	case *form.Implementation:
		return w.implementation(f) + "\n\n"
	case *form.Items:
		return fmt.Sprintf("var _ = gen.Items[%s, %s]()\n\n", f.Of.Go, w.of(f.Of))
	}
	return ""
}

// code writes an item: an option of a class, or a statement.
func (w *writer) code(i *form.Item) string {
	switch f := i.Form.(type) {
	case *form.Call:
		return w.registered(i, f)
	case *form.Constructor:
		return w.constructor(f)
	case *form.Zero:
		params, set, names := w.fields(f.Fields, "v", 0)
		return initOf(f.Of, params, "", "v := new("+w.of(f.Of)+")\n"+set+"o.Set(v)", names)
	case *form.Conversion:
		return w.conversion(f.Of)
	case *form.Reading:
		return reading(i, f)
	case *form.Property:
		return w.property(i, f)
	case *form.Variable:
		return w.function(i, "func() "+w.value(f.Value)+" { return "+w.out(f.Value, w.pkg(f.Var.Pkg())+"."+f.Var.Name())+" }", variable(i.Python))
	case *form.SetVariable:
		name := w.pkg(f.Var.Pkg()) + "." + f.Var.Name()
		return fmt.Sprintf("selfsame.MustRegisterFunc(%q, func(value %s) { %s = value }, gen.Lenient(), selfsame.ArgNames(\"value\"), selfsame.Doc(%q)%s)",
			w.key(i), w.text(f.Var.Type()), name, i.Doc, variable(strings.TrimSuffix(i.Python, ".set")))
	case *form.ErrorValue:
		return w.errorValue(i, f)
	case *form.ErrorType:
		return fmt.Sprintf("selfsame.MustRegisterErrorType[%s](%q%s)", w.errorType(f), w.key(i), base(f.Base))
	case *form.ErrorDetails:
		text := w.errorType(&f.ErrorType)
		return fmt.Sprintf("selfsame.MustRegisterFunc(%q, func(err error) selfsame.Optional[%[2]s] {\nfound, ok := gen.ErrorOf[%[2]s](err)\nif !ok {\n"+
			"return selfsame.Optional[%[2]s]{}\n}\nreturn selfsame.Some(found)\n}, gen.Lenient(), selfsame.ArgNames(\"err\"), selfsame.Doc(%[3]q))",
			w.key(i), text, i.Doc)
	case *form.Operation:
		return w.operation(i, f)
	}
	return ""
}

// key returns the registered name of a func or an error.
func (w *writer) key(i *form.Item) string { return w.plan.Name + "." + i.Python }

// variable writes the option of a func that gets or sets a package variable.
func variable(name string) string { return fmt.Sprintf(", gen.Variable(%q)", name) }

// function writes the registration of a func, with more options behind its doc.
func (w *writer) function(i *form.Item, literal string, options ...string) string {
	return fmt.Sprintf("selfsame.MustRegisterFunc(%q, %s, gen.Lenient(), selfsame.Plain(), selfsame.Doc(%q)%s)",
		w.key(i), literal, i.Doc, strings.Join(options, ""))
}

// registered writes a func, a method or a static method.
func (w *writer) registered(i *form.Item, c *form.Call) string {
	literal, names := w.literal(c)
	switch {
	case c.Class != nil:
		return fmt.Sprintf("selfsame.Method(%q, %s, %q%s)", i.Python, literal, i.Doc, argNames(names))
	case c.Static:
		return fmt.Sprintf("selfsame.Static(%q, %s, %q%s)", i.Python, literal, i.Doc, argNames(names))
	case len(names) > 0:
		return w.function(i, literal, ", selfsame.ArgNames("+strings.TrimPrefix(argNames(names), ", ")+")")
	}
	return w.function(i, literal)
}

// constructor writes a constructor that calls a func.
func (w *writer) constructor(k *form.Constructor) string {
	c := w.callText(k.Call)
	set := "o.Set(r)"
	if k.Value {
		set = "o.Set(&r)"
	}
	params, names := c.params, c.names
	if k.Fields != nil {
		more, fields, keywords := w.fields(k.Fields, "r", len(k.Params))
		if len(params) > 0 {
			for i := range keywords {
				keywords[i] = "*" + keywords[i]
			}
		}
		params, names, set = append(params, more...), append(names, keywords...), fields+set
	}
	if k.Results.Fails {
		body := fmt.Sprintf("%sr, err := %s\nif err != nil {\nreturn %s\n}\n%s\nreturn nil", c.before, c.call, c.failure, set)
		return initOf(k.Of, params, " error", body, names)
	}
	return initOf(k.Of, params, "", c.before+"r := "+c.call+"\n"+set, names)
}

// conversion writes a constructor that takes a plain value.
func (w *writer) conversion(c *form.Class) string {
	u, name := c.Named.Underlying(), "v"
	param, argument := "value "+w.text(u), "value"
	switch u := u.(type) {
	case *types.Signature:
		name = "f"
	case *types.Slice:
		if param = "value ..." + w.text(u.Elem()); param == "value ...byte" {
			param = "value []byte"
		}
	case *types.Array:
		if _, basic := u.Elem().Underlying().(*types.Basic); basic && param != fmt.Sprintf("value [%d]byte", u.Len()) && u.Len() > 1 {
			return fmt.Sprintf("selfsame.Init(func(o *%s, value gen.AllOrFirst[%s, %s], rest ...%[3]s) error {\nv := %[4]s(value.All)\n"+
				"if err := value.Fill(v[:], rest); err != nil {\nreturn err\n}\no.Set(&v)\nreturn nil\n}, \"value\", \"rest\")",
				c.Go, w.text(u), w.text(u.Elem()), w.of(c))
		}
	case *types.Map:
		argument = "value={}"
		if s, ok := types.Unalias(u.Elem()).(*types.Struct); ok && s.NumFields() == 0 { // a set, which is natively an Array
			argument = "value=[]"
		}
	}
	return fmt.Sprintf("selfsame.Init(func(o *%s, %s) { %[3]s := %[4]s(value); o.Set(&%[3]s) }, %[5]q)", c.Go, param, name, w.of(c), argument)
}

// reading writes a method that fills bytes of its caller.
func reading(i *form.Item, r *form.Reading) string {
	params, call, names := "size int", "ReadBytes(o.Go(), size)", `"size=-1"`
	if r.At {
		params, call, names = "size int, offset int64", "ReadBytesAt(o.Go(), size, offset)", `"size", "offset"`
	}
	return fmt.Sprintf("selfsame.Method(%q, func(o *%s, %s) ([]byte, error) {\ndefer o.Lock().Unlock()\nreturn gen.%s\n}, %q, %s)",
		i.Python, r.Of.Go, params, call, i.Doc, names)
}

// property writes a field.
func (w *writer) property(i *form.Item, p *form.Property) string {
	const locked = "defer o.Lock().Unlock(); "
	text, get := w.value(p.Get), w.out(p.Get, "o.Go()."+p.Go)
	set := "nil"
	if p.Writable { // on a line of its own: funcs are known by their lines
		set = fmt.Sprintf("\nfunc(o *%s, value %s) { %so.Go().%s = %s }", p.Of.Go, w.value(p.Set), locked, p.Go, w.in(p.Set, "value"))
	}
	return fmt.Sprintf("selfsame.Property(%q, func(o *%s) %s { %sreturn %s }, %s, %q)", i.Python, p.Of.Go, text, locked, get, set, i.Doc)
}

// errorValue writes the registration of an error that is a variable or a constant. A pointer or an interface may be nil.
func (w *writer) errorValue(i *form.Item, e *form.ErrorValue) string {
	name := w.pkg(e.Object.Pkg()) + "." + e.Object.Name()
	comment := strings.Join(strings.Fields(i.Doc), " ")
	if comment == "" {
		comment = i.ID
	}
	register := fmt.Sprintf("_ = selfsame.RegisterErrorKind(%s, %q%s)", name, w.key(i), base(e.Base))
	_, isPointer := e.Object.Type().Underlying().(*types.Pointer)
	if isPointer || types.IsInterface(e.Object.Type()) {
		register = fmt.Sprintf("if %s != nil {\n%s // it fails for an error that has an exception already\n}", name, register)
	}
	return "// " + comment + "\n" + register
}

// errorType writes the type of errors.
func (w *writer) errorType(e *form.ErrorType) string {
	if e.ByValue {
		return w.text(e.Named)
	}
	return "*" + w.text(e.Named)
}

// base writes the further argument of a registration of errors.
func base(exception string) string {
	if exception == "" {
		return ""
	}
	return fmt.Sprintf(", %q", exception)
}
