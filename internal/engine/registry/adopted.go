package registry

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/call"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
)

// Two libraries of a process may contain the same Go package, because the packages in them depend on it. The library that
// comes first registers the package's classes and functions. The other one adopts them: it checks that they are those of its
// own package, and registers nothing. Each library makes and releases its own objects, whose memory has the same format.
//
// No library waits for what another one has still to register. A library takes the type key and says, by GoTypeAttr, what it
// will register for it, in one step under the lock of registrations; the other one compares that with what it has itself.
//
// Why a library adopts the classes that another has registered. Two wheels may contain the same Go package, because
// both depend on it, and registering its classes twice is an error. So the first library registers, and the second one
// takes the type index and registers nothing. The type attribute
// __selfsame_go_type__ says which Go type a class is, with a hash of the struct's fields, and which methods and type
// attributes it has, with a hash of how each is called; functions are compared by their metadata. A method more in one
// version is refused, as the class in Python has the first library's methods only. Each library makes objects with its
// own deleter, which knows its own Go; Go values and package variables are not shared. Two classes under two keys would
// end identity; Go does not support one runtime for several libraries.
//
// Two threads may import the two libraries at the same time. A library takes the type key and sets the attribute in one
// step, under a lock that the tie table has for the whole process. So a key without the attribute belongs to a class of
// another language, and the attribute says all that the comparison needs, though the methods may still be on their way.
// No library waits for another one's registrations: the package that registers may itself be waiting, in an init
// function, for the one that adopts. The members of an enum are needed at once, so the library that comes first makes
// each, under the same lock. Python imports register one at a time, as a class of Python is made of the methods that
// are there.

// GoTypeAttr is the type attribute by which a class says its Go type and its parts; see class.described.
const GoTypeAttr = "__selfsame_go_type__"

// described returns the value of GoTypeAttr. Its first line is the Go type: its import path and name, its size and a hash of
// its struct. A line follows for each method and type attribute of the class: its name and a hash of how it is called.
func (c Registration) described(funcs []*methodClosure, hooks []*preparedHook, o *ClassOptions) string {
	lines := []string{GoTypeText(c.GoType)}
	var metadata []byte
	for _, f := range funcs {
		// The place of a func's source, which changes with each line that is added above it, is no part of how it is called.
		metadata = f.appendMetadata(metadata[:0], PackageOfSymbol(f.closure.Symbol))
		lines = append(lines, f.Name+" "+hashOf(metadata))
	}
	for _, h := range hooks {
		lines = append(lines, h.name+" attribute")
	}
	if o.AutoInit {
		lines = append(lines, typetable.InitName+" of the fields")
	}
	return strings.Join(lines, "\n")
}

func GoTypeText(t reflect.Type) string {
	fields := ""
	for i := range t.NumField() {
		f := t.Field(i)
		fields += fmt.Sprintf("%s %s %d %q\n", f.Name, f.Type, f.Offset, f.Tag.Get("ffi"))
	}
	return fmt.Sprintf("%s.%s %d %s", t.PkgPath(), t.Name(), t.Size(), hashOf([]byte(fields)))
}

func hashOf(text []byte) string {
	h := fnv.New64a()
	h.Write(text)
	return fmt.Sprintf("%016x", h.Sum64())
}

func (c Registration) goTypeName() string { return c.GoType.PkgPath() + "." + c.GoType.Name() }

// claim marks the class as registered by this library, or adopts it when another library was faster, before the fork.
func (c Registration) claim(key string, index int32, described string) error {
	value, err := values.NewText(described)
	if err != nil {
		return err
	}
	defer values.Release(value)
	err = call.RegisterOnce(bridge.LoggedAttr, index, GoTypeAttr, nil, func(unsafe.Pointer) error {
		return fault.Take(bridge.RegisterAttr(index, GoTypeAttr, value))
	})
	if err != nil && call.IsRegistered(bridge.LoggedAttr, index, GoTypeAttr) {
		return c.adopt(key, index, described)
	}
	return err
}

