// Program interfaces has what a wrapped package with an interface has.
package main

import (
	"io"

	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/gen"
)

// Namer is an interface of a library.
type Namer interface{ Name() string }

// Class stands for a Namer.
type Class struct {
	selfsame.Object
	gen.Wrapped[Namer]
}

type implemented struct{ gen.Implementation }

func (i implemented) Name() string {
	return gen.PythonMethod[func() string](i.Implementation, "name")()
}

var _ = gen.WrapInterface[Class]("interfaces.Namer", func(i gen.Implementation) Namer { return implemented{i} })

func init() {
	selfsame.MustRegister[Class]("interfaces.Namer", selfsame.Method("name", func(c *Class) string { return c.Go().Name() }, "The name."))
	selfsame.MustRegisterFunc("interfaces.size", func(file io.ReadSeeker) (int64, error) { return file.Seek(0, io.SeekEnd) })
}

func main() {}
