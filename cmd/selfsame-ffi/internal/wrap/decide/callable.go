package decide

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// call decides how a func is called. of is nil for a value of a func type; object is the class whose method it is, nil for a func. The
// context of the call comes first, wherever Go has one.
func (d *Decider) call(of *types.Func, with instance, object *form.Class) (*form.Call, *reason.Reason) {
	sig := with.sig
	made := &form.Call{Func: of, Signature: sig, TypeArgs: with.args, Class: object}
	name := made.Name()
	made.Python = pythonName(name)
	d.notes = nil
	if scans(name, sig) {
		d.place(anything) // what the pointers can be
	}
	var err *reason.Reason
	if made.Through, err = d.through(sig); err != nil {
		return nil, err
	}
	var context *form.Param
	var named []*form.Param // that callers pass
	var goNames []string
	fixed := 0
	for i := range sig.Params().Len() {
		v, t := sig.Params().At(i), paramType(sig, i)
		p := &form.Param{Index: i, Value: form.Value{Type: t}, Rest: sig.Variadic() && i == sig.Params().Len()-1}
		if context == nil && isContext(v.Type()) {
			context, p.Way, p.Locks = p, form.Within, true
			made.Params = append(made.Params, p)
			continue
		}
		hidden := d.hide(made.Through, p)
		switch {
		case hidden:
		case p.Rest:
			if err := d.crosses(t); err != nil { // without it, the func can be called all the same
				d.without(form.Shown(v, i), err)
				continue
			}
		case !made.Stores() && storesResult(name) && isLastOfAny(sig, i):
			p.Way, p.MayBeLeft = form.Stored, true
		default:
			if err := d.argument(p, v, name); err != nil {
				return nil, err.In("parameter %s: ", form.Shown(v, i))
			}
			d.written(made, p, v)
			p.Needed, p.Nil = d.needs(of, p), d.asksNil(of, p, v)
			p.MayBeLeft = refusesError(name, sig, i)
		}
		made.Params, named, goNames = append(made.Params, p), append(named, p), append(goNames, v.Name())
		if !p.Rest {
			fixed++
		}
	}
	names := pyname.Parameters(goNames)
	for i, name := range names {
		if name == "" || name == "_" {
			names[i] = fmt.Sprintf("arg%d", i)
		}
		named[i].Python = names[i]
	}
	if made.Through == nil {
		made.Options = d.options(sig, named, fixed)
	}
	if context != nil {
		if err := d.contextParam(sig.Params().At(context.Index), context, made, names); err != nil {
			return nil, err
		}
	}
	made.Malformed = parses(name, sig)
	if made.Results = d.results(of, sig.Results(), made.Stores()); givesError(of) {
		made.Results = form.Results{Values: []form.Value{{Type: sig.Results().At(0).Type(), Way: form.Optional}}}
	}
	d.noteResults(made.Results)
	if !made.Stores() && d.returnsPlace(sig, name) {
		t := sig.Results().At(0).Type()
		made.Results = form.Results{Values: []form.Value{{Type: t, Way: form.InPlace, Place: d.placeOf(t)}}}
	}
	d.showResult(made)
	return made, nil
}

// hide makes a parameter one of a type that cannot be written, if the func needs another between for it.
func (d *Decider) hide(through *form.Through, p *form.Param) bool {
	if through == nil || through.Params[p.Index] == nil {
		return false
	}
	p.Type, p.Way = through.Params[p.Index], form.Hidden
	return true
}

// without notes that a func or method has no variadic parameter in Python.
func (d *Decider) without(parameter string, err *reason.Reason) {
	id := d.owner + "(...)"
	if slices.ContainsFunc(d.plan.Functions, func(i *form.Item) bool { return i.ID == id }) {
		return
	}
	d.plan.Functions = append(d.plan.Functions, &form.Item{ID: id, Reason: err.In("it is called without the variadic parameter %s: ", parameter)})
}

