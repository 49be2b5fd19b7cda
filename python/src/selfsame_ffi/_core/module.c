// The extension module selfsame_ffi._core: its functions and its types.
#include "selfsame/version.h"
#include "types/types.h"
#include "tie/alloc_trace.h"
#include "convert/arrow.h"
#include "convert/convert.h"
#include "convert/lent_values.h"
#include "wrapper/classes.h"
#include "wrapper/weak_references.h"
#include "module.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "convert/kept_errors.h"
#include "convert/move.h"
#include "convert/schema.h"
#include "tie/go_order.h"
#include "tie/python_owner.h"
#include "gc/collectors.h"
#include "gc/cpython_gc.h"
#include "gc/full_collection.h"
#include "types/sequence.h"
#include "convert/tensor_view.h"
#include "convert/text.h"
#include "wrapper/fetch.h"
#include "convert/to_python.h"

// ---- values ----

static PyObject* convert(PyObject* module, PyObject* value) {
  (void)module;
  return ss_convert(value);
}

static PyObject* opaque(PyObject* module, PyObject* value) {
  (void)module;
  TVMFFIObject* object = ss_opaque_new(value);
  return object == NULL ? NULL : ss_fetch(object);
}

static PyObject* opaque_value(PyObject* module, PyObject* wrapper) {
  (void)module;
  if (!ss_is_wrapper(wrapper)) {
    return PyErr_Format(PyExc_TypeError, "expected an OpaquePyObject, got %.100s", Py_TYPE(wrapper)->tp_name);
  }
  TVMFFIObject* object = ss_pin(ss_wrapper(wrapper));
  if (object == NULL) return ss_no_handle(wrapper);
  PyObject* value = object->type_index == kTVMFFIOpaquePyObject ? ss_opaque_python_object(object) : NULL;
  Py_XINCREF(value);
  ss_unpin(ss_wrapper(wrapper));
  if (value == NULL) {
    return PyErr_Format(PyExc_TypeError, "this %.100s object holds no Python value", Py_TYPE(wrapper)->tp_name);
  }
  return value;
}

