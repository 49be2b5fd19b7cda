package decide

import (
	"go/types"
	"regexp"
	"slices"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
)

// runs finds the names of methods that go on until another goroutine ends them, if their bodies wait.
var runs = regexp.MustCompile(`^(ListenAnd)?Serve|^(Run|Start|Listen|Wait|Loop|Watch|Consume|Subscribe|Poll|Block|Join|Monitor|Receive)([A-Z].*)?$`)

// stoppers are the methods that end them, the quickest first.
var stoppers = []string{"Close", "Stop", "Cancel", "Quit", "Terminate", "Shutdown", "GracefulStop"}

// stopping decides how a method that waits, as Serve of a server and Run of a scheduler do, can be ended. Ctrl-C and the end of the asyncio
// task call the method of the type that stops it. That method exists to be called while the other waits, so it needs no lock. A method
// that nothing stops has a context of its own, or keeps its object locked, which the table says.
func (d *Decider) stopping(made *form.Call, c *form.Class) {
	if c.Kind != form.Pointer || made.Func == nil || made.Through != nil {
		return
	}
	if isStopper(made.Func) {
		made.Unlocked = !c.Shared && d.hasRunning(c)
		return
	}
	if !d.isRunning(made.Func) {
		return
	}
	for _, p := range made.Params {
		if p.Way == form.Within {
			return // its context ends it
		}
	}
	if made.Stopper = stopperOf(c); made.Stopper == nil && !c.Shared {
		d.notes = append(d.notes, "other calls on the object wait until it returns; where the type guards itself, //wrap:shared "+c.Named.Obj().Name()+" lets them in")
	}
}

// isRunning says whether a method goes on until something from outside ends it.
func (d *Decider) isRunning(f *types.Func) bool {
	if !runs.MatchString(f.Name()) || f.Pkg() == nil || f.Signature().Recv() == nil {
		return false
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && d.bodies.Waits(f.Pkg().Path(), n.Obj().Name(), f.Name())
}

// hasRunning says whether a class has such a method.
func (d *Decider) hasRunning(c *form.Class) bool {
	for m := range methodsOf(c).Methods() {
		if f, ok := m.Obj().(*types.Func); ok && f.Exported() && d.isRunning(f) {
			return true
		}
	}
	return false
}

// isStopper says whether a method has the name and the parameters of one that stops another: none, or a context.
func isStopper(f *types.Func) bool {
	sig := f.Signature()
	if sig.Params().Len() > 1 || sig.Params().Len() == 1 && !isContext(sig.Params().At(0).Type()) || sig.Variadic() {
		return false
	}
	return slices.Contains(stoppers, f.Name())
}

// stopperOf returns the quickest method of a class that stops others, nil for none.
func stopperOf(c *form.Class) *types.Func {
	for _, name := range stoppers {
		if m := methodsOf(c).Lookup(c.Named.Obj().Pkg(), name); m != nil {
			if f, ok := m.Obj().(*types.Func); ok && isStopper(f) {
				return f
			}
		}
	}
	return nil
}
