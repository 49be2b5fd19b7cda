package selfsame

// AfterFork lets f run in each forked child that calls into this package: after the package's variables and init functions
// have run again there, and before the call goes on. f sets up again what the new Go does not have: state that changed at
// run time, open connections, goroutines, functions made at run time. The funcs run in the order of these calls, on one
// thread; when one panics, the child's calls fail with the panic's text. See docs/fork.md.
//
// AfterFork is called from an init function or a package variable: a func that was given later, in the parent, is not
// known in the child. Programs, which cannot come back in a child, never call f.
func AfterFork(f func()) { addAfterFork(f) }

// SourceTexts tells what the parameters of funcs are called in their source, and the comments of funcs, types and fields. The
// keys of both are symbols: of a func such as example.com/geo.nearest or example.com/geo.(*Point).Norm, of a func literal its
// package, file and line, of a type such as example.com/geo.Point, of a field such as example.com/geo.Point.maxsize, in lower case
// and without underscores. Names are separated by blanks; "_" stands for one that callers cannot use. It holds for what is
// registered afterwards. Code that selfsame-ffi build writes calls it; it returns true. The caller must not change the maps any
// more. Any goroutine may call it.
func SourceTexts(names, comments map[string]string) bool {
	addSourceTexts(names, comments)
	return true
}