static PyObject* set_dtype_and_device_classes(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *dtype, *device, *names;
  if (!PyArg_ParseTuple(args, "OOO:set_dtype_and_device_classes", &dtype, &device, &names)) return NULL;
  if (ss_device_set_names(names) != 0 || ss_set_dtype_and_device_classes(dtype, device) != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* function_from_callable(PyObject* module, PyObject* callable) {
  (void)module;
  if (!PyCallable_Check(callable)) {
    return PyErr_Format(PyExc_TypeError, "expected a callable, got %.100s", Py_TYPE(callable)->tp_name);
  }
  TVMFFIObject* function = ss_function_from_callable(callable);
  return function == NULL ? NULL : ss_fetch(function);
}

static PyObject* interrupt(PyObject* module, PyObject* args) {
  (void)module;
  unsigned long thread;
  PyObject* exception;
  if (!PyArg_ParseTuple(args, "kO:interrupt", &thread, &exception)) return NULL;
  return PyLong_FromLong(PyThreadState_SetAsyncExc(thread, exception == Py_None ? NULL : exception));
}

// What the hook of repeat_interrupt has: the exception class, whether this thread is to be interrupted, the hook before.
enum { REPEATED_EXCEPTION, REPEATED_WANTED, REPEATED_HOOK };

// The hook. Were it written in Python, the exception that it repeats would come in it.
static PyObject* interrupt_again(PyObject* repeated, PyObject* unraisable) {
  PyObject* exception = PyTuple_GET_ITEM(repeated, REPEATED_EXCEPTION);
  PyObject* type = PyObject_GetAttrString(unraisable, "exc_type");
  if (type == NULL) return NULL;
  int is_interrupt = PyErr_GivenExceptionMatches(type, exception);
  Py_DECREF(type);
  if (is_interrupt) {
    PyObject* wanted = PyObject_CallObject(PyTuple_GET_ITEM(repeated, REPEATED_WANTED), NULL);
    if (wanted == NULL && !PyErr_ExceptionMatches(exception)) return NULL;
    PyErr_Clear();  // another interrupt of this thread
    is_interrupt = wanted != Py_False;
    Py_XDECREF(wanted);
  }
  if (!is_interrupt) return PyObject_CallFunctionObjArgs(PyTuple_GET_ITEM(repeated, REPEATED_HOOK), unraisable, NULL);
  PyThreadState_SetAsyncExc(PyThread_get_thread_ident(), exception);
  Py_RETURN_NONE;
}

static PyMethodDef interrupt_again_def = {"interrupt_again", interrupt_again, METH_O, "For sys.unraisablehook."};

static PyObject* repeat_interrupt(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *exception, *wanted, *hook;
  if (!PyArg_ParseTuple(args, "OOO:repeat_interrupt", &exception, &wanted, &hook)) return NULL;
  return PyCFunction_New(&interrupt_again_def, args);  // keeps the arguments
}

static PyObject* hosted(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return PyBool_FromLong(ss_api_hosted);
}

static PyObject* set_wait_for_turn(PyObject* module, PyObject* wait) {
  (void)module;
  ss_go_order_set_wait(wait);
  Py_RETURN_NONE;
}

// ---- streams ----

// The two numbers of a device. 0, or -1 with an error set.
static int read_device(const char* function, PyObject* const* args, Py_ssize_t count, Py_ssize_t expected,
                       int* numbers) {
  if (count != expected) {
    PyErr_Format(PyExc_TypeError, "%s: expected %zd arguments, got %zd", function, expected, count);
    return -1;
  }
  for (int i = 0; i < 2; i++) {
    long number = PyLong_AsLong(args[i]);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (number < INT_MIN || number > INT_MAX) {
      PyErr_Format(PyExc_OverflowError, "%s: expected an int of 32 bits, got %ld", function, number);
      return -1;
    }
    numbers[i] = (int)number;
  }
  return 0;
}

static PyObject* set_stream(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  int device[2];
  if (read_device("set_stream", args, count, 3, device) != 0) return NULL;
  if (!PyLong_Check(args[2])) {
    return PyErr_Format(PyExc_TypeError, "set_stream: expected an int, got %.100s", Py_TYPE(args[2])->tp_name);
  }
  unsigned long long address = PyLong_AsUnsignedLongLong(args[2]);  // PyLong_AsVoidPtr takes negative ints
  if (address == (unsigned long long)-1 && PyErr_Occurred()) return NULL;
  TVMFFIStreamHandle stream = (TVMFFIStreamHandle)(uintptr_t)address, before = NULL;
  if (ss_api.TVMFFIEnvSetStream(device[0], device[1], stream, &before) != 0) return ss_raise_native_null();
  return PyLong_FromVoidPtr(before);
}

static PyObject* get_stream(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  (void)module;
  int device[2];
  if (read_device("get_stream", args, count, 2, device) != 0) return NULL;
  return PyLong_FromVoidPtr(ss_api.TVMFFIEnvGetStream(device[0], device[1]));
}

// ---- the module ----

static PyMethodDef methods[] = {
    {"type_ancestors", ss_reflect_ancestors, METH_O, "The type indices of a type's ancestors, ffi.Object's first."},
    {"set_pointer_handlers", ss_set_pointer_handlers, METH_O,
     "set_pointer_handlers(dict): from a class to a function that gives an instance's address."},
    {"set_stream", (PyCFunction)(void (*)(void))set_stream, METH_FASTCALL,
     "set_stream(device_type, device_id, stream): set this thread's stream for a device; the one before."},
    {"get_stream", (PyCFunction)(void (*)(void))get_stream, METH_FASTCALL,
     "get_stream(device_type, device_id): this thread's stream for a device."},
    {"function_from_callable", function_from_callable, METH_O, "A Function that calls a Python callable."},
    {"function_of_tensors", ss_function_of_tensors, METH_VARARGS,
     "function_of_tensors(callable, tensor_cls): a Function whose callable gets tensors of a class with the DLPack C "
     "exchange."},
    {"sequence_numbers", ss_sequence_numbers, METH_O,
     "The elements of an Array or List as numbers: their format and a bytearray."},
    {"convert", convert, METH_O, "The value that native code would return for a value."},
    {"call_batch", ss_call_batch, METH_VARARGS,
     "call_batch(function, columns, count, dtype, out, parallel, partial=False, first=0, /)\n--\n\nCall a Function of "
     "Go for each of the first count items of the columns. The results are a list, or None and in out. Items are counted "
     "from first on."},
    {"keep_gil_in_single_calls", ss_keep_gil_in_single_calls, METH_O,
     "keep_gil_in_single_calls(function, /)\n--\n\nHave calls of a Function keep the GIL, but not those with a batch."},
    {"batch_kind", ss_batch_kind, METH_VARARGS,
     "batch_kind(function, kind=None, /)\n--\n\nThe number of a Function that says how its batches look, 0 for one "
     "that takes none; or gives it that number."},
    {"new_ufunc", ss_new_ufunc, METH_VARARGS,
     "new_ufunc(api, function, dtypes, name, doc, /)\n--\n\nA ufunc of NumPy that calls a Function of Go for each "
     "element."},
    {"lend_arguments", ss_lend_arguments, METH_VARARGS,
     "lend_arguments(function, values, numbers, bytes, records, written, any, /)\n--\n\nWhich arguments of a Function are lent, one "
     "bit for each of the first 32: lists and dicts as values; lists and buffers as numbers; bytearrays and memoryviews "
     "as bytes. And which ones it reads as records that have tensors, which it writes through, and which of these take "
     "any value."},
    {"plain", (PyCFunction)(void (*)(void))ss_plain, METH_FASTCALL,
     "plain(value, other, /)\n--\n\nA copy of an Array or Map as a list or dict, all the way down; other copies a List "
     "or Dict in it."},
    {"callable_of", ss_callable_behind, METH_O,
     "callable_of(function, /)\n--\n\nThe callable of a Function that calls one of Python; None for any other."},
    {"function_of_gil", ss_function_of_gil, METH_NOARGS,
     "function_of_gil()\n--\n\nA Function that gives the GIL up, or with an argument takes it back."},
    {"function_of_builtin", ss_function_of_builtin, METH_O,
     "function_of_builtin(name, /)\n--\n\nA Function that returns a new list, set or dict: 'list' and 'set' of its "
     "arguments, 'dict' of keys and values in turn, 'ints' and 'floats' of the numbers of 64 bits at an address, given their number."},
    {"function_that_forwards", ss_function_that_forwards, METH_O,
     "function_that_forwards(name, /)\n--\n\nA Function that uses the object that is its first argument: 'call' calls it with "
     "the others, 'attr' returns the attribute that the second one names, 'call_method' calls that with the rest. 'value' "
     "returns the object, and 'call_value' and 'call_method_value' what they call, as native values."},
    {"arrow_capsule", ss_arrow_capsule, METH_VARARGS,
     "arrow_capsule(name, fill, /)\n--\n\nA capsule with an Arrow struct that `fill` has filled, given its address."},
    {"arrow_stream", ss_arrow_stream, METH_VARARGS,
     "arrow_stream(schema, next, /)\n--\n\nA capsule with an Arrow stream of what `next` fills, given its address."},
    {"arrow_address", ss_arrow_address, METH_VARARGS,
     "arrow_address(capsule, name, /)\n--\n\nThe address of the struct in a capsule."},
    {"opaque", opaque, METH_O, "The wrapper of a new opaque object for a Python value."},
    {"opaque_value", opaque_value, METH_O, "The Python value of an opaque object, given its wrapper."},
    {"set_dtype_and_device_classes", set_dtype_and_device_classes, METH_VARARGS,
     "set_dtype_and_device_classes(dtype, device, names): the classes, and the names of devices' types by their numbers."},
    {"dtype_parts", ss_dtype_parts, METH_O, "Code, bits and lanes of a data type's name."},
    {"dtype_text", ss_dtype_text, METH_VARARGS, "dtype_text(code, bits, lanes): the data type's name."},
    {"from_dlpack", (PyCFunction)(void (*)(void))ss_from_dlpack, METH_FASTCALL | METH_KEYWORDS,
     "from_dlpack(ext_tensor, *, require_alignment=0, require_contiguous=False)\n--\n\n"
     "A Tensor over the memory of an object with __dlpack__ or a capsule; a Tensor is itself.\n\n"
     "Raises RuntimeError when the memory is not aligned to require_alignment bytes or, with require_contiguous, has\n"
     "gaps; BufferError for read-only memory; TypeError for an object that exports none."},
    {"interrupt", interrupt, METH_VARARGS,
     "interrupt(thread, exception, /)\n--\n\nHas a thread raise an exception class before its next instruction, or with None no "
     "longer raise one. The number of threads that it found."},
    {"repeat_interrupt", repeat_interrupt, METH_VARARGS,
     "repeat_interrupt(exception, wanted, hook, /)\n--\n\nA sys.unraisablehook before another one: raises an interrupt again that "
     "came where Python ignores exceptions, such as in __del__, if wanted() says that the thread is to be interrupted."},
    {"set_wait_for_turn", set_wait_for_turn, METH_O,
     "set_wait_for_turn(wait): what runs other greenlets while one waits for its turn to return to Go."},
    {"collector", ss_gc_name, METH_NOARGS,
     "collector()\n--\n\nThe name of CPython's collector, or None when its full collections cannot be followed."},
    {"collection", (PyCFunction)(void (*)(void))ss_collection_callback, METH_FASTCALL, "For gc.callbacks."},
    {"unaccounted", ss_leak_report, METH_NOARGS, "The native objects with unknown owners, as a list of tuples."},
    {"collection_report", ss_collection_report, METH_NOARGS,
     "Numbers of the native objects that the last full collection examined, as a dict."},
    {"lacking", ss_api_lacking, METH_O, "lacking(names): those that no library in the process has."},
    {"hosted", hosted, METH_NOARGS,
     "Whether the process is a Go program that brings the runtime and made the interpreter."},
    {"abi_version", ss_api_abi_version, METH_NOARGS, "The version of the ABI that the runtime serves."},
    {"native_graph", ss_debug_native_graph, METH_VARARGS,
     "native_graph(wrappers, limit): the native objects that they lead to, as a list of tuples."},
    {"owners", ss_debug_owners, METH_NOARGS, "The ownership graph, as a list of tuples."},
    {"objects", ss_debug_objects, METH_O, "The wrappers of a type's native objects that have or had one."},
    {NULL, NULL, 0, NULL}};

// The functions of files that have several.
static PyMethodDef* const tables[] = {ss_process_functions,   ss_registry_functions,   ss_declare_functions,
                                      ss_copying_functions,   ss_container_functions,  ss_tensor_contents_functions,
                                      ss_extension_functions, ss_collectors_functions, ss_alloc_trace_functions,
                                      ss_debug_functions};

static int add_type(PyObject* module, const char* name, PyTypeObject* type) {
  if (PyType_Ready(type) != 0) return -1;
  Py_INCREF(type);
  if (PyModule_AddObject(module, name, (PyObject*)type) != 0) {
    Py_DECREF(type);
    return -1;
  }
  return 0;
}

static int module_exec(PyObject* module) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "selfsame_ffi: cannot be imported in a sub-interpreter: native objects have one "
                    "Python wrapper per process, which belongs to the main interpreter");
    return -1;
  }
  if (PyModule_AddStringConstant(module, "__version__", SELFSAME_VERSION) != 0) return -1;
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
    if (PyModule_AddFunctions(module, tables[i]) != 0) return -1;
  }
  ss_object_type_init();
  if (ss_text_types_init() != 0 || ss_kept_errors_init() != 0 ||
      add_type(module, "PyNativeObject", &SsPyNative_Type) != 0 || add_type(module, "String", &SsString_Type) != 0 ||
      add_type(module, "Bytes", &SsBytes_Type) != 0) {
    return -1;
  }
  SsShape_Type.tp_base = &PyTuple_Type;  // not a constant where CPython is another library, as on Windows
  if (add_type(module, "CObject", &SsObject_Type) != 0 || add_type(module, "Function", &SsFunction_Type) != 0 ||
      add_type(module, "Error", &SsError_Type) != 0 || add_type(module, "ArrayBase", &SsArray_Type) != 0 ||
      add_type(module, "ListBase", &SsList_Type) != 0 || add_type(module, "NumbersBase", &SsNumbers_Type) != 0 ||
      add_type(module, "MapBase", &SsMap_Type) != 0 || add_type(module, "DictBase", &SsDict_Type) != 0 ||
      add_type(module, "SequenceIterator", &SsSequenceIter_Type) != 0 ||
      add_type(module, "MapIterator", &SsMapIter_Type) != 0 ||
      add_type(module, "GoIterator", &SsGoIterator_Type) != 0 ||
      add_type(module, "IterableBatches", &SsIterableBatches_Type) != 0 ||
      add_type(module, "Shape", &SsShape_Type) != 0 || add_type(module, "ShapeObject", &SsShapeObject_Type) != 0 ||
      add_type(module, "TensorBase", &SsTensor_Type) != 0 || add_type(module, "Field", &SsField_Type) != 0 ||
      add_type(module, "Method", &SsMethod_Type) != 0 || add_type(module, "BoundMethod", &SsBoundMethod_Type) != 0 ||
      add_type(module, "StaticMethod", &SsStaticMethod_Type) != 0 ||
      add_type(module, "Constructor", &SsConstructor_Type) != 0 || add_type(module, "Schema", &SsSchema_Type) != 0 ||
      add_type(module, "CAny", &SsAnyValue_Type) != 0 || add_type(module, "DeviceBase", &SsDevice_Type) != 0 ||
      add_type(module, "RecordInit", &SsRecordInit_Type) != 0 ||
      add_type(module, "ObjectRValueRef", &SsRValueRef_Type) != 0 ||
      add_type(module, "DLTensorTestWrapper", &SsTensorTestWrapper_Type) != 0 || ss_tensor_exchange_init() != 0 ||
      add_type(module, "TensorView", &SsTensorView_Type) != 0 || ss_tensor_view_init() != 0) {
    return -1;
  }
  PyObject* wrapped_already = ss_wrapped_already_class();
  if (wrapped_already == NULL || add_type(module, "WrappedAlready", (PyTypeObject*)wrapped_already) != 0) return -1;
  ss_function_type_init();
  if (ss_weak_references_init() != 0 || ss_gc_functions_init() != 0) return -1;
  return ss_classes_init(ss_function_vectorcall);
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void*)module_exec},
#ifdef Py_mod_gil
                                          {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
#ifdef Py_mod_multiple_interpreters
                                          {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
                                          {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "selfsame_ffi._core",
    .m_doc = "The C core of selfsame. Use the package, not this module.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
