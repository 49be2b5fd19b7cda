package gosource

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"runtime"
)

// LaterGoError says that the tool cannot read what the compiler of a later Go than its own wrote of a package.
type LaterGoError struct{ Reason any }

func (e *LaterGoError) Error() string {
	return fmt.Sprintf("selfsame-ffi was built with %s and cannot read what the Go in use compiles (%v); build the tool with that Go: %s",
		runtime.Version(), e.Reason, ToolOfThisGo())
}

// Compiled has the files that the compiler wrote, by import path.
type Compiled map[string]string

// Importer returns what reads the types of the packages. Import fails with a LaterGoError where package importer would panic.
func (c Compiled) Importer() types.Importer {
	return safely{importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if c[path] == "" {
			return nil, fmt.Errorf("%s was not compiled", path)
		}
		return os.Open(c[path])
	})}
}

type safely struct{ of types.Importer }

func (c safely) Import(path string) (p *types.Package, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			p, err = nil, &LaterGoError{reason}
		}
	}()
	return c.of.Import(path)
}
