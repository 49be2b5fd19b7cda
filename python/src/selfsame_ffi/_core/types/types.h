// The declarations of this layer: the wrapper families, and the descriptors of their members.
#ifndef SELFSAME_CORE_TYPES_TYPES_H_
#define SELFSAME_CORE_TYPES_TYPES_H_

#include "selfsame/internal/containers.h"
#include "tie/core.h"
#include "wrapper/classes.h"
#include "wrapper/tp_slots.h"

// The functions of the module that these files have, which end with an entry without a name.
extern SS_HIDDEN PyMethodDef ss_container_functions[], ss_copying_functions[], ss_declare_functions[],
    ss_tensor_contents_functions[];

// ---- object.c -------------------------------------------------------------------------------------

// CObject: the base of every wrapper class.

// Method of CObject: the text that native code has for the object. New reference, NULL with an error set
// (container_common.c).
SS_HIDDEN PyObject* ss_native_repr(PyObject* self, PyObject* unused);

// Gives SsObject_Type its methods. Once, before PyType_Ready.
SS_HIDDEN void ss_object_type_init(void);

// Ends a base's __init__ when `self` has its native object already. 0, and nothing happens, when it is called without
// arguments by the constructor that a class declared in Python defines, as super().__init__(): that gets the object
// made. Otherwise -1 with TypeError set.
SS_HIDDEN int ss_object_init_again(PyObject* self, int has_arguments);

// ---- array.c --------------------------------------------------------------------------------------

// Array, the immutable sequence: the base class in C of selfsame_ffi.Array.

extern SS_HIDDEN PyTypeObject SsArray_Type;

// ---- list.c ---------------------------------------------------------------------------------------

// List, the mutable sequence: the base class in C of selfsame_ffi.List.

extern SS_HIDDEN PyTypeObject SsList_Type;

// ---- sequence_numbers.c ---------------------------------------------------------------------------

// The elements of an Array or List as numbers side by side in memory.

// Function of the module: sequence_numbers(sequence). Returns (format, bytearray): a copy of all elements as float64 ("d") if
// one of them is a float, else as int64 ("q") if one is an int, else as bools ("?"); without elements as float64. Raises
// TypeError for an element that is no number of 64 bits.
SS_HIDDEN PyObject* ss_sequence_numbers(PyObject* module, PyObject* sequence);

// ---- map.c ----------------------------------------------------------------------------------------

// Map and Dict, the base classes in C of selfsame_ffi.Map and selfsame_ffi.Dict. A Dict is a mutable Map.

extern SS_HIDDEN PyTypeObject SsMap_Type;
extern SS_HIDDEN PyTypeObject SsDict_Type;
extern SS_HIDDEN PyTypeObject SsMapIter_Type;

// The Map or Dict in a wrapper. Borrowed; NULL with RuntimeError or TypeError set, as ss_map_length.
SS_HIDDEN TVMFFIObject* ss_map_native(PyObject* self);

// The number of entries. -1 with an error set: RuntimeError without a native object, TypeError when it is neither a Map
// nor a Dict.
SS_HIDDEN Py_ssize_t ss_map_length(PyObject* self);

// The parts of the entries that an iterator yields.
typedef enum { SS_MAP_KEYS, SS_MAP_VALUES, SS_MAP_ITEMS } SsMapPart;

// An iterator over a Map or Dict wrapper. Call it as SS_GUARDED(ss_map_iterator); see guard.h. New reference, NULL with
// an error set.
SS_HIDDEN PyObject* ss_map_iterator(PyObject* self, SsMapPart part);
#if SS_FREE_THREADED
SS_HIDDEN PyObject* ss_map_iterator_guarded(PyObject* self, SsMapPart part);
#endif

// ---- iterator -------------------------------------------------------------------------------------

// The static types of the iterators over containers.

