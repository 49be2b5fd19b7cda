package kept

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A func is short when a call of it ends at once: it has no loop, runs nothing but its own package's short funcs and what is
// listed here, and waits for nothing. So a caller in Python need not give up the GIL. Its parameters and results are values whose
// conversion is short too.

// Why a build finds short funcs. A call gives up the GIL, because nobody knows how long a func takes. For one that sets
// two fields that is a third of the call. In a server with several threads it is more: each call wakes a thread that
// waits for the GIL, so requests take turns at every call, and the processor time of a request doubles (`make
// service`). selfsame.KeepGIL() is there, but few people will write it at each func. The rules here are narrow: a wrong
// answer could let a thread wait for something with the GIL held. A batch takes as long as it has items, so it gives
// the GIL up.
//
// A func with a context is called on the thread of its caller if it is short. Any other one runs on another thread, as its caller asks
// Python whether it must end: to hand it over and back takes longer than ten calls. A short one is over before anybody could ask.
//
// A method that wrap has written is short where the one that it calls is. It may have to wait for the lock of its object; then it gives
// the GIL up until it has that.

// mostInstructions is the greatest number of instructions of a short func, with those of the funcs that it calls.
const mostInstructions = 200

// isShort says whether a func is short. keepsNone says that it keeps no handle: then those of its arguments end with the call, and
// do not wait for the collector.
func (k *keeper) isShort(fn *ssa.Function, keepsNone bool) bool {
	for i, p := range fn.Params {
		if !isCallContext(fn, i) && !k.convertsShortly(p.Type(), keepsNone) {
			return false
		}
	}
	results := fn.Signature.Results()
	for i := range results.Len() {
		if t := results.At(i).Type(); !k.convertsShortly(t, false) && !isError(t) {
			return false
		}
	}
	budget := mostInstructions
	return k.runsShortly(fn, map[*ssa.Function]bool{}, &budget)
}

// isCallContext says whether parameter i of a func that is registered is the context of the call, which is the frontend's own: the first
// parameter, or the one behind the object of a method. Others are values of Python's.
func isCallContext(fn *ssa.Function, i int) bool {
	if i > 1 || !isContext(fn.Params[i].Type()) {
		return false
	}
	_, ofObject := types.Unalias(fn.Params[0].Type()).(*types.Pointer)
	return i == 0 || ofObject || fn.Signature.Recv() != nil
}

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context"
}

// asksCallContext says whether a call is one of a method of the call's context: all of them end at once. Within the funcs that a short
// func calls, each context is that one, as passesOnlyCallContext sees to.
func asksCallContext(call *ssa.CallCommon) bool {
	_, isParameter := call.Value.(*ssa.Parameter)
	return call.IsInvoke() && isParameter && isContext(call.Value.Type())
}

// passesOnlyCallContext says whether the contexts among the arguments of a call are parameters of the caller.
func passesOnlyCallContext(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if _, isParameter := a.(*ssa.Parameter); isContext(a.Type()) && !isParameter {
			return false
		}
	}
	return true
}

// convertsShortly says whether the conversion of values of a type takes no loop and runs no code of others.
func (k *keeper) convertsShortly(t types.Type, handles bool) bool {
	t = types.Unalias(t)
	switch u := t.(type) {
	case *types.Basic:
		return u.Info()&(types.IsBoolean|types.IsNumeric|types.IsString) != 0
	case *types.Pointer:
		if isClassStruct(u.Elem()) || k.bodies.classes[types.TypeString(t, nil)] {
			return true
		}
		named, ok := types.Unalias(u.Elem()).(*types.Named)
		return ok && handles && isFrontend(named.Obj().Pkg()) && named.Obj().Name() == "Handle"
	case *types.Named:
		if isFrontend(u.Obj().Pkg()) {
			return u.Obj().Name() == "Optional" && u.TypeArgs().Len() == 1 && k.convertsShortly(u.TypeArgs().At(0), handles)
		}
		_, basic := u.Underlying().(*types.Basic)
		return basic
	}
	return false
}

func isError(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == nil && named.Obj().Name() == "error"
}

// runsShortly looks at a func's instructions. under has the funcs that are being looked at: one that calls itself is a loop.
func (k *keeper) runsShortly(fn *ssa.Function, under map[*ssa.Function]bool, budget *int) bool {
	if under[fn] || hasLoop(fn) {
		return false
	}
	under[fn] = true
	defer delete(under, fn)
	for _, block := range fn.Blocks {
		for _, in := range block.Instrs {
			if *budget--; *budget < 0 || !k.isShortInstruction(in, under, budget) {
				return false
			}
		}
	}
	return true
}

