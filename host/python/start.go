package python

import (
	_ "embed"
	"runtime"
	"sync"

	"github.com/selfsame-ffi/selfsame"
)

// Option is an option of [Start] and [Find].
type Option func(*settings)

type settings struct {
	venv, executable, library, home string
	args, path, preload             []string
	threads                         int
	isolated                        bool
	err                             error
}

func read(options []Option) *settings {
	o := &settings{threads: min(32, runtime.NumCPU()+4)}
	for _, option := range options {
		option(o)
	}
	return o
}

// Venv starts the Python of a virtual environment, given its folder.
func Venv(folder string) Option { return func(o *settings) { o.venv = folder } }

// Executable starts the Python of a program, given its path or its name in PATH.
func Executable(path string) Option { return func(o *settings) { o.executable = path } }

// Library opens a shared library with the interpreter instead of the one that belongs to the program. The program is still
// what sys.executable names, and is not run.
func Library(path string) Option { return func(o *settings) { o.library = path } }

// Home sets where the standard library lies, as the variable PYTHONHOME does: for a [Library] that was moved.
func Home(folder string) Option { return func(o *settings) { o.home = folder } }

// Isolated lets Python ignore the variables of its environment, such as PYTHONPATH, and the packages of the user.
func Isolated() Option { return func(o *settings) { o.isolated = true } }

// Preload opens shared libraries before the interpreter, in the order given, given their paths. One is left out where the
// system has a library of that name.
func Preload(libraries ...string) Option {
	return func(o *settings) { o.preload = append(o.preload, libraries...) }
}

// Args sets sys.argv; without it that is a list with an empty text.
func Args(args ...string) Option { return func(o *settings) { o.args = args } }

// Path puts folders in front of sys.path.
func Path(folders ...string) Option {
	return func(o *settings) { o.path = append(o.path, folders...) }
}

// Threads sets how many goroutines run Python code at once, 1 or more. Without it they are the number of processors and
// four, at most 32. Others wait in Go, in the order in which they came.
func Threads(n int) Option {
	return func(o *settings) {
		if n < 1 && o.err == nil {
			o.err = selfsame.Errorf("ValueError", "python: Threads: expected 1 or more, got %d", n)
		}
		o.threads = n
	}
}

// Interpreter is the process's Python. Any goroutine may use it.
type Interpreter struct {
	// Installation is where it was found.
	Installation

	main  chan func()   // what runs on Python's main thread
	close chan struct{} // closed by Close
	ended chan error    // gets how that thread ended
	once  sync.Once     // for Close
}

// running is the process's interpreter. A process has one in its life.
var running struct {
	sync.Mutex
	begun bool
}

// Start starts Python in this process. The options say which; without any it is that of VIRTUAL_ENV, PYTHONHOME or
// CONDA_PREFIX, or the first python3 in PATH. Python gets no signal handlers: signals stay Go's. Its main thread is one of
// its own (see [Interpreter.OnMain]).
//
// It fails with a RuntimeError when there is no such Python or no shared library of it, when Python was started before in
// this process, also when that one has ended, and when Python cannot be initialised. It fails with an ImportError when the
// environment lacks the package selfsame_ffi, or has another version of it than this module.
func Start(options ...Option) (*Interpreter, error) {
	o := read(options)
	found, err := find(o)
	if err != nil {
		return nil, err
	}
	running.Lock()
	defer running.Unlock()
	if running.begun {
		return nil, selfsame.Errorf("RuntimeError", "python: Start: Python was started in this process before, which can be done once; "+
			"pass the *python.Interpreter of the first Start on")
	}
	py := &Interpreter{Installation: *found, main: make(chan func()), close: make(chan struct{}), ended: make(chan error, 1)}
	started := make(chan error)
	go py.runMain(o, started)
	if err := <-started; err != nil {
		return nil, err
	}
	places.resize(o.threads)
	return py, nil
}

// runMain is Python's main thread, from its start to its end.
func (py *Interpreter) runMain(o *settings, started chan<- error) {
	runtime.LockOSThread() // to the end: the thread ends with the goroutine
	for _, library := range o.preload {
		preload(library)
	}
	if err := openLibrary(py.Library); err != nil {
		started <- err
		return
	}
	running.begun = true
	if err := initialise(py.Executable, o.home, o.isolated); err != nil {
		started <- err
		return
	}
	err := prepare(o)
	detach()
	if err == nil {
		err = services.find()
	}
	started <- err
	for {
		select {
		case f := <-py.main:
			f()
		case <-py.close:
			py.ended <- finalise()
			return
		}
	}
}

// OnMain runs f on Python's main thread, which signal handlers of Python and some libraries with windows ask for. One f
// runs at a time. f must not call OnMain or Close. It fails with a RuntimeError after Close.
func (py *Interpreter) OnMain(f func() error) error {
	done := make(chan error)
	select {
	case py.main <- func() { done <- f() }:
		return <-done
	case <-py.close:
		return closed("OnMain")
	}
}

// Close ends Python: it stops the event loop of [Object.Await], waits for threads of Python that are no daemons, and runs
// what is registered with atexit. Calls of other goroutines that come later fail with a RuntimeError, a second Close too.
// Python cannot be started again. A program that ends without Close runs nothing of this.
func (py *Interpreter) Close() error {
	err := closed("Close")
	py.once.Do(func() {
		_, stopped := services.stop.Call()
		close(py.close)
		if err = <-py.ended; err == nil {
			err = fromPython(stopped)
		}
	})
	return err
}

func closed(what string) error {
	return selfsame.Errorf("RuntimeError", "python: %s: Python has ended", what)
}
