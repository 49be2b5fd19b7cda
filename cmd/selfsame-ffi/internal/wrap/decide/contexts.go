package decide

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// contextParam gives a func with a context an optional argument for it, behind the others: the context of the call itself, which
// callers do not pass, ends with Ctrl-C only. It returns the statements that decide what the Go func gets as within.
func (d *Decider) contextParam(p *types.Var, made *callable, params *[]string, own, rest string) (string, *reason.Reason) {
	if err := d.crosses(p.Type()); err != nil {
		return "", err
	}
	taken := newScope()
	for _, name := range made.names {
		before, _, _ := strings.Cut(strings.TrimPrefix(name, "*"), "=")
		taken.take(before)
	}
	name := pyname.Parameters([]string{p.Name()})[0]
	if name == "" || name == "_" {
		name = "ctx"
	}
	name = taken.take(name) + "=None"
	if len(*params) > 0 || rest != "" {
		name = "*" + name
	}
	made.names = slices.Insert(made.names, len(*params), name)
	*params = append(*params, "given selfsame.Optional["+d.text(p.Type())+"]")
	return fmt.Sprintf("within, over := selfsame.During(%s, given.Value)\ndefer over()\n", own), nil
}

// contextClass decides the members of the class of contexts: Python code makes them, ends them and reads them, as Go code does with
// the funcs of the package context.
func (d *Decider) contextClass(c *Class) {
	c.Doc = "A Go context, which ends calls that get it: after a timeout, when its parent ends or when cancel is called, as at the end " +
		"of a with statement. Calls without one have one of their own.\n\n" + c.Doc
	c.Init = &Item{ID: "Context", Python: c.Go, Code: fmt.Sprintf(
		"selfsame.Init(func(o *%s, timeout selfsame.Optional[%s.Duration], parent selfsame.Optional[%s]) { o.Set(selfsame.NewContext(parent.Value, timeout)) }, \"timeout=None\", \"parent=None\")",
		c.Go, d.plan.Imports.Name(types.NewPackage("time", "time")), c.GoType)}
	add := func(python, doc, code string) {
		c.Members = append(c.Members, &Item{ID: "Context." + python, Python: c.scope.take(python),
			Code: fmt.Sprintf("selfsame.Method(%q, func(o *%s%s, %q)", python, c.Go, code, doc)})
	}
	c.Members = append(c.Members, &Item{ID: "Context.done", Python: c.scope.take("done"), Code: fmt.Sprintf(
		"selfsame.Property(\"done\", func(o *%s) bool { return o.Go().Err() != nil }, nil, \"Whether the context has ended.\")", c.Go)})
	add("cancel", "Ends the context, and with it the calls that have it. A TypeError: it comes from Go, which ends it.",
		") error { return selfsame.EndContext(o.Go(), nil) }")
	add("__exit__", "Ends the context.", ") error { return selfsame.EndContext(o.Go(), nil) }")
	add("err", "Returns the exception for which the context has ended, None before.", ") any { return o.Go().Err() }")
	add("deadline", "Returns when the context ends by itself, None for never.", ") selfsame.Optional["+d.plan.Imports.Name(types.NewPackage("time", "time"))+
		".Time] {\nwhen, ok := o.Go().Deadline()\nif !ok {\nreturn selfsame.Optional["+d.plan.Imports.Name(types.NewPackage("time", "time"))+
		".Time]{}\n}\nreturn selfsame.Some(when)\n}")
	add("value", "Returns what the context has for a key, None for nothing.", ", key any) any { return o.Go().Value(key) }")
	context := d.plan.Imports.Name(types.NewPackage("context", "context"))
	add("with_value", "Returns a context with a value for a key, of which this one is the parent.",
		fmt.Sprintf(", key, value any) %s { return %s.WithValue(o.Go(), key, value) }", c.GoType, context))
}
