package selfsame

import (
	"encoding/json"
	"reflect"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
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
		return takeError(bridge.SetGlobal(name, o.doc, metadata, function, o.override))
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

// adoptsFunction reports whether another library has registered the global function from the same Go package, with the same
// signature.
func adoptsFunction(name, metadata string) bool {
	if !isRegistered(bridge.LoggedFunction, -1, name) {
		return false
	}
	for l := bridge.LastLogged(); l != nil; l = l.Before() {
		if l.Kind() == bridge.LoggedFunction && l.IsDone() && l.Name() == name {
			return false // this library has registered it
		}
	}
	get, err := globalFunction("ffi.GetGlobalFuncMetadata")
	if err != nil {
		return false
	}
	argument, err := newText(name)
	if err != nil {
		return false
	}
	defer releaseValue(argument)
	text, err := callValues(get, []abi.Any{argument})
	if err != nil {
		return false
	}
	defer releaseValue(text)
	registered, ok := text.Text()
	return ok && sameSignature(registered, metadata)
}

// sameSignature compares the metadata of two functions: everything but the doc, and of the Go func its package alone, as func
// literals are named by file and line. It is false for functions that are not in Go.
func sameSignature(a, b string) bool {
	parsed := [2]map[string]any{}
	for i, text := range []string{a, b} {
		if json.Unmarshal([]byte(text), &parsed[i]) != nil {
			return false
		}
		symbol, ok := parsed[i]["go_func"].(string)
		if !ok {
			return false
		}
		parsed[i]["go_func"] = packageOfSymbol(symbol)
		delete(parsed[i], "doc")
	}
	return reflect.DeepEqual(parsed[0], parsed[1])
}

type funcOptions struct {
	doc      string
	argNames []string
	override bool
	isolated bool
	plain    bool
	keepGIL  bool
}
