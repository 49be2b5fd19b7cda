// Package python runs Python in a Go program: any library of Python, called from any goroutine.
//
//	py, err := python.Start(python.Venv(".venv"))
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer py.Close()
//	math, err := py.Import("math")
//	root, err := python.As[float64](math.CallMethod("sqrt", 2))
//
// [Start] finds an interpreter with a shared library and loads it into the process. Nothing of Python is needed to build
// the program. The environment of the interpreter must have the package selfsame_ffi, of the version of this module.
//
// # Objects
//
// An [Object] is a handle of a Python object. There is one for each Python object: the same object is the same pointer,
// so handles compare with ==. It keeps its object alive until Go's collector finds it, or until Release.
//
// # Values
//
// Go values become Python's as everywhere in selfsame (see the documentation of package selfsame), and Python's own
// containers: a slice is a list, a map a dict, a struct a dataclass, a func a callable. Handles are their objects, and a
// [selfsame.Tensor] is a Tensor, which NumPy and PyTorch take without a copy. [As] is the other direction.
//
// # Goroutines
//
// All of this package may be used from any goroutine, without a word about the GIL. Calls take a place among those of
// [Threads] and wait for it in Go, in order, so that many goroutines need few threads. Go code that Python calls back
// gives its place away while it runs. An operating system thread keeps its Python thread state, and so context variables
// and thread-local values, but a goroutine may go on on another thread between two calls. [Pinned] keeps it on one.
//
// # Errors
//
// What Python raises arrives as an [*Exception], which has the kind, the message, the traceback and the exception object
// itself. [Is] tells kinds with their subclasses. A Go error that passes through Python comes back as itself: errors.Is
// and errors.As find it. SystemExit and KeyboardInterrupt are exceptions as all others, and end no program. Warnings go
// to Python's warnings module, which writes them to standard error.
//
// # Limits
//
// A process starts Python once. A forked child cannot use it: os.fork in Python leaves a child without Go, so
// multiprocessing uses the start method "spawn" here. Sub-interpreters are not served.
package python
