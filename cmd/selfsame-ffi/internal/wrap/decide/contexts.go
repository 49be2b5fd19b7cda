package decide

import (
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// contextParam gives a func with a context an optional argument for it, behind the others: the context of the call itself, which
// callers do not pass, ends with Ctrl-C only.
func (d *Decider) contextParam(of *types.Var, p *form.Param, made *form.Call, names []string) *reason.Reason {
	if err := d.crosses(of.Type()); err != nil {
		return err
	}
	var taken form.Names
	for _, name := range names {
		taken.Take(name)
	}
	if made.Options != nil {
		for _, o := range made.Options.All {
			taken.Take(o.Python)
		}
	}
	name := pyname.Parameters([]string{of.Name()})[0]
	if name == "" || name == "_" {
		name = "ctx"
	}
	p.Python = taken.Take(name)
	return nil
}

// contextClass decides the members of the class of contexts: Python code makes them, ends them and reads them, as Go code does with
// the funcs of the package context.
func (d *Decider) contextClass(c *form.Class) {
	c.Doc = "A Go context, which ends calls that get it: after a timeout, when its parent ends or when cancel is called, as at the end " +
		"of a with statement. Calls without one have one of their own.\n\n" + c.Doc
	c.Init = &form.Item{ID: "Context", Python: c.Go, Form: &form.Operation{Op: form.ContextInit, Of: c}}
	for _, m := range []struct {
		python, doc string
		op          form.Op
	}{
		{"done", "Whether the context has ended.", form.ContextDone},
		{"cancel", "Ends the context, and with it the calls that have it. A TypeError: it comes from Go, which ends it.", form.ContextEnd},
		{"__exit__", "Ends the context.", form.ContextEnd},
		{"err", "Returns the exception for which the context has ended, None before.", form.ContextErr},
		{"deadline", "Returns when the context ends by itself, None for never.", form.ContextDeadline},
		{"value", "Returns what the context has for a key, None for nothing.", form.ContextValue},
		{"with_value", "Returns a context with a value for a key, of which this one is the parent.", form.ContextWithValue},
	} {
		c.Members = append(c.Members, &form.Item{
			ID: "Context." + m.python, Python: c.Names.Take(m.python), Doc: m.doc, Form: &form.Operation{Op: m.op, Of: c},
		})
	}
}
