// Package selfsame is the Go frontend of the selfsame object system: Go structs become classes and Go funcs become
// functions that Python, C++ and Rust use through the stable C ABI of tvm-ffi, and objects keep their identity on the way.
//
// # Classes
//
// A class is a struct whose first field is [Object], or the struct of another class, which it then inherits from. Its
// instances live in C memory, in the layout the ABI describes, so a class struct holds plain numbers and the field types
// of this package, never Go pointers.
//
//	type Point struct {
//		selfsame.Object
//		X, Y  float64 `ffi:"rw" doc:"coordinates in metres"`
//		Label selfsame.String
//		Next  selfsame.Opt[Point]
//	}
//
//	func (p *Point) Norm() float64 { return math.Hypot(p.X, p.Y) }
//
//	var PointClass = selfsame.MustRegister[Point]("geo.Point",
//		selfsame.Doc("A point in the plane."),
//		selfsame.Init(func(p *Point, x, y float64) { p.X, p.Y = x, y }, "x", "y"),
//		selfsame.Method("norm", (*Point).Norm, "Distance from the origin."))
//
// A *Point is borrowed: it points into a native object and is valid as long as something keeps that object alive. Go code
// keeps a [Handle], which owns a reference:
//
//	p := PointClass.New(func(p *Point) { p.X = 3; p.Label.Set("home") }) // *selfsame.Handle[Point]
//	p.Get().Norm()
//
// There is one handle per native object: fetching the same object twice gives the same pointer, and handles compare
// with ==. A handle releases its reference when the garbage collector finds it unreachable, or early with Release.
// Fields of objects are read and written through the struct, without a call into C. [As] and [Cast] go up and down the
// class hierarchy. [GetField], [SetField], [CallMethod] and [NewObject] use objects of classes that Go has no struct for.
//
// # Values
//
// These Go types stand for ABI values, as parameters and results of functions and methods, as elements of arrays, and
// as arguments of [Function.Call]:
//
//	int, int8 ... int64, uint ... uint64   int (range checked)
//	float32, float64                       float (an int is accepted)
//	bool                                   bool
//	string                                 String (UTF-8)
//	[]byte                                 Bytes
//	*Handle[T]                             an object of class T or a class derived from it; a nil result is None
//	*T, T a class struct                   the same, borrowed: as a parameter for the duration of the call, as an element
//	                                       as long as the array
//	*Array[E], []E                         Array; the slice is a copy
//	*List[E]                               List, which every language that holds it can change
//	*Map[K, V], map[K]V                    Map; the Go map is a copy
//	*Dict[K, V]                            Dict, which every language that holds it can change
//	Tuple2[A, B] to Tuple4                 an Array of exactly so many elements
//	*Tensor                                Tensor; see [NewTensor] and [Elements]
//	*Shape                                 Shape; a sequence of ints is accepted
//	DataType, Device                       themselves; text such as "float32" and "cuda:1" is accepted
//	*Module                                Module
//	*Function                              Function
//	a func type                            Function; one that comes in must have an error as last result, see [Bind]
//	Optional[E]                            None or E
//	*Error, error (as argument)            Error
//	any                                    anything; see [Function.Call] for what arrives
//
// A function's last result may be an error. A func with any other parameters or results is refused at registration.
//
// # Field types
//
// Fields of class structs: all integer widths, float32, float64, bool, [DataType], [Device], and the field types [String], [Bytes],
// [Any], [Ref], [Opt], [Array], [List], [Map], [Dict], [Tensor], [Shape] and [Field], which holds any type of the table
// above. A field of these types owns its value. Such fields are changed with their Set methods and must not be copied by
// assignment; go vet reports a copy.
//
// # Containers
//
// An [Array] and a [Map] do not change, a [List] and a [Dict] do, for all their owners. Elements are read and
// changed in place, without a call into C. Loops use iterators, as those of the slices and maps packages:
//
//	for i, point := range array.All() { ... }
//	for name, price := range dict.All() { ... }
//	total := slices.Collect(list.Values())
//
// A container that comes from another language is checked where it enters Go: an element of a wrong type is an error that
// says which one, and of what type. In a List or Dict that other code changes afterwards it is a panic with such an error.
//
// # Tensors
//
// [NewTensor] shows a Go slice to others without a copy, and keeps the slice's memory in place as long as the
// tensor lives. [Elements] shows the memory of any tensor as a Go slice.
//
// # Enums
//
// A class struct that embeds [IntEnum], [StrEnum] or [Enum] is an enum; [Member] makes its members.
//
// # Modules
//
// [LoadModule] loads a compiled library; [Module.Func] gives its functions.
//
// # Calls that are made often
//
// A call of a func that is registered as it is looks at the func's type each time. [Func2], [TryFunc1], [Proc0] and
// their like make a [TypedFunc] of it, which is called directly; [Bind2] and its like do the same for calls out of Go. A
// func that returns a [Moved] hands its new object over, where one that returns a *Handle keeps it until the handle goes.
//
// # Finding leaks
//
// [LiveHandles] lists the handles that own a reference, [LiveObjects] counts objects. Built with -tags debug, the list says
// where each handle was made, [LiveNatives] lists the live objects that Go code made, with or without a handle, the
// panic of a use after Release says where the handle was made and released, and the fields of an object of a Go class hold
// the pattern 0xDB once the object is gone.
//
// # Errors
//
// A Go error becomes an exception of its kind on the other side; [Errorf] chooses the kind and records the stack.
// A panic becomes a RuntimeError with the stack of the panic. Errors of other languages arrive as [*Error].
//
// # Threads
//
// Everything in this package may be used from any goroutine. The fields of an object are plain memory: code that
// writes them while other goroutines read must use a lock, as with any Go struct.
//
// # Linking
//
// By default the runtime is part of the program. With the build tag selfsame_shared it is left out, and the package
// uses the libselfsame.so or libtvm_ffi.so that the process has loaded: this is how extensions for Python are built.
package selfsame
