package selfsame

// AfterFork lets f run in each forked child that calls into this package. f runs after the package's variables and init
// functions have run again there, and before the call continues. It sets up again all that the new Go lacks: state that
// changed at run time, open connections, goroutines, functions made at run time. The funcs run in the order of these
// calls, on one thread; when one panics, the child's calls fail with the panic's text. See docs/fork.md.
//
// AfterFork is called from an init function or a package variable: a func that was given later, in the parent, is not
// known in the child. Programs, which cannot come back in a child, never call f.
func AfterFork(f func()) { addAfterFork(f) }

// SourceTexts tells what the parameters of funcs are called in their source, and the comments of funcs, types and
// fields. The keys of both are symbols. That of a func is such as example.com/geo.nearest or
// example.com/geo.(*Point).Norm, that of a func literal its package, file and line, that of a type such as
// example.com/geo.Point. That of a field is such as example.com/geo.Point.maxsize, in lower case and without
// underscores. Names are separated by blanks; "_" stands for one that callers cannot use. The texts hold for
// registrations that follow. Code that selfsame-ffi build writes calls it; it returns true. The caller must not change
// the maps any more. Any goroutine may call it.
func SourceTexts(names, comments map[string]string) bool {
	addSourceTexts(names, comments)
	return true
}
