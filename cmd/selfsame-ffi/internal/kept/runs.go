package kept

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// keeper finds out which funcs keep no handle after a call. It looks at everything that a func runs, as far as its source is
// known. One instruction that puts a carrier where it may outlive the call is enough to say that the func may keep one.
// What the func returns, and what its result's code holds, is not counted: the frontend sees what becomes of a result.
type keeper struct {
	carriers
	bodies    bodies
	dependent map[string]bool // packages that import the frontend
	sites     map[*ssa.Function][]*ssa.MakeClosure
}

// letters returns the letters of a func: whether it comes by handles and keeps none, and whether it is short.
func (k *keeper) letters(fn *ssa.Function) string {
	letters := ""
	handled, keepsNone := k.keepsNone(fn)
	if handled && keepsNone {
		letters += keepsNothing
	}
	if k.isShort(fn, keepsNone) {
		letters += short
	}
	return letters
}

// mostFuncs is the greatest number of funcs that are looked at for one.
const mostFuncs = 200

// keepsNone looks at everything that a func runs. handled says whether there are carriers at all.
func (k *keeper) keepsNone(fn *ssa.Function) (handled, ok bool) {
	runs := []*ssa.Function{fn}
	seen := map[*ssa.Function]bool{fn: true}
	k.sites = map[*ssa.Function][]*ssa.MakeClosure{}
	var instructions []ssa.Instruction
	for i := 0; i < len(runs); i++ {
		if len(runs) > mostFuncs {
			return true, false
		}
		for _, p := range runs[i].Params {
			handled = handled || k.carries(p.Type())
		}
		for _, block := range runs[i].Blocks {
			for _, in := range block.Instrs {
				instructions = append(instructions, in)
				if closure, ok := in.(*ssa.MakeClosure); ok {
					made := closure.Fn.(*ssa.Function)
					k.sites[made] = append(k.sites[made], closure)
				}
				for _, operand := range in.Operands(nil) {
					if f, ok := (*operand).(*ssa.Function); ok && len(f.Blocks) > 0 && !seen[f] {
						seen[f] = true
						runs = append(runs, f)
					}
				}
			}
		}
	}
	for _, in := range instructions {
		if v, ok := in.(ssa.Value); ok {
			handled = handled || k.carries(v.Type())
		}
		if k.mayKeep(in, fn) {
			return handled, false
		}
	}
	return handled, true
}

// mayKeep says whether an instruction may put a carrier where it outlives a call of root.
func (k *keeper) mayKeep(in ssa.Instruction, root *ssa.Function) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return k.leads(in.Val) && !k.isLocal(in.Addr, root, nil) || k.hidesFunc(in)
	case *ssa.MapUpdate:
		return (k.leads(in.Key) || k.leads(in.Value)) && !k.isLocal(in.Map, root, nil)
	case *ssa.Send:
		return k.leads(in.X) && !k.isLocal(in.Chan, root, nil)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Dir == types.SendOnly && k.leads(s.Send) && !k.isLocal(s.Chan, root, nil) {
				return true
			}
		}
	case *ssa.Go:
		return k.leads(in.Call.Value) || k.anyLeads(in.Call.Args)
	case *ssa.Panic:
		return k.leads(in.X)
	case *ssa.Return: // the code of a result may run later, so it must be known
		for _, r := range in.Results {
			if _, ok := r.Type().Underlying().(*types.Signature); ok && !k.isGiven(r, nil) {
				return true
			}
		}
	case ssa.CallInstruction:
		return k.callMayKeep(in.Common(), root)
	}
	return false
}

// hidesFunc says whether a func of which nothing is known becomes that of a variable, which isGiven takes for one that is known.
func (k *keeper) hidesFunc(in *ssa.Store) bool {
	if _, ok := in.Val.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	switch in.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return !k.isGiven(in.Val, nil)
	}
	return false
}

func (k *keeper) anyLeads(values []ssa.Value) bool {
	for _, v := range values {
		if k.leads(v) {
			return true
		}
	}
	return false
}

// isLocal says whether an address, a map or a channel is memory that ends with the call. seen has the values that are looked at.
func (k *keeper) isLocal(v ssa.Value, root *ssa.Function, seen map[ssa.Value]bool) bool {
	if seen == nil {
		seen = map[ssa.Value]bool{}
	}
	if seen[v] {
		return true
	}
	seen[v] = true
	local := func(v ssa.Value) bool { return k.isLocal(v, root, seen) }
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.Const:
		return true
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Slice, *ssa.ChangeType, *ssa.SliceToArrayPointer:
		return local(*v.(ssa.Instruction).Operands(nil)[0]) // the field X, which each of them has
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !local(e) {
				return false
			}
		}
		return true
	case *ssa.UnOp: // what a local variable has
		return v.Op == token.MUL && local(v.X)
	case *ssa.Parameter: // slices and maps are made for the call
		if v.Parent() != root {
			return false
		}
		switch v.Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			return true
		}
	case *ssa.FreeVar:
		return k.isLocalCapture(v, local)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return local(v.Call.Args[0])
		}
		if f := v.Call.StaticCallee(); f != nil && isListed(declaring(f)) {
			return true
		}
	}
	return false
}