// hasLoop says whether a block of a func comes before itself.
func hasLoop(fn *ssa.Function) bool {
	const looking, done = 1, 2
	state := make([]int, len(fn.Blocks))
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		state[b.Index] = looking
		for _, next := range b.Succs {
			if state[next.Index] == looking || state[next.Index] != done && visit(next) {
				return true
			}
		}
		state[b.Index] = done
		return false
	}
	return len(fn.Blocks) > 0 && visit(fn.Blocks[0])
}

func (k *keeper) isShortInstruction(in ssa.Instruction, under map[*ssa.Function]bool, budget *int) bool {
	switch in := in.(type) {
	case *ssa.Defer:
		return isGenCall(&in.Call)
	case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.Range, *ssa.Next, *ssa.MakeClosure, *ssa.MakeSlice, *ssa.MakeMap,
		*ssa.MapUpdate, *ssa.Lookup:
		return false
	case *ssa.Panic:
		return panicsPlainly(in)
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.Convert: // between texts and slices it copies, but no more than a text
		return true
	case *ssa.Call:
		return k.isShortCall(&in.Call, under, budget)
	}
	return true
}

func (k *keeper) isShortCall(call *ssa.CallCommon, under map[*ssa.Function]bool, budget *int) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "clear", "close", "print", "println":
			return false
		}
		return true
	}
	f := call.StaticCallee()
	switch {
	case f == nil:
		return asksCallContext(call)
	case !passesOnlyCallContext(call):
		return false
	case len(f.Blocks) > 0:
		return k.runsShortly(f, under, budget)
	case isGenCall(call):
		return true
	}
	if body := k.bodies.of(f); body != nil && len(body.Blocks) > 0 {
		return !givesError(f) && k.runsShortly(body, under, budget)
	}
	p := declaring(f)
	switch {
	case p == nil:
		return false
	case isFrontend(p):
		return shortFrontend[generic(f).Name()] && !k.carries(call.Signature().Results()) || f.Name() == "Errorf" && k.formatsBasics(call)
	case shortPackages[p.Path()], p.Path() == "errors" && f.Name() == "New": // the others call methods of errors
		return true
	case p.Path() == "fmt":
		return (f.Name() == "Sprintf" || f.Name() == "Errorf" || f.Name() == "Sprint") && k.formatsBasics(call)
	}
	return false
}

// givesError says whether a func of a library returns an error. The exception of that has what methods of the error say, which may wait.
func givesError(f *ssa.Function) bool {
	errors := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	results := f.Signature.Results()
	for i := range results.Len() {
		if types.Implements(results.At(i).Type(), errors) {
			return true
		}
	}
	return false
}

// panicsPlainly says whether the value of a panic has no methods that its exception would call.
func panicsPlainly(in *ssa.Panic) bool {
	made, ok := in.X.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	_, basic := types.Unalias(made.X.Type()).(*types.Basic)
	return basic
}

// isGenCall says whether a call is one by which generated methods lock an object and get its Go value. A wait for the lock gives the GIL up.
func isGenCall(call *ssa.CallCommon) bool {
	f := call.StaticCallee()
	return f != nil && isGen(declaring(f)) && shortGen[generic(f).Name()]
}

var shortGen = map[string]bool{"Lock": true, "LockAll": true, "Unlock": true, "Go": true, "Change": true}

// shortFrontend has the methods of fields, containers and handles, and funcs of the frontend, that are short if they make no handle.
var shortFrontend = map[string]bool{
	"Get": true, "Set": true, "Len": true, "At": true, "SetAt": true, "Append": true, "Delete": true, "Ptr": true, "Some": true,
}

// shortPackages has packages whose funcs are short.
var shortPackages = map[string]bool{
	"cmp": true, "math": true, "math/bits": true, "math/cmplx": true, "strconv": true, "unicode": true,
	"unicode/utf8": true,
}

// formatsBasics says whether the arguments of a call that formats text are numbers and texts without methods.
func (k *keeper) formatsBasics(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		switch v := a.(type) {
		case *ssa.Const:
			continue
		case *ssa.Slice:
			if array, ok := v.X.(*ssa.Alloc); ok && isFilledWithBasics(array) {
				continue
			}
		}
		if _, ok := a.Type().(*types.Basic); !ok {
			return false
		}
	}
	return true
}

func isFilledWithBasics(array *ssa.Alloc) bool {
	for _, use := range *array.Referrers() {
		at, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, inner := range *at.Referrers() {
			store, ok := inner.(*ssa.Store)
			if !ok {
				return false
			}
			made, ok := store.Val.(*ssa.MakeInterface)
			if !ok {
				return false
			}
			if _, ok := made.X.Type().(*types.Basic); !ok {
				return false
			}
		}
	}
	return true
}
