package decide

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// callable is a func literal that calls a func or a method of a wrapped package.
type callable struct {
	code   string
	params string   // of the literal, without the object
	lock   string   // the statements before the call: one that locks, and those that arguments need
	call   string   // the expression that calls
	names  []string // of the parameters in Python
	decl   string   // declarations that the literal needs, "" for none

	failure string // the expression of its error
}

// argNames returns the names as further arguments of selfsame.Method.
func (c *callable) argNames() string {
	var b strings.Builder
	for _, name := range c.names {
		fmt.Fprintf(&b, ", %q", name)
	}
	return b.String()
}

// callable makes the func literal for a signature. callee is the text of the called func, object the name of the class whose
// method it is, "" for a func. The context of the call comes first, wherever Go has one.
func (d *Decider) callable(sig *types.Signature, callee, object string) (*callable, *reason.Reason) {
	made := &callable{}
	if scans(callee[strings.LastIndexByte(callee, '.')+1:], sig) {
		d.ref(types.Universe.Lookup("any").Type()) // what the pointers can be
	}
	across, err := d.through(sig)
	if err != nil {
		return nil, err
	}
	called := callee
	if across != nil {
		called, made.decl = across.name+"("+callee+")", across.decl
	}
	var context, params, args, locked, goNames []string
	var contextOf *types.Var
	setup, stored, rest := "", "", ""
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		name := fmt.Sprintf("a%d", i)
		if len(context) == 0 && isContext(p.Type()) {
			d.plan.Imports.Name(p.Type().(interface{ Obj() *types.TypeName }).Obj().Pkg())
			context, args, locked = []string{name + " " + d.text(p.Type())}, append(args, "within"), append(locked, name)
			contextOf = p
			continue
		}
		text, hidden := "", false
		if across != nil {
			text, hidden = across.texts[i], across.texts[i] != ""
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t := p.Type().(*types.Slice).Elem()
			if err := d.crosses(t); err == nil && !hidden {
				text = d.text(t)
			} else if !hidden {
				d.without(shown(p, i), err)
			}
			if text != "" { // without it, the func can be called all the same
				goNames, rest = append(goNames, p.Name()), name+" ..."+text
				args = append(args, name+"...")
			}
			continue
		}
		goNames = append(goNames, p.Name())
		if hidden {
			params, args = append(params, name+" "+text), append(args, name)
			continue
		}
		if stored == "" && storesResult(callee) && isPlace(sig, i) {
			stored = "stored()"
			params, args = append(params, name+" any"), append(args, "place")
			setup += "place, stored := selfsame.Place(" + name + ")\n"
			continue
		}
		a, err := d.argument(p, name, callee)
		if err != nil {
			return nil, err.In("parameter %s: ", shown(p, i))
		}
		params, args, setup = append(params, name+" "+a.text), append(args, a.value), setup+a.setup
		if a.locks {
			locked = append(locked, name)
		}
	}
	made.names = pyname.Parameters(goNames)
	for i, name := range made.names {
		if name == "" || name == "_" {
			made.names[i] = fmt.Sprintf("arg%d", i)
		}
	}
	if stored != "" {
		made.names[len(params)-1] += "=None"
	}
	if given := d.keywords(sig, made.names, len(params)); given != nil && across == nil {
		given.apply(made, &params, &args)
		setup += given.setup
	}
	if contextOf != nil {
		own, _, _ := strings.Cut(context[0], " ")
		decided, err := d.contextParam(contextOf, made, &params, own, rest)
		if err != nil {
			return nil, err
		}
		setup = decided + setup
	}
	if rest != "" {
		params = append(params, rest)
	}
	params = append(context, params...)
	made.params = strings.Join(params, ", ")
	lock := ""
	switch {
	case object != "":
		params = append([]string{"o *" + object}, params...)
		lock = fmt.Sprintf("defer o.Lock(%s).Unlock()\n", strings.Join(locked, ", "))
	case len(locked) > 0:
		lock = fmt.Sprintf("defer selfsame.LockAll(%s).Unlock()\n", strings.Join(locked, ", "))
	}
	made.call, made.lock = fmt.Sprintf("%s(%s)", called, strings.Join(args, ", ")), lock+setup
	made.failure = "err"
	if parses(callee[strings.LastIndexByte(callee, '.')+1:], sig) {
		made.failure = "selfsame.Malformed(err)"
	}
	results, body := d.results(sig.Results(), made.call, stored, made.failure)
	if stored == "" && d.returnsPlace(sig, callee) {
		ref := d.ref(types.Unalias(sig.Results().At(0).Type()).(*types.Pointer).Elem())
		results, body = "*"+ref.GoType, fmt.Sprintf("return %s(%s)", ref.maker(), made.call)
	}
	made.code = fmt.Sprintf("func(%s) %s {\n%s%s\n}", strings.Join(params, ", "), results, made.lock, body)
	return made, nil
}

