package wrapped

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// callText is the text of a call.
type callText struct {
	params  []string // of the func literal, without the object
	names   []string // of the parameters in Python
	before  string   // the statements before the call: one that locks, and those that arguments need
	call    string   // the expression that calls
	failure string   // the expression of its error
}

// argNames writes the names of arguments as further arguments.
func argNames(names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, ", %q", name)
	}
	return b.String()
}

// callText writes the parts of a call.
func (w *writer) callText(c *form.Call) *callText {
	made := &callText{failure: "err"}
	if c.Results.Typed {
		made.failure = "gen.Failed(err)"
		results := c.Signature.Results()
		if _, isList := results.At(results.Len() - 1).Type().Underlying().(*types.Slice); isList {
			made.failure = "gen.FailedList(err)"
		}
	}
	if c.Malformed {
		made.failure = "gen.Malformed(" + made.failure + ")"
	}
	var context, rest *form.Param
	var args, locked []string
	var setup, back strings.Builder
	needed := "" // what refuses None
	for _, p := range c.Params {
		name := fmt.Sprintf("a%d", p.Index)
		if p.Locks && p.Way == form.Pointed {
			locked = append(locked, name+".Place()")
		} else if p.Locks {
			locked = append(locked, name)
		}
		switch {
		case p.Way == form.Within:
			context, args = p, append(args, "within")
			continue
		case p.Rest:
			rest, args = p, append(args, name+"...")
			continue
		}
		made.params = append(made.params, name+" "+w.value(p.Value))
		made.names = append(made.names, leftOut(p.Python, p.MayBeLeft))
		if p.Needed && !p.MayBeLeft {
			made.names[len(made.names)-1] += "!"
			needed += fmt.Sprintf("gen.Needed(%s, %q)\n", isGiven(p.Value, name), p.Python)
		}
		channel := fmt.Sprintf("c%d", p.Index)
		switch p.Way {
		case form.Stored:
			args = append(args, "place")
			fmt.Fprintf(&setup, "place, stored := gen.Place(%s)\n", name)
		case form.KeptSending:
			args = append(args, channel)
			fmt.Fprintf(&setup, "%s := gen.KeptSending(%s)\n", channel, name)
		case form.Sending, form.Receiving:
			args = append(args, channel)
			helper := map[form.Way]string{form.Sending: "Sending", form.Receiving: "Receiving"}[p.Way]
			fmt.Fprintf(&setup, "%s, end%d := gen.%s(%s)\ndefer end%d()\n", channel, p.Index, helper, name, p.Index)
		case form.Writes, form.MaybeWrites, form.WritesCopy, form.Pointed:
			if c.Options != nil && c.Options.Param == p {
				fmt.Fprintf(&setup, "g%d := %s\n", p.Index, w.in(p.Value, name))
				args = append(args, fmt.Sprintf("g%d", p.Index))
			} else {
				args = append(args, w.in(p.Value, name))
			}
			fmt.Fprintf(&back, "defer %s.GiveBack(%q, %q)\n", name, c.Python, p.Python)
			w.syncs(c, p, &setup)
		default:
			args = append(args, w.in(p.Value, name))
		}
	}
	if c.Options != nil {
		w.options(c.Options, made, &setup)
	}
	made.before = setup.String()
	if context != nil {
		star := ""
		if len(made.params) > 0 || rest != nil {
			star = "*"
		}
		name := fmt.Sprintf("a%d", context.Index)
		made.names = append(made.names, star+context.Python+"=None")
		made.params = append(append([]string{name + " " + w.text(context.Type)}, made.params...), "given selfsame.Optional["+w.text(context.Type)+"]")
		made.before = fmt.Sprintf("within, over := gen.During(%s, given.Value)\ndefer over()\n", name) + made.before
	}
	if rest != nil {
		made.params, made.names = append(made.params, fmt.Sprintf("a%d ...%s", rest.Index, w.text(rest.Type))), append(made.names, rest.Python)
	}
	if c.Stopper != nil {
		args := map[bool]string{true: w.standard("context", "context") + ".Background()"}[c.Stopper.Signature().Params().Len() > 0]
		made.params = append([]string{"call " + w.standard("context", "context") + ".Context"}, made.params...)
		made.before = fmt.Sprintf("defer gen.Stopping(call, func() { o.Go().%s(%s) })()\n", c.Stopper.Name(), args) + made.before
	}
	if c.Class != nil && !c.Unlocked {
		made.before = fmt.Sprintf("defer o.Lock(%s).Unlock()\n", strings.Join(locked, ", ")) + made.before
	} else if len(locked) > 0 {
		made.before = fmt.Sprintf("defer gen.LockAll(%s).Unlock()\n", strings.Join(locked, ", ")) + made.before
	}
	made.before = needed + back.String() + made.before // when the lock is open again
	if changes(c) {
		made.before = "o.Change()\n" + made.before
	}
	made.call = w.callee(c) + "(" + strings.Join(args, ", ") + ")"
	return made
}

