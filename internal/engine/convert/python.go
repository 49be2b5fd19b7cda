package convert

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/bridge"
	"github.com/selfsame-ffi/selfsame/internal/engine/values"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/handles"
	"github.com/selfsame-ffi/selfsame/internal/link"
)

// Values that the ABI has no type for, such as a datetime, cross in one of two forms. In a process with Python they are
// Python's own values, which the ABI carries as opaque objects: the Python package registers the global functions below, and
// Go asks them to take such a value apart or to make one. In a process without Python they have a native form, which each
// conversion documents: an Array of numbers, a Map, a Function.
//
// Why Go asks Python to make a datetime. The ABI has no type for a time, a complex number, an iterator or a file.
// Python's values of these kinds cross as opaque objects, and a Go func that takes a time.Time asks Python for the
// parts. With classes of our own for each kind, a datetime that passes through an untyped parameter would become
// another object, also for everybody on a stock runtime. The price: C++ code that calls such a func inside a Python
// process gets an opaque object instead of the native form, so a func that C++ and Python both call should take
// numbers.

var (
	// pythonUnpack(kind, value) takes a value apart. It returns the parts, or a str: the name of the type of a value
	// that is not of the kind.
	pythonUnpack = pythonService{name: "selfsame.python.unpack"}
	// pythonPack(kind, parts...) returns a new value.
	pythonPack = pythonService{name: "selfsame.python.pack"}
	// pythonList(items...) and pythonDict(key, value, ...) return a new list and dict of the values.
	pythonList = pythonService{name: "selfsame.python.list"}
	pythonDict = pythonService{name: "selfsame.python.dict"}
	// pythonSet(items...) returns a new set of the values.
	pythonSet = pythonService{name: "selfsame.python.set"}
	// pythonInts(address, n) and pythonFloats(address, n) return a list of n int64 or float64.
	pythonInts   = pythonService{name: "selfsame.python.ints"}
	pythonFloats = pythonService{name: "selfsame.python.floats"}
	// PythonPoll() raises the exception that the calling thread must end its call with, such as KeyboardInterrupt. It
	// returns whether such an exception can come later.
	PythonPoll = pythonService{name: "selfsame.python.poll"}
	// pythonGIL() gives the interpreter's lock up and returns whether the thread had it; pythonGIL(true) takes it back.
	pythonGIL = pythonService{name: "selfsame.python.gil"}
	// pythonStore(kind, object, parts...) changes a Python object.
	pythonStore = pythonService{name: "selfsame.python.store"}
	// pythonReport(error, stack) gives an exception to sys.unraisablehook.
	pythonReport = pythonService{name: "selfsame.python.report"}
	// PythonMethod(object, name) returns a method of the Python object of a native object, as a Function.
	PythonMethod = pythonService{name: "selfsame.python.method"}
)

// Function returns the service, nil in a process without Python.
func (s *pythonService) Function() *handles.State {
	if f := s.known.Load(); f != nil {
		return f
	}
	if link.Bound() != nil {
		return nil
	}
	object, failed := bridge.GetGlobal(s.name)
	if failed != nil || object == nil {
		handles.DecRef(failed)
		return nil
	}
	f := handles.FetchOwnedForGood(object)
	s.known.Store(f)
	return f
}

// WithoutGIL calls wait. If Python called the calling thread with the interpreter's lock held, as it calls short funcs, others may have it
// until wait returns.
func WithoutGIL(wait func()) {
	if service := pythonGIL.Function(); service != nil {
		if gave, err := values.CallValues(service, nil); err == nil && gave.Int64() != 0 {
			defer func() { _, _ = values.CallValues(service, []abi.Any{abi.Bool(true)}) }()
		}
	}
	wait()
}

// HasPython reports whether the process has Python.
func HasPython() bool { return pythonReport.Function() != nil }

// Report gives an error that ends no call to sys.unraisablehook, as an exception, with the stack of the goroutine.
func Report(err error, stack string) error {
	var v abi.Any
	if err := MustFor(ErrorType).To(unsafe.Pointer(&err), &v); err != nil {
		return err
	}
	defer values.Release(v)
	text, err := values.NewText(stack)
	if err != nil {
		return err
	}
	defer values.Release(text)
	done, err := values.CallValues(pythonReport.Function(), []abi.Any{v, text})
	values.Release(done)
	return err
}

// KindValue makes the first argument of the services. Kinds have at most 7 letters.
func KindValue(kind string) abi.Any {
	v, ok := abi.SmallStr(kind)
	if !ok {
		panic("selfsame: the kind " + kind + " has more than 7 letters")
	}
	return v
}