// without notes that a func or method has no variadic parameter in Python.
func (d *Decider) without(parameter string, err *reason.Reason) {
	id := d.owner + "(...)"
	if slices.ContainsFunc(d.plan.Functions, func(i *Item) bool { return i.ID == id }) {
		return
	}
	d.plan.Functions = append(d.plan.Functions, &Item{ID: id, Reason: err.In("it is called without the variadic parameter %s: ", parameter)})
}

func shown(p *types.Var, i int) string {
	if p.Name() == "" || p.Name() == "_" {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("'%s'", p.Name())
}

// locks says whether values of a type may be objects whose calls are serialised.
func (d *Decider) locks(t types.Type) bool {
	switch x := types.Unalias(t).(type) {
	case *types.Pointer:
		n, ok := types.Unalias(x.Elem()).(*types.Named)
		return ok && d.isObject(n) && !d.classes[types.TypeString(n, nil)].Shared
	case *types.Named:
		c := d.classes[types.TypeString(x, nil)]
		return c != nil && c.Kind == Interface
	}
	return false
}

// results returns the results of the func literal and its body, which makes the call. stored is the expression of a further result
// behind the values, "" for none, failure that of the error err.
func (d *Decider) results(of *types.Tuple, call, stored, failure string) (list, body string) {
	var all []*types.Var
	for v := range of.Variables() {
		all = append(all, v)
	}
	fails := len(all) > 0 && isError(all[len(all)-1].Type())
	values := all
	if fails {
		values = all[:len(all)-1]
	}
	if stored == "" && len(values) == 2 && isFound(values[1]) && d.crosses(values[0].Type()) == nil {
		return d.optional(values[0].Type(), call, fails)
	}
	var texts, names, converted []string
	changed := false
	for i, v := range values {
		text, expression := d.text(v.Type()), fmt.Sprintf("r%d", i)
		if err := d.crosses(v.Type()); err != nil {
			changed = true
			if p, ok := types.Unalias(v.Type()).(*types.Pointer); ok && d.refers(p) {
				ref := d.ref(p.Elem())
				text, expression = "*"+ref.GoType, fmt.Sprintf("%s(r%d)", ref.maker(), i)
			} else if channel := d.received(v.Type()); channel != "" {
				text = channel
			} else if as, err := d.form(v.Type(), v.Name()); err == nil {
				text, expression = d.text(as.Type), as.out(expression)
			} else {
				text = "any"
				if _, isFunc := v.Type().Underlying().(*types.Signature); isFunc && d.writable(v.Type()) != nil {
					expression = "selfsame.Kept(" + expression + ")" // a func that Python could call would not come back
				}
			}
		}
		names = append(names, fmt.Sprintf("r%d", i))
		texts, converted = append(texts, text), append(converted, expression)
	}
	if stored != "" {
		texts, converted, changed = append(texts, "any"), append(converted, stored), true
	}
	if fails {
		texts, names, converted = append(texts, "error"), append(names, "err"), append(converted, failure)
		changed = changed || failure != "err"
	}
	list = strings.Join(texts, ", ")
	if len(texts) > 1 {
		list = "(" + list + ")"
	}
	switch {
	case len(all) == 0 && stored != "":
		return list, fmt.Sprintf("%s\nreturn %s", call, stored)
	case len(all) == 0:
		return "", call
	case !changed:
		return list, "return " + call
	}
	return list, fmt.Sprintf("%s := %s\nreturn %s", strings.Join(names, ", "), call, strings.Join(converted, ", "))
}

// received returns the type of a channel from which Python receives, "" for other types.
func (d *Decider) received(t types.Type) string {
	if c, ok := t.Underlying().(*types.Chan); ok && c.Dir() != types.SendOnly && d.crosses(c.Elem()) == nil {
		return "<-chan " + d.text(c.Elem())
	}
	return ""
}

// isFound says whether a result says that the one before it is there.
func isFound(v *types.Var) bool {
	b, ok := v.Type().(*types.Basic)
	if !ok || b.Kind() != types.Bool {
		return false
	}
	switch strings.ToLower(v.Name()) {
	case "", "_", "ok", "found", "exists", "exist", "has", "present", "hit", "success":
		return true
	}
	return false
}

// optional returns the results and the body for a func that returns a value and whether it is there: None stands for none.
func (d *Decider) optional(t types.Type, call string, fails bool) (list, body string) {
	text, none, some := d.text(t), "nil", "r"
	if !isNilable(t) || !d.noneIsNil(t) {
		text = "selfsame.Optional[" + text + "]"
		none, some = text+"{}", "selfsame.Some(r)"
	}
	if fails {
		return fmt.Sprintf("(%s, error)", text), fmt.Sprintf("r, ok, err := %s\nif err != nil || !ok {\nreturn %s, err\n}\nreturn %s, nil", call, none, some)
	}
	return text, fmt.Sprintf("r, ok := %s\nif !ok {\nreturn %s\n}\nreturn %s", call, none, some)
}

func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// isNone says whether a parameter of a type that may be left out needs no selfsame.Optional. A context does: as the first parameter it
// would be that of the call.
func (d *Decider) isNone(t types.Type) bool {
	_, isFunc := t.Underlying().(*types.Signature)
	return !isFunc && !isContext(t) && isNilable(t) && d.noneIsNil(t)
}

// noneIsNil says whether a nil of a type crosses as None.
func (d *Decider) noneIsNil(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		n, named := types.Unalias(p.Elem()).(*types.Named)
		return !named || d.isObject(n) || d.records[types.TypeString(n, nil)]
	}
	n, named := types.Unalias(t).(*types.Named)
	return !named || n.Obj().Pkg() == nil || !d.crossesByItself(n) // None is no file
}

