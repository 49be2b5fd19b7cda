// Package selfsame is the Go frontend of the selfsame object system. Go structs become classes and Go funcs become
// functions, which Python, C++ and Rust use through the stable C ABI of tvm-ffi. An object that returns to a language
// is the same object there.
//
// # Classes
//
// A class is a struct whose first field is [Object], or the struct of another class, from which it inherits. Its
// instances live in C memory, in the layout that the ABI describes, so a class struct holds numbers, bools and the
// field types of this package, never Go pointers.
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
// A *Point is borrowed: it points into a native object and is valid while some owner keeps that object alive. Go code keeps
// a [Handle], which owns a reference:
//
//	p := PointClass.New(func(p *Point) { p.X = 3; p.Label.Set("home") }) // *selfsame.Handle[Point]
//	p.Get().Norm()
//
// There is one handle per native object: fetching the same object twice gives the same pointer, and handles compare
// with ==. A handle releases its reference when the garbage collector finds it unreachable, or early with Release.
// Fields of objects are read and written through the struct, without a call into C. [As] and [Cast] go up and down the
// class hierarchy. [GetField], [SetField], [CallMethod] and [NewObject] work with objects of classes that have no Go struct.
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
//	Lent                                   Bytes, without a copy (parameters only)
//	*Handle[T]                             an object of class T or a class derived from it; a nil result is None
//	*T, T a class struct                   the same, borrowed: a parameter for the duration of the call, an element for the
//	                                       life of the array
//	*Array[E], []E                         Array; the slice is a copy
//	*List[E]                               List, which all its owners can change
//	*Map[K, V], map[K]V                    Map; the Go map is a copy
//	*Dict[K, V]                            Dict, which all its owners can change
//	Tuple2[A, B] to Tuple4                 an Array of exactly 2 to 4 elements
//	*Tensor                                Tensor; see [NewTensor] and [Elements]
//	*Shape                                 Shape; a sequence of ints is accepted
//	DataType, Device                       themselves; text such as "float32" and "cuda:1" is accepted
//	*Module                                Module
//	*Function                              Function
//	a func type                            Function; see [Bind] for what a func without an error result does when it fails
//	Optional[E], *E of a number, bool or string    None or E
//	*Error, error                          Error; nil is None
//	any                                    any value; see [Function.Call] for the Go types that arrive
//
// These cross in calls only, and no field of a class can have them. With Python they are the values in the second column;
// in a process without Python they have the native form in the third:
//
//	time.Time                    datetime with a time zone       Array: seconds since 1970, nanoseconds, offset of the zone
//	time.Duration                timedelta                       int: nanoseconds
//	complex64, complex128        complex                         Array: real and imaginary part
//	*big.Int                     int of any size                 int or BigInt
//	[N]E                         a sequence of N elements        Array
//	[N]byte                      bytes of length N; any buffer   Bytes
//	                             of N bytes is accepted
//	iter.Seq[E], iter.Seq2[K, V] any iterable; as a result an    Function: the next element at each call, StopIteration at
//	                             iterator that is lazy           the end; called with an argument it ends the loop
//	<-chan E (result)            an iterator                     the same
//	io.Reader, io.Writer, io.ReadCloser, io.WriteCloser, io.ReadWriter, io.ReadWriteCloser
//	                             a binary file object            Function: ("read", n), ("write", bytes) or ("close")
//	a struct, or a pointer to one a dataclass; a dict is accepted Map from field names in snake case to values
//	a type with MarshalJSON      what its JSON says              None, numbers, text, Array, Map
//
// A func may have these parameters and results beside:
//   - A context.Context as its first parameter, or behind a method's object. Callers do not pass it. It is done when Ctrl-C
//     arrives during the call, which then fails with a KeyboardInterrupt, and when the asyncio task is cancelled that awaits
//     the call. Such a func runs on a goroutine of its own, and the call returns when the func has.
//   - A variadic parameter, which takes any number of values.
//   - Several results, which are a tuple.
//   - An error as its last result, which callers get as an exception. Errors in other places are values.
//
// With the option [Plain] a function takes Go's own maps and slices all the way down, and returns dict and list.
//
// A func with any other parameters or results is refused at registration; the error says what to write instead.
//
// # Field types
//
// Fields of class structs may have all integer widths, float32, float64, bool, [DataType], [Device], and the field types
// [String], [Bytes], [Any], [Ref], [Opt], [Array], [List], [Map], [Dict], [Tensor], [Shape] and [Field], which holds any
// type of the table above. A field of a field type owns its value. Change it with its Set method and do not copy it by
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
// A call checks the containers that it receives from another language: an element of a wrong type is an error that names the
// element and its type. When other code stores such an element in a List or Dict later, reading it panics with such an
// error.
//
// # Tensors
//
// [NewTensor] makes a tensor of a Go slice without a copy, and pins the slice's memory for the life of the tensor.
// [Elements] returns the memory of any tensor as a Go slice.
//
// # Enums
//
// A class struct that embeds [IntEnum], [StrEnum] or [Enum] is an enum; [Member] makes its members.
//
// # Modules
//
// [LoadModule] loads a compiled library; [Module.Func] returns its functions.
//
// # Calls that are made often
//
// In a package that selfsame-ffi build compiles, registered funcs are called without reflection: the build adds an
// adapter for each type of func. A Callee of package gen does the same for calls out of Go. A func that returns a
// [Moved] hands over its new object, while one that returns a *Handle keeps it alive until the handle is released or
// collected.
//
// # Finding leaks
//
// [LiveHandles] lists the handles that own a reference, [LiveObjects] counts objects. Built with -tags debug, the list
// says where each handle was made, and [LiveNatives] lists the live objects that Go code made, with or without a
// handle. The panic of a use after Release then says where the handle was made and released, and the fields of a
// deleted object of a Go class have the pattern 0xDB.
//
// # Errors
//
// A Go error becomes an exception of its kind in the calling language; [Errorf] sets the kind and records the stack.
// A panic becomes a RuntimeError with the stack of the panic. Errors of other languages arrive as [*Error].
//
// # Threads
//
// Everything in this package may be used from any goroutine. The fields of an object are memory without a lock: code
// that writes them while other goroutines read must use a lock, as with any Go struct.
//
// # Linking
//
// By default the runtime is part of the program. With the build tag selfsame_shared it is left out, and the package
// uses the libselfsame.so or libtvm_ffi.so that the process has loaded. Extensions for Python are built this way.
package selfsame
