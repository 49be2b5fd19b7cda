package registry

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Function does the work of RegisterFunc of the public package.
func Function(name string, fn any, o *FuncOptions) error {
	if name == "" {
		return fault.New("ValueError", "selfsame: RegisterFunc: argument 'name': expected a name, got an empty string")
	}
	if err := values.CheckUTF8(name); err != nil { // one such name would make the list of all functions fail
		return fault.New("ValueError", "selfsame: RegisterFunc: argument 'name': expected UTF-8, got %q", name)
	}
	c, err := closureOf(name, fn, o)
	if err == nil {
		c.Named, err = call.ParseArguments(c.Sig, c.Sig.Params, o.ArgNames)
	}
	if err != nil && o.Lenient {
		refuse(name, err)
		return nil
	}
	if err != nil {
		return err
	}
	if err := link.Bound(); err != nil {
		return err
	}
	FinishRegistrations()
	o.Doc = c.Documented(o.Doc, name)
	metadata := string(appendProperty(c.AppendMetadata(nil, o.Doc, c.Symbol), o.Variable))
	register := call.RegisterOnce
	if o.Override && restarted() {
		register = call.RegisterNew // not a registration from before the fork that runs again: replace what there is
	}
	return register(bridge.LoggedFunction, -1, name, c, func(function unsafe.Pointer) error {
		if !o.Override && adoptsFunction(name, metadata) {
			return nil
		}
		err := fault.Take(bridge.SetGlobal(name, o.Doc, metadata, function, o.Override))
		if err != nil && !o.Override && adoptsFunction(name, metadata) {
			return nil // another library was faster
		}
		return err
	})
}

// NewFunction makes an owned Function of a Go func, as NewFunc of the public package says.
func NewFunction(fn any, o *FuncOptions) (unsafe.Pointer, error) {
	c, err := closureOf("", fn, o)
	if err != nil {
		return nil, err
	}
	return c.Function()
}

// closureOf makes the closure of a func with options.
func closureOf(name string, fn any, o *FuncOptions) (*call.Closure, error) {
	c, err := call.NewClosure(name, fn, call.SignatureOptions{Plain: o.Plain, Lazy: o.Lazy, Names: o.ArgNames})
	if err != nil {
		return nil, err
	}
	c.Isolated, c.KeepsGIL = o.Isolated, o.KeepGIL
	return c, nil
}

type FuncOptions struct {
	Doc      string
	ArgNames []string
	Override bool
	Isolated bool
	Plain    bool
	Lazy     bool
	KeepGIL  bool
	Lenient  bool   // a func that cannot be used is left out and noted
	Variable string // the variable of a module that it gets, or sets; "" for none
}