// locks says whether values of a type may be objects whose calls are serialised.
func (d *Decider) locks(t types.Type) bool {
	switch x := types.Unalias(t).(type) {
	case *types.Pointer:
		n, ok := types.Unalias(x.Elem()).(*types.Named)
		return ok && d.isObject(n) && !d.classes[types.TypeString(n, nil)].Shared
	case *types.Named:
		c := d.classes[types.TypeString(x, nil)]
		return c != nil && c.Kind == form.Interface
	}
	return false
}

// results decides the results of a func, which is nil for a value of a func type, and of one that stores another result.
func (d *Decider) results(f *types.Func, of *types.Tuple, stores bool) form.Results {
	var made form.Results
	values := slices.Collect(of.Variables())
	if n := len(values); n > 0 {
		made.Typed = d.failsTyped(f, of)
		if made.Fails = made.Typed || isError(values[n-1].Type()); made.Fails {
			values = values[:n-1]
		}
	}
	if !stores && len(values) == 2 && isFound(values[1]) && d.crosses(values[0].Type()) == nil {
		t := values[0].Type()
		made.Found, made.Values = true, []form.Value{{Type: t}}
		if !isNilable(t) || !d.noneIsNil(t) {
			made.Values[0].Way = form.Optional
		}
		return made
	}
	for _, v := range values {
		made.Values = append(made.Values, d.result(v))
	}
	return made
}

// failsTyped says whether the last result of a func, of which there is one, is its failure, of a type of errors of its own.
func (d *Decider) failsTyped(f *types.Func, results *types.Tuple) bool {
	last := results.At(results.Len() - 1).Type()
	return !isError(last) && isFailure(last) && (results.Len() > 1 || d.mayFail(f)) || results.Len() > 1 && isErrorList(last)
}

// mayFail says whether the only result of a func, which is of a type of errors, is its failure. Some return gives nil then, the func is no
// method of an error, and neither its name nor a parameter speaks of one.
func (d *Decider) mayFail(f *types.Func) bool {
	if f == nil || namesError.MatchString(f.Name()) {
		return false
	}
	sig := f.Signature()
	for v := range sig.Params().Variables() {
		if isFailure(v.Type()) {
			return false
		}
	}
	recv := sig.Recv()
	if recv != nil && types.Implements(recv.Type(), errorInterface) {
		return false
	}
	r := d.returns(f)
	return r.Nil && !r.Kept || recv != nil && types.IsInterface(recv.Type())
}

// namesError finds the names of funcs whose result is an error that somebody asks for.
var namesError = regexp.MustCompile(`(?i)err|cause|unwrap|fail`)

// givesError says whether the only result of a func is an error that is a value, and not its failure: the one inside another error, one
// that the func makes of others, and one that it makes.
func givesError(f *types.Func) bool {
	if f == nil || f.Signature().Results().Len() != 1 || !isError(f.Signature().Results().At(0).Type()) {
		return false
	}
	sig, name := f.Signature(), f.Name()
	if sig.Recv() != nil {
		return sig.Params().Len() == 0 && (name == "Unwrap" || name == "Cause") && types.Implements(sig.Recv().Type(), errorInterface)
	}
	for v := range sig.Params().Variables() {
		if s, isSlice := v.Type().(*types.Slice); isError(v.Type()) || isSlice && isError(s.Elem()) {
			return true
		}
	}
	return name == "New" || name == "Error" || name == "Errorf" || strings.HasPrefix(name, "New") && strings.HasSuffix(name, "Error")
}

