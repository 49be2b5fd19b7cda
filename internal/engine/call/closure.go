package call

import (
	"fmt"
	"os"
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/convert"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Closure is a Go func with what native code needs to call it. But for frame it never changes once made.
type Closure struct {
	Sig      *Signature
	Entry    uintptr    // of the func, as reflection has it
	Symbol   string     // what the func's source is found by; see fault.SymbolOf
	KeepsGIL bool       // as the option KeepGIL says
	Isolated bool       // each call runs on a goroutine of its own
	Named    *arguments // nil: callers pass every argument, in order
	Leading  int        // parameters before those of named: a method's object
	Spare    int        // further arguments that callers may pass and the func does not take
	packed   bool       // invoke takes any number of arguments
	Invoke   Invoker
	// inContext does Invoke's work with a context that the caller has made; nil: the func takes none.
	inContext func(ctx *callContext, args []abi.Any, result *abi.Any) error
	typedLoop loopMaker // nil: none
	frame     atomic.Pointer[string]
}

// boundary returns the func's stack frame, for errors that have no stack.
func (c *Closure) boundary() string {
	if known := c.frame.Load(); known != nil {
		return *known
	}
	made := fault.FrameAt(c.Entry)
	c.frame.Store(&made)
	return made
}

// The bridge calls invokeClosure for each call of a Go func from C, and CollectHere for other languages that collect.
func init() {
	bridge.SetCallbacks(bridge.Callbacks{Invoke: invokeClosure, Collect: handles.CollectHere, Dropped: handles.Dropped, Stop: handles.Stop})
}

// Host is told of each call into Go, in a program that limits how many of its goroutines are in another language at once.
type Host interface {
	EnterGo()
	LeaveGo()
}

var host Host

// SetHost sets what is told of calls into Go. It is called once, from an init function.
func SetHost(h Host) { host = h }

// invokeClosure calls the closure with the id, which borrows its n arguments. It returns 0 and an owned *result, or -1 and
// the raised error. It runs on the thread of the native caller, to which its goroutine is locked. A panic of the func
// becomes an error; runtime.Goexit ends the program.
func invokeClosure(id uint64, args *abi.Any, n int, result *abi.Any) int {
	c, ok := handles.Kept(id).(*Closure)
	if !ok {
		return raise(notInThisGo(id), "")
	}
	handles.WakeIdle()
	if host != nil {
		host.EnterGo()
		defer host.LeaveGo()
	}
	lends := c.Sig.keepsNoHandle
	if lends || handles.AnyCall() {
		extent := handles.EnterCall(lends)
		defer extent.Leave() // after the error was raised, which may need the handle of an Error
	}
	err := c.run(unsafe.Slice(args, n), result)
	handles.Left()
	if err == nil {
		return 0
	}
	failed := func() { raise(c.Sig.explained(err, unsafe.Slice(args, n)), c.boundary()) }
	if c.Sig.short && !fault.IsPlain(err) { // methods of the error may wait for a thread that needs the lock of the interpreter
		convert.WithoutGIL(failed)
	} else {
		failed()
	}
	return -1
}

// notInThisGo makes the error of a Function whose Go func this Go does not have.
func notInThisGo(id uint64) error {
	if !handles.Inherited(id) {
		return fault.New("InternalError", "selfsame: Function: called after its Go func was dropped")
	}
	name := "Function"
	if registered := nameOfInherited(id); registered != "" {
		name = registered
	}
	return fault.New("RuntimeError", "selfsame: %s: its Go func was made at run time before the process forked, and does not "+
		"exist in the forked child; make it there, for example in a func given to selfsame.AfterFork", name)
}

// raise makes err the thread's raised error and returns -1, the result of a failed call. boundary is the stack frame for an
// error that has none.
func raise(err error, boundary string) int {
	object := fault.NewObject(err, boundary)
	bridge.SetRaised(object)
	handles.DecRef(object)
	return -1
}

// run calls the func with borrowed arguments and makes *result an owned value. Panics become errors.
func (c *Closure) run(args []abi.Any, result *abi.Any) (err error) {
	if c.Isolated {
		return c.runIsolated(args, result)
	}
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			err = fault.OfPanic(r)
			return
		}
		// Goexit cannot be stopped, and the native frames below would never return: on a thread of C's the caller
		// would hang forever. A call on a goroutine of its own (Isolated) survives it, at many times the price.
		fmt.Fprintf(os.Stderr, "selfsame: runtime.Goexit in `%s`, which native code called: "+
			"make the function selfsame.Isolated, or do not end its goroutine\n%s", c.Sig, fault.CallerStack(0))
		os.Exit(2)
	}()
	if len(args) == len(c.Sig.Params) && c.Sig.byName == 0 && !unusual(args) {
		err = c.Invoke(args, result)
	} else {
		err = c.call(args, result)
	}
	returned = true
	return err
}

// runIsolated calls the func on a new goroutine, so that runtime.Goexit in it is an error, and a lock to its thread ends with it.
func (c *Closure) runIsolated(args []abi.Any, result *abi.Any) error {
	done, join := apart(func(part func()) { go part() }, c.Sig.String(), func() error { return c.call(args, result) })
	defer join()
	return done.Receive(0)
}