// changes says whether a method is one that changes a value of a number or text type: it has a pointer to that.
func changes(c *form.Call) bool {
	if c.Func == nil || c.Class == nil || c.Class.Kind != form.Pointer {
		return false
	}
	_, basic := c.Class.Named.Underlying().(*types.Basic)
	_, pointer := c.Func.Signature().Recv().Type().(*types.Pointer)
	return basic && pointer
}

// syncs writes that a callback which gets indices of what the func writes, as that of sort.Slice, finds there what the func has written.
func (w *writer) syncs(c *form.Call, written *form.Param, setup *strings.Builder) {
	for _, p := range c.Params {
		sig, ok := p.Type.Underlying().(*types.Signature)
		if !ok || p.Rest || sig.Params().Len() == 0 || sig.Variadic() || p.Way != form.Same && p.Way != form.Optional {
			continue
		}
		var params, args []string
		for i := range sig.Params().Len() {
			if sig.Params().At(i).Type() == types.Typ[types.Int] {
				params, args = append(params, fmt.Sprintf("i%d int", i)), append(args, fmt.Sprintf("i%d", i))
			}
		}
		if len(args) != sig.Params().Len() {
			continue
		}
		callback := w.in(p.Value, fmt.Sprintf("a%d", p.Index))
		give, list := "", strings.Join(args, ", ")
		if sig.Results().Len() > 0 {
			give = "return "
		}
		fmt.Fprintf(setup, "if call := %[1]s; call != nil {\n%[1]s = func(%[2]s) %[3]s {\na%[4]d.SyncAt(%[5]q, %[6]q, %[7]s)\n%[8]scall(%[7]s)\n}\n}\n",
			callback, strings.Join(params, ", "), w.text(sig.Results()), written.Index, c.Python, written.Python, list, give)
	}
}

// leftOut marks the name of an argument that may be left out.
func leftOut(name string, may bool) string {
	if may {
		return name + "=None"
	}
	return name
}

// callee writes the expression of the called func.
func (w *writer) callee(c *form.Call) string {
	text := "(*o.Go())"
	switch {
	case c.Func == nil:
	case c.Class != nil:
		text = "o.Go()." + c.Func.Name() + w.texts(c.TypeArgs)
	default:
		text = w.pkg(c.Func.Pkg()) + "." + c.Func.Name() + w.texts(c.TypeArgs)
	}
	if c.Through != nil {
		return c.Through.Go + "(" + text + ")"
	}
	return text
}

// literal writes the func literal for a call, and the names of its arguments.
func (w *writer) literal(c *form.Call) (text string, names []string) {
	made := w.callText(c)
	if c.Class != nil {
		made.params = append([]string{"o *" + c.Class.Go}, made.params...)
	}
	stored := ""
	if c.Stores() {
		stored = "stored()"
	}
	results, body := w.results(c.Results, made, stored)
	return fmt.Sprintf("func(%s) %s {\n%s%s\n}", strings.Join(made.params, ", "), results, made.before, body), made.names
}

