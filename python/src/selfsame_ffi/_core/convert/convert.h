// Python values to native values.
#ifndef SELFSAME_CORE_CONVERT_CONVERT_H_
#define SELFSAME_CORE_CONVERT_CONVERT_H_

#include "convert/builtin.h"
#include "convert/class_ways.h"
#include "convert/dlpack_exchange.h"
#include "selfsame/selfsame.h"
#include "tie/core.h"
#include "tie/python_owner.h"
#include "wrapper/classes.h"

// The memory that the view of one value needs: an object made for it, or the byte array that the view points to.
typedef struct {
  TVMFFIObject* owned;    // NULL for none
  SsWrapper* source;      // of a moved argument: `owned` is this wrapper's handle, and returns to it if it is not taken
  TVMFFIByteArray bytes;  // what a view of bytes points to
} SsTemp;

// The temporaries of one call. A value uses at most one item; the caller provides an array with an item per value.
typedef struct {
  SsTemp* items;      // the caller's array
  int32_t used;       // how many items are in use
  int wrappers;       // whether some values are wrappers: they are pinned
  SsExchangeUse use;  // of the values that are or contain another package's tensors
} SsTemps;

// A view of `value`, valid until ss_views_done and while `value` lives. 0, or -1 with an error set and nothing to undo.
// May run Python code. Accepts
//
// None, bool, int, float, str, bytes, wrappers, lists and tuples (Array), dicts (Map), callables (Function), exceptions
// (Error), ctypes.c_void_p; objects with __tvm_ffi_object__, __tvm_ffi_value__, __tvm_ffi_int__, __tvm_ffi_float__ or
// __tvm_ffi_opaque_ptr__. Any other value becomes an opaque object.
SS_HIDDEN int ss_to_view(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// Call after the use of views, with the `count` values that were converted: releases the temporaries and unpins the
// wrappers. Keeps the error that is set.
SS_HIDDEN void ss_views_done_slow(SsTemps* temps, PyObject* const* values, Py_ssize_t count);
static inline void ss_views_done(SsTemps* temps, PyObject* const* values, Py_ssize_t count) {
  if (SS_UNLIKELY(temps->used != 0 || (temps->wrappers && count != 1))) {
    ss_views_done_slow(temps, values, count);
  } else if (temps->wrappers) {
    ss_unpin(ss_wrapper(values[0]));
  }
}

// A view of a value whose exact class has a handler in the dict given to set_pointer_handlers: the address that the
// handler returns. 1: *out is set; 0: there is no handler; -1 with an error set.
SS_HIDDEN int ss_view_by_pointer_handler(PyObject* value, TVMFFIAny* out);

// Function of the module: set_pointer_handlers(dict).
SS_HIDDEN PyObject* ss_set_pointer_handlers(PyObject* module, PyObject* handlers);

// The value as an owned value. `use`, which may be NULL, is told of other packages' tensors in it. 0, or -1 with an
// error set.
SS_HIDDEN int ss_to_owned_using(PyObject* value, TVMFFIAny* out, SsExchangeUse* use);
static inline int ss_to_owned(PyObject* value, TVMFFIAny* out) { return ss_to_owned_using(value, out, NULL); }

// An opaque object that owns a reference to `value`. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_opaque_new(PyObject* value);

// The result of selfsame_ffi.convert: a wrapper, or the value itself. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_convert(PyObject* value);

// Puts a text in front of the message of the error that is set: the name of the argument or field that refused a value.
// Only a TypeError, ValueError or OverflowError gets it, and the reason of a UnicodeEncodeError. Format as
// PyUnicode_FromFormat.
SS_HIDDEN void ss_prefix_error(const char* format, ...);

// Whether the error that is set means that a value has no native form: a str with lone surrogates. No native value
// equals such a value. If so, clears the error.
SS_HIDDEN int ss_no_native_value(void);

// The repr of a refused value, for the error message. Clears the error that is set. New reference; NULL without an
// error when __repr__ fails, as for an int of very many digits.
SS_HIDDEN PyObject* ss_repr_for_error(PyObject* value);

// ---- any_value.c ----------------------------------------------------------------------------------

// CAny: an owned native value as a Python object.

extern SS_HIDDEN PyTypeObject SsAnyValue_Type;

// A new CAny. Takes over the value, on failure too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_any_value_new(TVMFFIAny* value);

// ---- big_int.c ------------------------------------------------------------------------------------

// Ints beyond 64 bits: ffi.BigInt on the native side.

// A native value for an int of any size: an int when it fits into 64 bits, else a BigInt, owned. 0, or -1 with
// MemoryError or the runtime's error set.
SS_HIDDEN int ss_big_int_make(PyObject* number, TVMFFIAny* out);

// The int in a native BigInt. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_big_int_read(const TVMFFIObject* big_int);

// ---- keys.c ---------------------------------------------------------------------------------------

// Python values as keys of Map and Dict.
//
// A container compares keys that are None, numbers, text, data types and devices by value, objects of a class with
// __any_equal__ as that says, and every other native object by its address. A Python value that becomes a new native object at each crossing would never be found again.

// Returns the object to convert in the place of `key`: the key itself, or the Function that stands for this callable in all containers.
// With `refuse`, a list, tuple, dict, tensor or exception is refused with a TypeError, because it could not be found
// again; else the container gets its new native object. May run Python code. New reference, NULL with an error set, whose
// message does not name the key.
SS_HIDDEN PyObject* ss_key_to_convert(PyObject* key, int refuse);

// ---- collisions.c ---------------------------------------------------------------------------------

// Keys that differ on one side of a conversion and are equal on the other: Fraction(1, 3) and 1 / 3 as floats, 1 and True
// in a dict.
//
// A container made of them would lose entries, so it is an error that names two of them.

// Checks a Map or Dict that was made of `count` keys, which lie `step` apart. `converted` has their native values, in the
// same way, or is NULL: then they are converted again where keys were lost. Keys that Python has as equal may be one. 0, or
// -1 with a ValueError set that names two keys. Runs Python code only where keys were lost.
SS_HIDDEN int ss_check_keys(const TVMFFIObject* map, PyObject* const* keys, const TVMFFIAny* converted,
                            Py_ssize_t count, Py_ssize_t step);

// PyDict_SetItem for a key, and PySet_Add for an element, that must be new. 0, or -1 with an error set: a ValueError that
// names both keys when there is an equal one.
SS_HIDDEN int ss_dict_add_new(PyObject* dict, PyObject* key, PyObject* value);
SS_HIDDEN int ss_set_add_new(PyObject* set, PyObject* element);

// ---- plain.c --------------------------------------------------------------------------------------

// Python's own containers for native ones.

// Function of the module: plain(value, other). A copy of an Array or Map, given its wrapper, as a list or dict all the
// way down; text and bytes in it become exact str and bytes. `other` is called with a List or Dict in it, whose
// elements may change during the copy, and returns its copy. Any other value is returned as it is.
SS_HIDDEN PyObject* ss_plain(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Why a list or dict of Python's own is made from views of the Go values. For a result of a func with Plain(), a native
// Map would be a hash table that is read once. So Go calls a Function of the Python package with a view of each value,
// in one crossing, or with the address of the elements of an int64 or float64 slice. Nested values and those that need
// a conversion become containers first. The views lie in memory that is used again, since new memory makes Go's
// collector run. Against PyO3 a dict of 100 in and out takes 1.3 to 1.4 times as long, a list of 1,000 ints out 1.5,
// and 1.2 when Go keeps the slice (`make bench`), so most of the rest is Go's memory.

// Function of the module: function_of_builtin(name). A Function that returns a new list or dict in an opaque object.
// "list" makes it of its arguments, "dict" of keys and values in turn. "ints" and "floats" make it of int64 or double
// numbers: their arguments are an address (an opaque pointer), which they borrow, and how many numbers lie there. Go
// makes the results of functions with Python's containers by them, without native containers.
SS_HIDDEN PyObject* ss_function_of_builtin(PyObject* module, PyObject* name);

// ---- batch.c --------------------------------------------------------------------------------------

// Many calls of a Go function in one: a batch, which has a column of values for each argument and one for the results.
// internal/engine/call/batch.go says why.

// Calls a Function for each item of a batch, whose columns the caller owns. 0, or -1 with an error set.
SS_HIDDEN int ss_invoke_batch(SsWrapper* function, SelfsameBatch* batch);

// Function of the module: call_batch(function, columns, count, dtype, out, parallel, partial=False, first=0). Calls a Function of
// Go for each of the first `count` items of the columns, which are lists, tuples or buffers of numbers. The results are
// numbers of `dtype`, or any values when it is "". They are stored in the buffer `out`, whose items must be such numbers;
// with None they are returned as a list. An error has the attribute `item`, the number of the item, unless no item has failed.
// With `partial` such an error is not raised but returned, in a tuple behind the list of the results before it. Items are
// counted from `first` on.
SS_HIDDEN PyObject* ss_call_batch(PyObject* module, PyObject* args);

// Function of the module: batch_kind(function, kind=None). Returns the number that the Function was given last, or gives it
// one. It is no attribute in the dict, which would make the wrapper stateful.
SS_HIDDEN PyObject* ss_batch_kind(PyObject* module, PyObject* args);

// ---- batch_results.c ------------------------------------------------------------------------------

// The results of a batch of calls as Python values.

// The type of numbers that a name of NumPy stands for, such as "float64". 0 bits for "" and every other name.
SS_HIDDEN DLDataType ss_number_type(const char* name);

// A new list of the `count` values of a column that has no gaps. Takes over the values, also on failure. NULL with an
// error set. May run Python code.
SS_HIDDEN PyObject* ss_batch_list(const SelfsameColumn* column, Py_ssize_t count);

// ---- callback.c -----------------------------------------------------------------------------------

// Native Functions that call Python callables.

// Initialises this file. Call once, when the core starts.
SS_HIDDEN void ss_callbacks_init(void);

// A native Function that calls `callable`, on any thread. It owns one reference to it. When the Function dies, on any
// thread, it releases that reference without waiting for the GIL. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_function_from_callable(PyObject* callable);

// A wrapper of a Function that returns an opaque object of what the builder makes of its arguments. `type` is the type
// of that, which stands for the Function's callable. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_function_of_builder(PyTypeObject* type, SsBuilder builder);

// Function of the module: callable_of(function). The callable of a Function that calls one of Python; None for any other.
SS_HIDDEN PyObject* ss_callable_behind(PyObject* module, PyObject* function);

// Function of the module: function_of_gil(). A Function that gives the GIL up, or takes it back. See gil_service.c.
SS_HIDDEN PyObject* ss_function_of_gil(PyObject* module, PyObject* unused);

// Function of the module: function_that_forwards(name). See forwards.c.
SS_HIDDEN PyObject* ss_function_that_forwards(PyObject* module, PyObject* name);

// Function of the module: function_of_tensors(callable, tensor_cls). The Function's callable gets tensors as instances
// of a class that offers the DLPack C exchange.
SS_HIDDEN PyObject* ss_function_of_tensors(PyObject* module, PyObject* args);

// The safe_call of such a Function. A caller compares with it to avoid releasing the GIL just before it is needed.
SS_HIDDEN int ss_closure_call(void* handle, const TVMFFIAny* args, int32_t count, TVMFFIAny* result);

// ---- device.c -------------------------------------------------------------------------------------

// The base class in C of selfsame_ffi.Device.

typedef struct {
  PyObject_HEAD;    // NOLINT
  DLDevice device;  // set while the device is made, then constant
} SsDevice;

extern SS_HIDDEN PyTypeObject SsDevice_Type;
#define SS_IS_DEVICE(object) PyObject_TypeCheck((object), &SsDevice_Type)

// Sets the names of types: a dict by DLPack's number. 0, or -1 with an error set.
SS_HIDDEN int ss_device_set_names(PyObject* names);

// ---- dtype_device.c -------------------------------------------------------------------------------

// Data types and devices: values of the ABI that have Python classes, but no native object.

// Installs the Python classes. dtype._from_parts(code, bits, lanes) and Device._from_parts(type, index) make instances;
// the attribute `_parts` of a dtype is the tuple of these ints. Device derives from SsDevice_Type. 0, or -1 with an error
// set.
SS_HIDDEN int ss_set_dtype_and_device_classes(PyObject* dtype, PyObject* device);

// The instance for a value, the same one at each call. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_dtype_new(DLDataType dtype);
SS_HIDDEN PyObject* ss_device_new(DLDevice device);

// Makes a view of a data type or device: of an instance of the classes above, a dtype of NumPy or PyTorch, or an object
// with __dlpack_data_type__ or __dlpack_device__ (but not __dlpack__). 1: *out is set. 0: `value` is none of these. -1:
// an error is set.
SS_HIDDEN int ss_view_dtype_or_device(PyObject* value, TVMFFIAny* out);

// The same in two steps. The first finds by the class alone which of these its values are, SS_WAY_UNKNOWN for none; it sets
// no error. The second takes what the first found: 0, or -1 with an error set.
SS_HIDDEN SsWay ss_dtype_or_device_way(PyTypeObject* cls);
SS_HIDDEN int ss_view_dtype_or_device_by(SsWay way, PyObject* value, TVMFFIAny* out);

// Functions of the module: dtype_parts(text) -> (code, bits, lanes); dtype_text(code, bits, lanes) -> str.
SS_HIDDEN PyObject* ss_dtype_parts(PyObject* module, PyObject* text);
SS_HIDDEN PyObject* ss_dtype_text(PyObject* module, PyObject* args);

// ---- extern_function.c ----------------------------------------------------------------------------

// Functions of C symbols: addresses of compiled code, as JIT compilers give them.

// The static methods __from_extern_c__ and __from_mlir_packed_safe_call__ of Function, for METH_FASTCALL.
SS_HIDDEN PyObject* ss_from_extern_c(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);
SS_HIDDEN PyObject* ss_from_mlir_packed(PyObject* unused, PyObject* const* args, Py_ssize_t count, PyObject* kwnames);

// ---- function_type.c ------------------------------------------------------------------------------

// Gives Function its finalizer, once the type is ready. CPython would give a type that has one from the start a method
// __del__, which subclasses inherit.
SS_HIDDEN void ss_function_type_init(void);

// ---- iterable_batches.c ---------------------------------------------------------------------------

// The elements of an iterable of Python in batches, for a Go loop: many for one entry into Python.

// IterableBatches(iterable): take(n) returns a tuple of the next elements, at most n. It returns fewer when the iterable takes
// longer than a few milliseconds, and an empty tuple at the end. An error of the iterable is raised by the call after that
// which returned the elements before it.
extern SS_HIDDEN PyTypeObject SsIterableBatches_Type;

// ---- ufunc.c --------------------------------------------------------------------------------------

// A Go function of numbers as a ufunc of NumPy. NumPy is not linked: what is needed of its C API comes from the capsule
// that it offers to other modules at run time.
//
// Why a ufunc comes from NumPy's own maker. NumPy broadcasts, converts, buffers and checks for overlap in the code
// around a ufunc's loop. np.nditer would give the same loops to Python code, at some microseconds for each call, and
// where=, reduce and outer would have to be written again. So selfsame_ffi.ufunc takes PyUFunc_FromFuncAndData from the
// capsule that NumPy offers to other modules, at a place that has not moved since NumPy 1.7. Nothing is linked, and
// NumPy's headers are not needed. NumPy keeps the addresses of the loop's data and never says when it drops them, so a
// ufunc lives as long as the process, as the Go function behind it does.

// Function of the module: new_ufunc(api, function, dtypes, name, doc). A ufunc that calls a Function of Go for each
// element. `api` is the capsule numpy.core._multiarray_umath._UFUNC_API, and `dtypes` a tuple of names of number types:
// that of the result, then those of the arguments. The ufunc owns the Function, and both live as long as the process.
SS_HIDDEN PyObject* ss_new_ufunc(PyObject* module, PyObject* args);

// ---- wrong_native.c -------------------------------------------------------------------------------

// Errors for a wrapper that does not have the native object that its user needs.

// Sets RuntimeError for a wrapper that has no handle: it was moved away, or never initialised. Returns NULL.
SS_HIDDEN PyObject* ss_no_handle(PyObject* wrapper);

// Sets the error for a wrapper whose handle is not what its class needs: TypeError, or ss_no_handle's without a handle.
// `wanted` is "a List", for example. Returns NULL.
SS_HIDDEN void* ss_wrong_native(PyObject* wrapper, const char* wanted);

// The repr of a wrapper without a handle. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_repr_without_handle(PyObject* wrapper);

// ---- shape.c --------------------------------------------------------------------------------------

// Shape: a tuple of ints that owns a wrapper.
//
// Why a Shape is a tuple that owns a wrapper. Users' code does `isinstance(shape, tuple)`, and a tuple varies in size,
// so it cannot have the memory of a wrapper, which is kept at one address for the next fetch. So the tuple is another
// object, which owns the wrapper and is known to it. `f(shape) is shape` holds while somebody refers to the tuple. To
// keep the tuple longer would take a cycle of Python objects for every Shape.

// The class that Python sees: a tuple. An instance owns the wrapper of its native object.
extern SS_HIDDEN PyTypeObject SsShape_Type;

// The class of that wrapper, which Python code does not get to see.
extern SS_HIDDEN PyTypeObject SsShapeObject_Type;

// The tuple of a native Shape, the same one as long as it lives. Takes over one strong reference to `shape`, on failure
// too. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_shape_fetch(TVMFFIObject* shape);

// The native object of a SsShape_Type instance. Borrowed.
SS_HIDDEN TVMFFIObject* ss_shape_native(PyObject* shape);

// ---- exchange_fields.c ----------------------------------------------------------------------------

// Tensors of other packages in an argument that a Go func reads as a record: an instance of a dataclass, or another object
// with attributes. Native code gets the object itself and reads it during the call, so the tensors in it are looked for
// before the call, which then is one of their package.

// Notes the tensors in the fields of `value`, and in the records, lists, tuples and dicts in these. Sets no error: the
// conversion of a field says what is wrong with it. May run Python code.
SS_HIDDEN void ss_exchange_use_fields(PyObject* value, SsExchangeUse* use);

// The names of the fields of a dataclass. New reference to a list; NULL when the class is no dataclass, or with an error
// set.
SS_HIDDEN PyObject* ss_dataclass_fields(PyTypeObject* cls);

// ---- offered_exchange.c ---------------------------------------------------------------------------

// The DLPack C exchange as classes of this package offer it; dlpack_exchange.h has the side that uses it.

// Gives a static class its attribute with the table, which must live as long as the process. Once, when the core starts.
// 0, or -1 with an error set.
SS_HIDDEN int ss_exchange_offer(PyTypeObject* cls, const SsExchange* exchange);

// The wrapper of a new Tensor, which takes over the managed tensor, also when it fails. New reference; NULL with an error
// set.
SS_HIDDEN PyObject* ss_exchange_take(DLManagedTensorVersioned* managed);

// The function `current_stream` of a table: the stream that this thread uses on the device.
SS_HIDDEN int ss_exchange_stream(int32_t device_type, int32_t device_id, void** out);

// ---- make_container.c -----------------------------------------------------------------------------

// Python lists, tuples and mappings to native containers.

// `use` may be NULL; otherwise it is told of other packages' tensors among the values, at any depth, and where it says so
// they are lent: then the container must be released before ss_lent_tensors_done.

// A new Array of the sequence's items. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_array_from_sequence(PyObject* sequence, SsExchangeUse* use);

// A new Map or Dict with the entries of `source`: a mapping, an iterable of pairs, or NULL for no entries. `maker` is
// SS_BUILTIN_MAP or SS_BUILTIN_DICT. `called` is the class that is called, which errors about a key or value name; or
// NULL. New reference, NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker, const char* called, SsExchangeUse* use);

#endif  // SELFSAME_CORE_CONVERT_CONVERT_H_
