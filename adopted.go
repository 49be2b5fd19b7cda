package selfsame

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
)

// Two libraries of a process may contain the same Go package, because the packages in them depend on it. The library that
// comes first registers the package's classes and functions. The other one adopts them: it checks that they are those of its
// own package, and registers nothing. Each library makes and releases its own objects, whose memory has the same format.
//
// RATIONALE.md, "Why a library adopts the classes that another has registered"

// goTypeAttr is the type attribute that names the Go type of a class: its import path, its name and a hash of its struct. A
// library registers it first, which fails when another library was faster.
const goTypeAttr = "__selfsame_go_type__"

// How long a library waits for another one that registers the same class at the same time, on another thread: between the
// type key and goTypeAttr, and for the rest.
const (
	claimPatience = 10 * time.Millisecond
	partPatience  = time.Second
)

// goTypeText makes the value of goTypeAttr.
func goTypeText(t reflect.Type) string {
	h := fnv.New64a()
	for i := range t.NumField() {
		f := t.Field(i)
		fmt.Fprintf(h, "%s %s %d %q\n", f.Name, f.Type, f.Offset, f.Tag.Get("ffi"))
	}
	return fmt.Sprintf("%s.%s %d %016x", t.PkgPath(), t.Name(), t.Size(), h.Sum64())
}

func (c registration) goTypeName() string { return c.goType.PkgPath() + "." + c.goType.Name() }

// claim marks the class as registered by this library, or adopts it when another library was faster, or was before the fork.
func (c registration) claim(key string, index int32) error {
	value, err := newText(goTypeText(c.goType))
	if err != nil {
		return err
	}
	defer releaseValue(value)
	err = registerOnce(bridge.LoggedAttr, index, goTypeAttr, nil, func(unsafe.Pointer) error {
		return takeError(bridge.RegisterAttr(index, goTypeAttr, value))
	})
	if err != nil && isRegistered(bridge.LoggedAttr, index, goTypeAttr) {
		return c.adopt(key, index)
	}
	return err
}

// adopt makes the class one that another library has registered under the key. It fails when that is another class.
func (c registration) adopt(key string, index int32) error {
	if known, ok := byIndex.Load(index); ok && known.(*class).native.Index() == index {
		return newError("RuntimeError", "selfsame: class `%s` is already registered", key)
	}
	claimed := func() bool { return isRegistered(bridge.LoggedAttr, index, goTypeAttr) }
	if !waitFor(claimed, claimPatience) {
		return newError("RuntimeError", "selfsame: class `%s` is already registered", key)
	}
	other := bridge.TypeAttr(index, goTypeAttr)
	text, _ := other.Text()
	if text == goTypeText(c.goType) && bridge.TypeInfo(index).Parent().TypeIndex == c.parent.native.Index() {
		c.adopted = true
		return nil
	}
	if name, _, _ := strings.Cut(text, " "); name != c.goTypeName() {
		return newError("RuntimeError", "selfsame: class `%s` is already registered by another library, for its %s", key, name)
	}
	return c.otherVersion("has other fields")
}

func waitFor(condition func() bool, patience time.Duration) bool {
	for start := time.Now(); !condition(); time.Sleep(time.Millisecond) {
		if time.Since(start) > patience {
			return false
		}
	}
	return true
}

// registerPart does registerOnce for a part of a class. Of an adopted class, which another library registers, it only
// logs the part; it fails when the other library has no such part.
func (c registration) registerPart(kind bridge.LoggedKind, index int32, name string, cl *closure, register func(function unsafe.Pointer) error) error {
	if !c.adopted {
		return registerOnce(kind, index, name, cl, register)
	}
	if !waitFor(func() bool { return isRegistered(kind, index, name) }, partPatience) {
		return c.otherVersion("has no `" + name + "`")
	}
	l := bridge.Log(kind, index, name, 0)
	if l == nil {
		return newError("MemoryError", "selfsame: no memory to register `%s`", name)
	}
	l.Done()
	return nil
}

// otherVersion makes the error for a class of another library that differs from this one.
func (c registration) otherVersion(what string) error {
	return newError("RuntimeError", "selfsame: class `%s` is already registered by another library, with another version of %s, "+
		"which %s; build both libraries with one version of that package", c.key, c.goTypeName(), what)
}

// checkAdoptedMethod fails when the method of an adopted class is called otherwise than this library's.
func (c registration) checkAdoptedMethod(index int32, name, metadata string) error {
	for _, m := range bridge.TypeInfo(index).OwnMethods() {
		if m.Name.String() == name && !sameSignature(m.Metadata.String(), metadata) {
			return c.otherVersion("has another signature of `" + name + "`")
		}
	}
	return nil
}

var symbolOfLiteral = regexp.MustCompile(`/[^/]*\.go:\d+$`)

// packageOfSymbol returns the import path in a symbol of symbolOf, up to a dot in the path's last part.
func packageOfSymbol(symbol string) string {
	if at := symbolOfLiteral.FindStringIndex(symbol); at != nil {
		return symbol[:at[0]]
	}
	slash := strings.LastIndexByte(symbol, '/') + 1
	name, _, _ := strings.Cut(symbol[slash:], ".")
	return symbol[:slash] + name
}