// adapter decides how Python classes implement an interface: by a struct whose methods call the object's.
func (d *Decider) adapter(c *Class) {
	iface, ok := c.Named.Underlying().(*types.Interface)
	if !ok {
		return
	}
	item := &Item{ID: c.Named.Obj().Name() + " (implemented in Python)", Python: c.Go}
	var methods strings.Builder
	name := "python" + c.Go
	for m := range iface.Methods() {
		text, err := d.implemented(m, name, c)
		if err != nil {
			item.Reason = err.In("method %s: ", m.Name())
			c.Adapter = item
			return
		}
		methods.WriteString(text)
	}
	item.Decl = fmt.Sprintf("// %s is the Go value of an object whose Python class derives from %s.\ntype %s struct{ selfsame.Implementation }\n%s",
		name, c.Go, name, methods.String())
	item.Code = fmt.Sprintf("func(i selfsame.Implementation) %s { return %s{i} }", c.GoType, name)
	c.Adapter = item
}

// implemented writes a method that calls that of a Python object.
func (d *Decider) implemented(m *types.Func, name string, c *Class) (string, *reason.Reason) {
	if !m.Exported() {
		return "", reason.New(reason.OnlyItsPackage, "")
	}
	sig := m.Signature()
	python := d.renamed(c.Named.Obj().Name()+"."+m.Name(), pythonName(m.Name()))
	switch {
	case reads(m.Name(), sig):
		return implementedReading(name, m.Name(), python), nil
	case m.Name() == "Open" && isPath(c.Named, "io/fs", "FS"):
		return d.implementedOpen(name, python), nil
	}
	d.owner = capital(c.Go) + m.Name()
	var params, args, texts, results []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		if i == 0 && isContext(p.Type()) {
			d.plan.Imports.Name(types.Unalias(p.Type()).(*types.Named).Obj().Pkg())
		}
		text, arg := d.text(p.Type()), fmt.Sprintf("a%d", i)
		passed, given := text, arg // what the Python method gets
		if i > 0 || !isContext(p.Type()) {
			c, isChan := types.Unalias(p.Type()).(*types.Chan)
			if isChan && c.Dir() != types.RecvOnly && d.crosses(c.Elem()) == nil {
				passed = fmt.Sprintf("func(%s)", d.text(c.Elem()))
				given = fmt.Sprintf("func(value %s) { %s <- value }", d.text(c.Elem()), arg)
			} else if pointer, ok := types.Unalias(p.Type()).(*types.Pointer); ok && d.refers(pointer) {
				ref := d.ref(pointer.Elem())
				passed, given = "*"+ref.GoType, ref.maker()+"("+arg+")"
			} else if as, err := d.form(p.Type(), p.Name()); err == nil {
				passed, given = d.text(as.Type), as.out(arg)
			} else {
				return "", err.In("parameter %s: ", shown(p, i))
			}
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + d.text(p.Type().(*types.Slice).Elem())
			passed, given = text, arg+"..."
		}
		params, args, texts = append(params, arg+" "+text), append(args, given), append(texts, passed)
	}
	var got, returned, declared []string
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		as, err := d.form(v.Type(), v.Name())
		if err != nil {
			return "", err.In("result: ")
		}
		results, declared = append(results, d.text(as.Type)), append(declared, d.text(v.Type()))
		got = append(got, fmt.Sprintf("r%d", i))
		returned = append(returned, as.in(got[i]))
	}
	bound, result, give, end := "("+strings.Join(results, ", ")+")", "("+strings.Join(declared, ", ")+")", "return ", ""
	switch {
	case len(results) == 0:
		bound, result, give = "", "", ""
	case !slices.Equal(got, returned):
		give, end = strings.Join(got, ", ")+" := ", "\nreturn "+strings.Join(returned, ", ")
	}
	return fmt.Sprintf("\nfunc (p %s) %s(%s) %s {\n%sselfsame.PythonMethod[func(%s) %s](p.Implementation, %q)(%s)%s\n}\n",
		name, m.Name(), strings.Join(params, ", "), result, give, strings.Join(texts, ", "), bound, python, strings.Join(args, ", "), end), nil
}