// adopt makes the class one that another library has registered under the key. It fails when that is another class.
func (c Registration) adopt(key string, index int32, described string) error {
	known, ok := typetable.ByIndex.Load(index)
	if ok && known.(*typetable.Class).Native.Index() == index || !call.IsRegistered(bridge.LoggedAttr, index, GoTypeAttr) {
		return fault.New("RuntimeError", "selfsame: class `%s` is already registered", key)
	}
	other := bridge.TypeAttr(index, GoTypeAttr)
	text, _ := other.Text()
	theirs, mine := strings.Split(text, "\n"), strings.Split(described, "\n")
	if name, _, _ := strings.Cut(theirs[0], " "); name != c.goTypeName() {
		return fault.New("RuntimeError", "selfsame: class `%s` is already registered by another library, for its %s", key, name)
	}
	if theirs[0] != mine[0] || bridge.TypeInfo(index).Parent().TypeIndex != c.Parent.Native.Index() {
		return c.OtherVersion("has other fields")
	}
	for _, part := range mine[1:] {
		if slices.Contains(theirs, part) {
			continue
		}
		name, _, _ := strings.Cut(part, " ")
		if slices.ContainsFunc(theirs[1:], func(line string) bool { return strings.HasPrefix(line, name+" ") }) {
			return c.OtherVersion("has another signature of `" + name + "`")
		}
		return c.OtherVersion("has no `" + name + "`")
	}
	c.Adopted = true
	return nil
}

// registerPart does call.RegisterOnce's work for a part of a class. The parts of an adopted class are the other
// library's.
func (c Registration) registerPart(kind bridge.LoggedKind, index int32, name string, cl *call.Closure, register func(function unsafe.Pointer) error) error {
	if c.Adopted {
		return nil
	}
	return call.RegisterOnce(kind, index, name, cl, register)
}

// OtherVersion returns the error for an adopted class that differs from this one.
func (c Registration) OtherVersion(what string) error {
	return fault.New("RuntimeError", "selfsame: class `%s` is already registered by another library, with another version of %s, "+
		"which %s; build both libraries with one version of that package", c.Key, c.goTypeName(), what)
}

// adoptsFunction reports whether another library has registered the global function from the same Go package, with the same
// signature.
func adoptsFunction(name, metadata string) bool {
	if !call.IsRegistered(bridge.LoggedFunction, -1, name) || call.IsLogged(bridge.LoggedFunction, -1, name) {
		return false
	}
	get, err := values.GlobalFunction("ffi.GetGlobalFuncMetadata")
	if err != nil {
		return false
	}
	argument, err := values.NewText(name)
	if err != nil {
		return false
	}
	defer values.Release(argument)
	text, err := values.CallValues(get, []abi.Any{argument})
	if err != nil {
		return false
	}
	defer values.Release(text)
	registered, ok := text.Text()
	return ok && sameSignature(registered, metadata)
}

// sameSignature compares the metadata of two functions by calledAs. It is false for functions that are not in Go.
func sameSignature(a, b string) bool {
	called := calledAs(a)
	return called != "" && called == calledAs(b)
}

// calledAs returns what the metadata of a Go func says but the doc, and of the func its package alone, as func literals are
// named by file and line. It is "" for other functions.
func calledAs(metadata string) string {
	parsed := map[string]any{}
	if json.Unmarshal([]byte(metadata), &parsed) != nil {
		return ""
	}
	symbol, ok := parsed["go_func"].(string)
	if !ok {
		return ""
	}
	parsed["go_func"] = PackageOfSymbol(symbol)
	delete(parsed, "doc")
	text, _ := json.Marshal(parsed) // with sorted keys
	return string(text)
}

// PackageOfSymbol returns the import path in what fault.SymbolOf returns, without what follows a dot in its last part.
func PackageOfSymbol(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	if _, line, ok := strings.Cut(symbol[slash:], ".go:"); ok && slash > 0 && isNumber(line) { // of a literal
		return symbol[:slash-1]
	}
	return symbol[:slash] + name
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
