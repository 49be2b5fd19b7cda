package gosource

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"runtime"
)

// LaterGoError says that the tool cannot read what the compiler of a later Go than its own wrote of a package.
type LaterGoError struct{ Reason any }

func (e *LaterGoError) Error() string {
	return fmt.Sprintf("selfsame-ffi was built with %s and cannot read what the Go in use compiles (%v); build the tool with that Go: %s",
		runtime.Version(), e.Reason, ToolOfThisGo())
}

// Importer returns what reads the types of compiled packages, of which open opens what the compiler wrote. Import fails with a
// LaterGoError where package importer would panic.
func Importer(open func(path string) (io.ReadCloser, error)) types.Importer {
	return compiled{importer.ForCompiler(token.NewFileSet(), "gc", open)}
}

type compiled struct{ of types.Importer }

func (c compiled) Import(path string) (p *types.Package, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			p, err = nil, &LaterGoError{reason}
		}
	}()
	return c.of.Import(path)
}