// results writes the results of a func literal and its body, which makes the call. stored is the expression of a further result behind
// the values, "" for none.
func (w *writer) results(r form.Results, c *callText, stored string) (list, body string) {
	if r.Found {
		return w.found(r, c)
	}
	var texts, names, converted []string
	changed := stored != "" || r.Fails && c.failure != "err"
	for i, v := range r.Values {
		name := fmt.Sprintf("r%d", i)
		names, texts, converted = append(names, name), append(texts, w.value(v)), append(converted, w.out(v, name))
		changed = changed || v.Way != form.Same
	}
	if stored != "" {
		texts, converted = append(texts, "any"), append(converted, stored)
	}
	if r.Fails {
		texts, names, converted = append(texts, "error"), append(names, "err"), append(converted, c.failure)
	}
	list = strings.Join(texts, ", ")
	if len(texts) > 1 {
		list = "(" + list + ")"
	}
	switch {
	case len(names) == 0 && stored != "":
		return list, c.call + "\nreturn " + stored
	case len(names) == 0:
		return "", c.call
	case !changed:
		return list, "return " + c.call
	case len(converted) == 1 && !r.Fails && r.Values[0].Way != form.Renamed && r.Values[0].Way != form.Optional:
		return list, "return " + w.out(r.Values[0], c.call)
	}
	return list, fmt.Sprintf("%s := %s\nreturn %s", strings.Join(names, ", "), c.call, strings.Join(converted, ", "))
}

// found does that for a func that returns a value and whether it is there: None stands for none.
func (w *writer) found(r form.Results, c *callText) (list, body string) {
	text, none, some := w.value(r.Values[0]), "nil", "r"
	if r.Values[0].Way == form.Optional {
		none, some = text+"{}", "selfsame.Some(r)"
	}
	if r.Fails {
		return "(" + text + ", error)", fmt.Sprintf("r, ok, err := %s\nif err != nil || !ok {\nreturn %s, %s\n}\nreturn %s, nil", c.call, none, c.failure, some)
	}
	return text, fmt.Sprintf("r, ok := %s\nif !ok {\nreturn %s\n}\nreturn %s", c.call, none, some)
}

// options writes the parameters for options, and the statements that make the options of those that were given.
func (w *writer) options(o *form.Options, c *callText, setup *strings.Builder) {
	list, target := fmt.Sprintf("a%d", o.Param.Index), "v"
	grown := fmt.Sprintf("append(%[1]s[:len(%[1]s):len(%[1]s)], ", list)
	switch {
	case o.Param.Rest:
	case writtenTypes[o.Param.Way] != "":
		list = fmt.Sprintf("g%d", o.Param.Index)
		target = list
	default:
		target = w.in(o.Param.Value, list)
	}
	var given []string
	var set strings.Builder
	for i, one := range o.All {
		name := fmt.Sprintf("k%d", i)
		c.params, c.names = append(c.params, name+" "+w.value(one.Value)), append(c.names, "*"+one.Python+"=None")
		is, statement := isGiven(one.Value, name), ""
		value := w.in(one.Value, name)
		switch {
		case one.Func == nil:
			statement = target + "." + one.Field + " = " + value
		case one.Flag:
			is, statement = value, list+" = "+grown+w.pkg(one.Func.Pkg())+"."+one.Func.Name()+"())"
		case one.Spread:
			value += "..."
			fallthrough
		default:
			statement = list + " = " + grown + w.pkg(one.Func.Pkg()) + "." + one.Func.Name() + "(" + value + "))"
		}
		given = append(given, is)
		fmt.Fprintf(&set, "if %s {\n%s\n}\n", is, statement)
	}
	switch {
	case o.Struct == nil:
		setup.WriteString(set.String())
	case o.Param.Rest:
		address := map[bool]string{true: "&"}[o.Pointer]
		fmt.Fprintf(setup, "if %s {\nvar v %s\n%s%s = %s%sv)\n}\n", strings.Join(given, " || "), w.text(o.Struct), set.String(), list, grown, address)
	default:
		fresh := ""
		if o.Pointer {
			fresh = list + " = new(" + w.text(o.Struct) + ")\n"
		}
		fmt.Fprintf(setup, "if %s {\nif %s {\npanic(selfsame.Errorf(\"TypeError\", \"argument '%s': expected either it or keyword arguments for its fields\"))\n}\n%s%s}\n",
			strings.Join(given, " || "), isGiven(o.Param.Value, list), o.Param.Python, fresh, set.String())
	}
}