// isLocalCapture does isLocal's work for what a closure captures.
func (k *keeper) isLocalCapture(v *ssa.FreeVar, local func(ssa.Value) bool) bool {
	fn := v.Parent()
	sites := k.sites[fn]
	for i, free := range fn.FreeVars {
		if free != v {
			continue
		}
		for _, site := range sites {
			if !local(site.Bindings[i]) {
				return false
			}
		}
	}
	return len(sites) > 0
}

// callMayKeep says whether what a call runs, as far as its source is not looked at, may keep a carrier.
func (k *keeper) callMayKeep(call *ssa.CallCommon, root *ssa.Function) bool {
	if call.IsInvoke() {
		return !isHarmlessMethod(call.Method)
	}
	switch f := call.Value.(type) {
	case *ssa.Builtin:
		switch f.Name() {
		case "append":
			return len(call.Args) == 2 && k.leads(call.Args[1]) && !k.isLocal(call.Args[0], root, nil)
		case "copy":
			return k.leads(call.Args[1]) && !k.isLocal(call.Args[0], root, nil)
		}
		return false
	}
	f := call.StaticCallee()
	if f == nil { // a callback, or a closure, whose body is looked at
		return !k.isGiven(call.Value, nil) && (k.anyLeads(call.Args) || k.carries(call.Signature().Results()))
	}
	if len(f.Blocks) > 0 {
		return false
	}
	p := declaring(f)
	switch {
	case p == nil:
		return true
	case isFrontend(p):
		name := generic(f).Name()
		return retains[name] || strings.Contains(name, "Register")
	case isListed(p):
		return false
	}
	return k.dependent[p.Path()] || k.anyLeads(call.Args)
}

// isGiven says whether a func value was given to the func, or is one whose body is looked at.
func (k *keeper) isGiven(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen == nil {
		seen = map[ssa.Value]bool{}
	}
	if seen[v] {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.MakeClosure, *ssa.Function, *ssa.Const:
		return true
	case *ssa.ChangeType:
		return k.isGiven(v.X, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !k.isGiven(e, seen) {
				return false
			}
		}
		return true
	case *ssa.UnOp: // a variable that a closure captures
		switch v.X.(type) {
		case *ssa.FreeVar, *ssa.Alloc:
			return true
		}
	case *ssa.Call: // such as the iterator that a method of a container returns
		f := v.Call.StaticCallee()
		return f != nil && (isFrontend(declaring(f)) || isListed(declaring(f)) || len(f.Blocks) > 0)
	}
	return false
}

// generic returns the func of which a func with type arguments was made, and f itself if it has none.
func generic(f *ssa.Function) *ssa.Function {
	if o := f.Origin(); o != nil {
		return o
	}
	return f
}

// declaring returns the package of a func, also of one that was made of a generic func.
func declaring(f *ssa.Function) *types.Package {
	f = generic(f)
	if object := f.Object(); object != nil {
		return object.Pkg()
	}
	if f.Pkg != nil {
		return f.Pkg.Pkg
	}
	return nil
}

// retains has the funcs of the frontend that keep a func.
var retains = map[string]bool{"AfterFork": true, "OnDrop": true}

// listed has the packages of the standard library whose funcs keep nothing of their arguments, but in results.
var listed = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "errors": true, "fmt": true, "iter": true, "log": true, "maps": true, "math": true,
	"math/big": true, "math/bits": true, "math/cmplx": true, "slices": true, "sort": true, "strconv": true, "strings": true,
	"time": true, "unicode": true, "unicode/utf8": true,
}

func isListed(p *types.Package) bool { return p != nil && listed[p.Path()] }

// isHarmlessMethod says whether a method of an interface keeps nothing: those of the frontend, and those that programs write to
// tell something.
func isHarmlessMethod(m *types.Func) bool {
	if isFrontend(m.Pkg()) {
		return true
	}
	switch m.Name() {
	case "Error", "String":
		return m.Signature().Params().Len() == 0
	case "Deadline", "Done", "Err":
		return m.Pkg() != nil && m.Pkg().Path() == "context"
	case "Read", "Write", "Close":
		return m.Pkg() != nil && m.Pkg().Path() == "io"
	}
	return false
}
