package selfsame

import (
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// registerFunction does the work of RegisterFunc of the public package.
func registerFunction(name string, fn any, o *funcOptions) error {
	if name == "" {
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected a name, got an empty string")
	}
	if err := checkUTF8(name); err != nil { // one such name would make the list of all functions fail
		return newError("ValueError", "selfsame: RegisterFunc: argument 'name': expected UTF-8, got %q", name)
	}
	c, err := closureOf(name, fn, o)
	if err != nil {
		return err
	}
	if c.named, err = parseArguments(c.sig, c.sig.params, o.argNames); err != nil {
		return err
	}
	if err := runtimeBound(); err != nil {
		return err
	}
	finishRegistrations()
	o.doc = c.documented(o.doc, name)
	metadata := c.metadata(o.doc)
	register := registerOnce
	if o.override && restarted() {
		register = registerNew // not a registration from before the fork that runs again: replace what there is
	}
	return register(bridge.LoggedFunction, -1, name, c, func(function unsafe.Pointer) error {
		if !o.override && adoptsFunction(name, metadata) {
			return nil
		}
		err := takeError(bridge.SetGlobal(name, o.doc, metadata, function, o.override))
		if err != nil && !o.override && adoptsFunction(name, metadata) {
			return nil // another library was faster
		}
		return err
	})
}

// makeFunction makes an owned Function of a Go func, as NewFunc of the public package says.
func makeFunction(fn any, o *funcOptions) (unsafe.Pointer, error) {
	c, err := closureOf("", fn, o)
	if err != nil {
		return nil, err
	}
	return c.function()
}

// closureOf makes the closure of a func with options.
func closureOf(name string, fn any, o *funcOptions) (*closure, error) {
	c, err := newClosure(name, fn, signatureOptions{plain: o.plain, names: o.argNames})
	if err != nil {
		return nil, err
	}
	c.isolated, c.keepsGIL = o.isolated, o.keepGIL
	return c, nil
}

type funcOptions struct {
	doc      string
	argNames []string
	override bool
	isolated bool
	plain    bool
	keepGIL  bool
}