// The initialiser of an iterator type. The file defines iter_dealloc, iter_traverse, iter_next and iter_length_hint for
// instances of the struct `layout`.
#define SS_ITERATOR_TYPE(name, layout)                                                 \
  {                                                                                    \
      SS_TYPE(name, NULL, sizeof(layout), Py_TPFLAGS_HAVE_GC),                         \
      .tp_dealloc = iter_dealloc,                                                      \
      .tp_traverse = iter_traverse,                                                    \
      .tp_iter = PyObject_SelfIter,                                                    \
      .tp_iternext = iter_next,                                                        \
      .tp_methods = (PyMethodDef[]){{"__length_hint__", iter_length_hint, METH_NOARGS, \
                                     "__length_hint__($self, /)\n--\n\n"               \
                                     "An estimate of the number of items left."},      \
                                    {NULL, NULL, 0, NULL}},                            \
  }

// ---- go_iterator.c --------------------------------------------------------------------------------

// The base of selfsame_ffi.Iterator, an iterator over what a Go loop yields (go_iterator.c).

extern SS_HIDDEN PyTypeObject SsGoIterator_Type;

// ---- tensor.c -------------------------------------------------------------------------------------

// Tensor, n-dimensional memory that native code shares: the base class in C of selfsame_ffi.Tensor.

extern SS_HIDDEN PyTypeObject SsTensor_Type;

// Its buffer protocol (tensor_buffer.c).
extern SS_HIDDEN PyBufferProcs ss_tensor_buffer;

// Function of the module: from_dlpack(source, *, require_alignment=0, require_contiguous=False).
SS_HIDDEN PyObject* ss_from_dlpack(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);

// A new Tensor with the same elements, contiguous, in CPU memory that it owns (tensor_contents.c). New reference; NULL
// with BufferError set when the elements cannot be read, or MemoryError.
SS_HIDDEN TVMFFIObject* ss_tensor_copy(TVMFFIObject* tensor);

// ---- tensor_exchange.c ----------------------------------------------------------------------------

// DLTensorTestWrapper: a class that offers the DLPack C exchange, for tests.

extern SS_HIDDEN PyTypeObject SsTensorTestWrapper_Type;

// Gives the class, which must be ready, its table of the DLPack C exchange. 0, or -1 with an error set.
SS_HIDDEN int ss_tensor_exchange_init(void);

// ---- numbers.c ------------------------------------------------------------------------------------

// Numbers in memory of Go: the base class in C of selfsame_ffi.GoNumbers.

extern SS_HIDDEN PyTypeObject SsNumbers_Type;

// ---- method.c -------------------------------------------------------------------------------------

// Method, StaticMethod, Constructor: the callables of reflected types.

extern SS_HIDDEN PyTypeObject SsMethod_Type;
extern SS_HIDDEN PyTypeObject SsStaticMethod_Type;
extern SS_HIDDEN PyTypeObject SsConstructor_Type;

// All three are made by Type(function, name, type_key, doc=None, metadata='', arg_names=None, type_index=-1,
// keywords=None). `type_index` is the type of the objects that a Constructor makes. `keywords` is the sentinel that a
// Function with default arguments expects before keyword arguments. Without it, keyword arguments are ordered by
// `arg_names`.
//
// Why packages for the stock tvm_ffi bind keyword arguments through the marker. The stock package names constructor
// arguments after fields, and methods take none by name. The generated module could put values into their order, but
// only the Go side knows a default that lies between given arguments. It reads the marker that the runtime's own
// constructors use, followed by names and values, so the module passes them on: one place knows names, defaults and the
// texts of errors.

// ---- bound_method.c -------------------------------------------------------------------------------

// BoundMethod: a Method with the object that it is called with, as `point.scale` gives it.

extern SS_HIDDEN PyTypeObject SsBoundMethod_Type;

// Binds a Method to an object; it takes a reference to each. Returns a new reference, NULL with an error set.
SS_HIDDEN PyObject* ss_bind_method(PyObject* method, PyObject* object);