// result decides one result.
func (d *Decider) result(v *types.Var) form.Value {
	t := v.Type()
	if sig, ok := types.Unalias(t).(*types.Signature); ok && d.isStepper(sig) {
		if n := d.declared(sig, placeName(sig.Results().At(0).Type())+"Iterator"); n != nil {
			return form.Value{Type: n, Way: form.Renamed}
		}
	}
	if d.crosses(t) == nil {
		return form.Value{Type: t}
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok && d.refers(p) {
		return form.Value{Type: t, Way: form.InPlace, Place: d.place(p.Elem())}
	}
	if channel := d.received(t); channel != nil {
		return form.Value{Type: channel, Way: form.Renamed}
	}
	if as, err := d.value(t, v.Name()); err == nil {
		return as
	}
	if n := d.methodsOf(t); n != nil {
		return form.Value{Type: n, Way: form.Renamed}
	}
	if _, isFunc := t.Underlying().(*types.Signature); isFunc && d.writable(t) != nil {
		return form.Value{Type: t, Way: form.Uncalled} // a func that Python could call would not come back
	}
	return form.Value{Type: t, Way: form.Anything}
}

// isStepper says whether the calls of a func that is a result give one value after another: with whether there is one, or with an error
// where the name of what returns the func says it.
func (d *Decider) isStepper(sig *types.Signature) bool {
	results := sig.Results()
	return sig.Params().Len() == 0 && results.Len() == 2 && d.isElement(results.At(0).Type()) &&
		(isFound(results.At(1)) || isError(results.At(1).Type()) && isStep.MatchString(d.owner))
}

// received returns a channel from which Python receives, nil for other types.
func (d *Decider) received(t types.Type) types.Type {
	if c, ok := t.Underlying().(*types.Chan); ok && c.Dir() != types.SendOnly && d.crosses(c.Elem()) == nil {
		return types.NewChan(types.RecvOnly, c.Elem())
	}
	return nil
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

// adapter decides how Python classes implement an interface.
func (d *Decider) adapter(c *form.Class) {
	iface, ok := c.Named.Underlying().(*types.Interface)
	if !ok {
		return
	}
	made := &form.Implementation{Of: c}
	c.Adapter = &form.Item{ID: c.Named.Obj().Name() + " (implemented in Python)", Python: c.Go, Form: made}
	for m := range iface.Methods() {
		method, err := d.implemented(m, c)
		if err != nil {
			c.Adapter.Reason = err.In("method %s: ", m.Name())
			return
		}
		made.Methods = append(made.Methods, method)
	}
}

// implemented decides a method that calls that of a Python object.
func (d *Decider) implemented(m *types.Func, c *form.Class) (form.Implemented, *reason.Reason) {
	sig := m.Signature()
	made := form.Implemented{Func: m, Python: d.renamed(c.Named.Obj().Name()+"."+m.Name(), pythonName(m.Name()))}
	switch {
	case !m.Exported():
		return made, reason.New(reason.OnlyItsPackage, "")
	case reads(m.Name(), sig):
		made.Special = form.Reads
		if m.Name() == "ReadAt" {
			made.Special = form.ReadsAt
		}
		return made, nil
	case m.Name() == "Open" && isPath(c.Named, "io/fs", "FS"):
		made.Special = form.Opens
		return made, nil
	}
	d.owner = capital(c.Go) + m.Name()
	for i := range sig.Params().Len() {
		given, err := d.given(sig.Params().At(i), i)
		if err != nil {
			return made, err.In("parameter %s: ", form.Shown(sig.Params().At(i), i))
		}
		made.Params = append(made.Params, given)
	}
	results := sig.Results().Len()
	for i := range results {
		v := sig.Results().At(i)
		if i == results-1 && d.failsTyped(m, sig.Results()) {
			made.Results = append(made.Results, form.Value{Type: errorType, Way: form.Typed})
			continue
		}
		as, err := d.value(v.Type(), v.Name())
		if err != nil {
			return made, err.In("result: ")
		}
		made.Results = append(made.Results, as)
	}
	return made, nil
}

// given decides what the method of a Python object gets for a parameter. A context that comes first is that of the call.
func (d *Decider) given(p *types.Var, i int) (form.Value, *reason.Reason) {
	t := p.Type()
	if i == 0 && isContext(t) {
		return form.Value{Type: t}, nil
	}
	switch x := types.Unalias(t).(type) {
	case *types.Chan:
		if x.Dir() != types.RecvOnly && d.crosses(x.Elem()) == nil {
			return form.Value{Type: x, Way: form.SentToHere}, nil
		}
	case *types.Pointer:
		if d.refers(x) {
			return form.Value{Type: t, Way: form.InPlace, Place: d.place(x.Elem())}, nil
		}
	}
	return d.value(t, p.Name())
}
