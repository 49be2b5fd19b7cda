package client

import (
	"fmt"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// nameObjects names the structs from which Go classes derive. A class whose memory the library does not explain has none, nor
// has an enum, whose members the library makes.
func (w *writer) nameObjects() {
	for _, c := range w.classes {
		if c.Memory != nil && len(c.Members) == 0 {
			c.object = w.names.take(c.id + "Object")
		}
	}
}

// object writes the struct from which Go classes derive: the memory of an object.
func (w *writer) object(c *class) {
	if c.object == "" {
		return
	}
	begin, embedded, taken := int64(abi.BodyOffset), "selfsame.Object", newScope("Object")
	for p := c.parent; p != nil; p = p.parent {
		if p.object == "" {
			continue
		}
		if embedded == "selfsame.Object" {
			begin, embedded = p.Memory.Size, p.object
		}
		taken.taken[p.object] = true
		for _, part := range p.Memory.Parts {
			taken.taken[exported(part.Name)] = true
		}
	}
	w.out.Comment(fmt.Sprintf("%s is the memory of an object of class `%s`, which the struct of a Go class embeds that derives from it.", c.object, c.Key), "")
	w.line("type %s struct {", c.object)
	w.line("%s", embedded)
	for _, part := range c.Memory.Parts {
		if part.Offset < begin { // inherited
			continue
		}
		w.hidden(part.Offset - begin)
		if t := goMemory(part); t != "" {
			w.line("%s %s", taken.take(exported(part.Name)), t)
		} else {
			w.hidden(part.Size)
		}
		begin = part.Offset + part.Size
	}
	w.hidden(c.Memory.Size - begin)
	w.line("}")
	w.line("")
	w.line("var _ = gen.DeclareStruct[%s](%s)", c.object, escape.GoString(c.Key))
	w.line("")
}

// hidden writes n bytes of the struct that have no name.
func (w *writer) hidden(n int64) {
	if n > 0 {
		w.line("_ [%d]byte", n)
	}
}

// goMemory returns the Go type of a part that Go code can use in place, "" for another.
func goMemory(part model.Part) string {
	type kind struct {
		name string
		size int64
	}
	return map[kind]string{
		{"int", 8}: "int64", {"int", 4}: "int32", {"int", 2}: "int16", {"int", 1}: "int8", {"float", 8}: "float64", {"float", 4}: "float32",
		{"bool", 1}: "bool", {"ffi.String", 16}: "selfsame.String", {"ffi.Bytes", 16}: "selfsame.Bytes", {"Any", 16}: "selfsame.Any",
	}[kind{part.Type, part.Size}]
}