// ---- field.c --------------------------------------------------------------------------------------

// Field: the Python descriptor of a reflected field.

extern SS_HIDDEN PyTypeObject SsField_Type;

// A descriptor for the field `info` of the type `owner`. Keeps both pointers' data only as copies, but for the setter,
// which the type table owns. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_field_new(const TVMFFITypeInfo* owner, const TVMFFIFieldInfo* info);

// Sets a field, also a read-only one: for an object that is being restored from a pickle or a copy. `field` is a Field.
// 0, or -1 with an error set.
SS_HIDDEN int ss_field_restore(PyObject* field, PyObject* object, PyObject* value);

// ---- record_init.c --------------------------------------------------------------------------------

// RecordInit: the __init__ of a class declared in Python. One call takes the arguments, makes the native object and
// stores the fields' values.

extern SS_HIDDEN PyTypeObject SsRecordInit_Type;

// Lets calls of a class of wrappers use its RecordInit without a tuple of arguments, and return the wrapper that the
// native object of a constructor has already (wrapped_already.c). Not for a class whose metaclass has a __call__ of its
// own. Every class of wrappers is given this when it is made or registered. 0, or -1 with an error set.
SS_HIDDEN int ss_record_call_class(PyTypeObject* cls);

// ---- declare.c ------------------------------------------------------------------------------------

// Declaring native types from Python: the functions of the module that register a type, its fields, methods and
// attributes in the runtime's type table.

// For the end of the interpreter, as tp_traverse: what setters of fields keep of Python's. They keep it for ever.
SS_HIDDEN int ss_declared_traverse(visitproc visit, void* arg);

// ---- reflect.c ------------------------------------------------------------------------------------

// Reflection data as Python values, for the registry.

// A dict with the reflection data of a type index, None when no type has the index. New reference, NULL with an error
// set.
//   type_index, type_key, ancestors (type indices, ffi.Object first), doc (str or None), total_size,
//   fields (list of Field), methods (list of (name, doc or None, metadata, flags, value)).
SS_HIDDEN PyObject* ss_reflect_type(int32_t type_index);

// The value of a type attribute, None when it is not set. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_reflect_attr(int32_t type_index, const char* name);

// A list of the type indices of a type's ancestors; empty for an index that no type has. New reference, NULL with an
// error set.
SS_HIDDEN PyObject* ss_reflect_ancestors(PyObject* module, PyObject* index);

// ---- copying.c ------------------------------------------------------------------------------------

// Support for copies and pickles: native objects with default fields, shallow copies, and setting any field.

// Methods of CObject. They call the Python functions that set_copying installed (selfsame_ffi/_copying/methods.py).
SS_HIDDEN PyObject* ss_copying_reduce(PyObject* self, PyObject* unused);
SS_HIDDEN PyObject* ss_copying_reduce_ex(PyObject* self, PyObject* protocol);
SS_HIDDEN PyObject* ss_copying_copy(PyObject* self, PyObject* unused);
SS_HIDDEN PyObject* ss_copying_deepcopy(PyObject* self, PyObject* const* args, Py_ssize_t count);

// ---- stock_methods.c ------------------------------------------------------------------------------

// The two methods by which Python code written for the stock tvm_ffi package gives a wrapper its native object.

// self.__init_handle_by_constructor__(function, *args): calls the function and gives self, which has no native object,
// the object that it returns. TypeError, with nothing changed, when self has one, or the object is of another type.
SS_HIDDEN PyObject* ss_init_handle_by_constructor(PyObject* self, PyObject* const* args, Py_ssize_t count);

// self.__move_handle_from__(other): moves the native object of `other` to self, which has none. Errors as above;
// RuntimeError when the native object has other owners.
SS_HIDDEN PyObject* ss_move_handle_from(PyObject* self, PyObject* other);

#endif  // SELFSAME_CORE_TYPES_TYPES_H_