// Unpack asks Python to take a borrowed value apart and returns an owned value. A value of another kind is a *mismatch.
func Unpack(kind string, v *abi.Any, more ...abi.Any) (abi.Any, error) {
	if v.TypeIndex != abi.IndexOpaquePyObject {
		return abi.Any{}, Mismatched(v)
	}
	service := pythonUnpack.Function()
	if service == nil {
		return abi.Any{}, Mismatched(v)
	}
	parts, err := values.CallValues(service, append([]abi.Any{KindValue(kind), *v}, more...))
	if err != nil {
		return abi.Any{}, err
	}
	if text, ok := parts.Text(); ok {
		text = string([]byte(text))
		values.Release(parts)
		return abi.Any{}, &Mismatch{Got: text}
	}
	return parts, nil
}

// IsInstance says whether the Python object of a borrowed native object is an instance of the Python class of a type, of which the type
// of the object need not know.
func IsInstance(v *abi.Any, index int32) bool {
	service := pythonUnpack.Function()
	if service == nil {
		return false
	}
	is, err := values.CallValues(service, []abi.Any{KindValue("isa"), *v, abi.Int(int64(index))})
	if err != nil {
		return false
	}
	defer values.Release(is)
	return is.Int64() != 0
}

// DeclaredTypes returns words for the types that a Python function declares for its parameters and, last, for its result. It returns nil
// for a borrowed Function that declares not all of them, or is none of Python's.
func DeclaredTypes(function abi.Any) []string {
	service := pythonUnpack.Function()
	if service == nil {
		return nil
	}
	made, err := values.CallValues(service, []abi.Any{KindValue("types"), function})
	if err != nil {
		return nil
	}
	defer values.Release(made)
	if made.TypeIndex != abi.IndexArray {
		return nil
	}
	items := abi.SeqOf(made.Pointer()).Items()
	words := make([]string, len(items))
	for i := range items {
		word, _ := items[i].Text()
		words[i] = string([]byte(word))
	}
	return words
}

// unpackItems does unpack's work for a value whose parts are a tuple. The native form is an Array of them, of at least
// least elements. It calls use with the borrowed parts.
func unpackItems(kind string, v *abi.Any, least int, use func(items []abi.Any) error) error {
	parts := *v
	if v.TypeIndex != abi.IndexArray && v.TypeIndex != abi.IndexList {
		made, err := Unpack(kind, v)
		if err != nil {
			return err
		}
		parts = made
		defer values.Release(made)
	}
	if parts.TypeIndex != abi.IndexArray && parts.TypeIndex != abi.IndexList {
		return Mismatched(&parts)
	}
	items := abi.SeqOf(parts.Pointer()).Items()
	if len(items) < least {
		return Mismatched(v)
	}
	return use(items)
}

// pack makes *v Python's value of the borrowed parts. ok is false in a process without Python; the caller then stores the
// native form.
func pack(v *abi.Any, kind string, parts ...abi.Any) (ok bool, err error) {
	service := pythonPack.Function()
	if service == nil {
		return false, nil
	}
	made, err := values.CallValues(service, append([]abi.Any{KindValue(kind)}, parts...))
	if err != nil {
		return true, err
	}
	*v = made
	return true, nil
}

// newPython makes Python's own list or dict, by the type index of the native container with the same views.
func newPython(index int32, views []abi.Any) (abi.Any, error) {
	service := &pythonList
	if index == abi.IndexMap {
		service = &pythonDict
	}
	if len(views) > math.MaxInt32 {
		return abi.Any{}, fault.New("ValueError", "selfsame: a container of %d values is too large", len(views))
	}
	return values.CallViews(service.Function(), views)
}

// newPythonNumbers makes Python's own list of n elements at first.
func newPythonNumbers(service *pythonService, first unsafe.Pointer, n int) (abi.Any, error) {
	made, err := values.CallValues(service.Function(), []abi.Any{abi.OpaquePtr(first), abi.Int(int64(n))})
	runtime.KeepAlive(first)
	return made, err
}

// PackItems does pack's work, with an Array of the parts as the native form.
func PackItems(v *abi.Any, kind string, parts ...abi.Any) error {
	if ok, err := pack(v, kind, parts...); ok {
		return err
	}
	return values.PutContainer(abi.IndexArray, parts, v)
}

// Repack replaces the owned value *v by Python's value of a kind. Without Python it stays.
func Repack(v *abi.Any, kind string, more ...abi.Any) error {
	native := *v
	ok, err := pack(v, kind, append([]abi.Any{native}, more...)...)
	if ok {
		values.Release(native)
	}
	return err
}

// pythonService is a global function that the Python package registers. Any goroutine may use it.
type pythonService struct {
	name  string
	known atomic.Pointer[handles.State]
}