// call does run's work in the general case: it arranges named arguments and defaults, checks the number of arguments
// and replaces rvalue references by their objects, which the func borrows like any argument.
func (c *Closure) call(args []abi.Any, result *abi.Any) error {
	if len(args) == 1 && args[0].TypeIndex == abi.IndexBatch {
		return c.runBatch((*abi.Batch)(args[0].Pointer()), result)
	}
	return c.callBy(c.Invoke, args, result)
}

// callBy does call's work with another way to invoke the func.
func (c *Closure) callBy(invoke Invoker, args []abi.Any, result *abi.Any) error {
	if c.Named != nil {
		arranged, err := c.Named.arrange(c.Sig, args, c.Leading)
		if err != nil {
			return err
		}
		args = arranged
	}
	if extra := len(args) - len(c.Sig.Params); extra > 0 && extra <= c.Spare && !c.Sig.variadic {
		args = args[:len(c.Sig.Params)]
	}
	if err := c.Sig.checkCount(len(args)); err != nil && !c.packed {
		return err
	}
	if anyMoved(args) {
		copied := append([]abi.Any{}, args...)
		if i, err := lookThrough(copied); err != nil {
			return c.Sig.argumentError(i, err)
		}
		return invoke(copied, result)
	}
	return invoke(args, result)
}

// anyMoved says whether there are rvalue references among the arguments.
func anyMoved(args []abi.Any) bool {
	for i := range args {
		if args[i].TypeIndex == abi.IndexObjectRValueRef {
			return true
		}
	}
	return false
}

// unusual says whether there may be rvalue references, a batch or the marker of keyword arguments among the arguments. Other
// objects have a class of their own.
func unusual(args []abi.Any) bool {
	for i := range args {
		if t := args[i].TypeIndex; t == abi.IndexObjectRValueRef || t == abi.IndexObject || t == abi.IndexBatch {
			return true
		}
	}
	return false
}

// lookThrough replaces rvalue references by their objects. It returns i and an error when the object of argument i was moved
// already.
func lookThrough(args []abi.Any) (i int, err error) {
	for i := range args {
		if args[i].TypeIndex != abi.IndexObjectRValueRef {
			continue
		}
		object := *(*unsafe.Pointer)(args[i].Pointer())
		if object == nil {
			return i, fault.New("ValueError", "The object was moved already")
		}
		args[i] = abi.ObjectValue(object)
	}
	return 0, nil
}

// NewClosure makes the closure of a func. name stands in messages.
func NewClosure(name string, fn any, o SignatureOptions) (*Closure, error) {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func {
		return nil, fault.New("TypeError", "selfsame: %s: expected a func, got %T", name, fn)
	}
	if v.IsNil() {
		return nil, fault.New("ValueError", "selfsame: %s: expected a func, got a nil func", name)
	}
	sig, err := SignatureOf(name, v.Type(), o)
	if err != nil {
		return nil, err
	}
	for i, c := range sig.Params {
		if c.Named != nil && c.GoType.Kind() == reflect.Func && seqElements(c.GoType) == nil {
			if err := checkBindable(c.GoType); err != nil {
				return nil, fault.New("TypeError", "selfsame: %s: %s: %s", describe(name, v.Type()), o.parameter(i, i), fault.Reason(err))
			}
		}
	}
	sig.Symbol = fault.SymbolOf(v)
	sig.ReadKept(v.Type(), o.Skip)
	c := &Closure{Sig: sig, Entry: v.Pointer(), Symbol: sig.Symbol, typedLoop: typedLoopOf(v)}
	adapter := AdapterOf(v.Type())
	switch {
	case sig.Reshapes():
		reshaped := NewReshapedFunc(v, sig, 0)
		c.Invoke = reshaped.callReshaped
		if sig.context >= 0 {
			c.inContext = reshaped.callInContext
		}
	case adapter != nil && sig.failsAs == nil:
		c.Invoke = adapter(v, sig)
	default:
		c.Invoke = NewGoFunc(v, sig, 0).callByFrame
	}
	return c, nil
}

// Function makes a native Function of the closure and returns an owned reference. The Function keeps the closure alive.
func (c *Closure) Function() (unsafe.Pointer, error) {
	object, _, err := c.numberedFunction()
	return object, err
}

// numberedFunction makes a Function as function does, and also returns the id by which the Function knows the closure.
func (c *Closure) numberedFunction() (object unsafe.Pointer, id uint64, err error) {
	if err := link.Bound(); err != nil {
		return nil, 0, err
	}
	if id = handles.Keep(c); id == 0 {
		return nil, 0, fault.New("RuntimeError", "selfsame: Function: too many Go funcs are in use")
	}
	object, failed := bridge.Function(id)
	if object == nil {
		handles.Drop(id)
		return nil, 0, fault.Take(failed)
	}
	handles.TraceNative(object)
	return object, id, nil
}
