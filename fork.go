package selfsame

import (
	"github.com/selfsame-ffi/selfsame/internal/engine/registry"
)

// AfterFork lets f run in each forked child that calls into this package. f runs after the package's variables and init
// functions have run again there, and before the call continues. It sets up again all that the new Go lacks: state that
// changed at run time, open connections, goroutines, functions made at run time. The funcs run in the order of these
// calls, on one thread; when one panics, the child's calls fail with the panic's text. See docs/threads-fork-signals.md.
//
// AfterFork is called from an init function or a package variable: a func that was given later, in the parent, is not
// known in the child. Programs, which cannot come back in a child, never call f.
func AfterFork(f func()) { registry.AfterFork(f) }