// isGiven writes whether an argument that may be left out was given.
func isGiven(v form.Value, name string) string {
	if v.Way == form.Optional {
		return name + ".OK"
	}
	return name + " != nil"
}

// through writes the func that a call leads through.
func (w *writer) through(c *form.Call) string {
	var typeParams, inner, outer, args, results []string
	setup, sig := "", c.Signature
	for i := range sig.Params().Len() {
		v, name, dots := sig.Params().At(i), fmt.Sprintf("a%d", i), ""
		t := v.Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t, dots = t.(*types.Slice).Elem(), "..."
		}
		given := c.Through.Params[i]
		if given == nil {
			text := name + " " + dots + w.text(t)
			inner, outer, args = append(inner, text), append(outer, text), append(args, name+dots)
			continue
		}
		param := fmt.Sprintf("T%d", i)
		constraint, value := param+" any", fmt.Sprintf("gen.Given[%s](%%s, %q)", param, form.Shown(v, i))
		if _, basic := given.(*types.Basic); basic {
			constraint, value = param+" ~"+w.text(given), param+"(%s)"
		}
		typeParams = append(typeParams, constraint)
		inner, outer = append(inner, name+" "+dots+param), append(outer, name+" "+dots+w.text(given))
		if dots == "" {
			args = append(args, fmt.Sprintf(value, name))
			continue
		}
		setup = fmt.Sprintf("rest := make([]%s, len(%s))\nfor i, one := range %s {\nrest[i] = %s\n}\n", param, name, name, fmt.Sprintf(value, "one"))
		args = append(args, "rest...")
	}
	for i := range sig.Results().Len() {
		if !c.Through.Results[i] {
			results = append(results, w.text(sig.Results().At(i).Type()))
			continue
		}
		typeParams, results = append(typeParams, fmt.Sprintf("R%d any", i)), append(results, fmt.Sprintf("R%d", i))
	}
	result, give := "", ""
	if len(results) > 0 {
		result, give = " ("+strings.Join(results, ", ")+")", "return "
	}
	return fmt.Sprintf("// %[1]s leads to a func with types that cannot be written here.\nfunc %[1]s[%[2]s](f func(%[3]s)%[4]s) func(%[5]s)%[4]s {\n"+
		"return func(%[5]s)%[4]s {\n%[6]s%[7]sf(%[8]s)\n}\n}\n\n",
		c.Through.Go, strings.Join(typeParams, ", "), strings.Join(inner, ", "), result, strings.Join(outer, ", "), setup, give, strings.Join(args, ", "))
}

// fields writes the parameters of a constructor for fields, from a number on, the statements that set those of the value, and the names of
// the arguments.
func (w *writer) fields(fields []form.Field, value string, from int) (params []string, set string, names []string) {
	for i, f := range fields {
		name := fmt.Sprintf("a%d", from+i)
		params, names = append(params, name+" "+w.value(f.Value)), append(names, leftOut(f.Python, true))
		set += fmt.Sprintf("if %s {\n%s.%s = %s\n}\n", isGiven(f.Value, name), value, f.Go, w.in(f.Value, name))
	}
	return params, set, names
}

// initOf writes a constructor with the given parameters behind the object.
func initOf(c *form.Class, params []string, result, body string, names []string) string {
	list := strings.Join(slices.Concat([]string{"o *" + c.Go}, params), ", ")
	return fmt.Sprintf("selfsame.Init(func(%s)%s {\n%s\n}%s)", list, result, body, argNames(names))
}
