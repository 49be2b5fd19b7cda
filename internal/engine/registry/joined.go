package registry

import (
	"fmt"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// Why a class can be two in Go and one for everybody else. Two wrapped packages may both have a class for a Go type of a third one, such
// as url.URL, and be in one library. A Go value has one object, so it has one class: that of the package that is initialised first. The
// struct of the other package has the same parts, so its methods work on the same objects. It gives the class those that the first
// package left out, and the tool learns from naming.JoinedAttr that the other Python package has the class too.

// join registers for the class that c joins what that lacks: its constructor and methods. key is what c would be called. The caller
// has locked registering.
func (c Registration) join(key string, wrap func(*handles.State) any, o *ClassOptions) error {
	of := c.Joins
	c.extend(o)
	c.SetKey(of.TypeKey())
	funcs, err := c.methodClosures(of.Key, o)
	if err != nil {
		return err
	}
	c.Wrap, c.Final, c.Adopted, c.Fields = wrap, of.Final, of.Adopted, of.Fields
	c.Objects.Layout = of.Objects.Layout
	index := of.Native.Index()
	for _, f := range funcs {
		if of.Methods[f.Name] {
			continue
		}
		if err := f.register(c, index); err != nil {
			return err
		}
		of.Methods[f.Name] = true
	}
	of.Joined++
	name := naming.JoinedAttr
	if of.Joined > 1 {
		name = fmt.Sprint(naming.JoinedAttr, of.Joined)
	}
	value, err := values.NewText(key)
	if err != nil {
		return err
	}
	defer values.Release(value)
	return c.registerPart(bridge.LoggedAttr, index, name, nil, func(unsafe.Pointer) error {
		return fault.Take(bridge.RegisterAttr(index, name, value))
	})
}
