// The extension module selfsame_ffi._core: its functions and its types.
#include "selfsame/version.h"
#include "types/types.h"
#include "tie/alloc_trace.h"
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
#include "registry.h"
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
  PyObject *dtype, *device;
  if (!PyArg_ParseTuple(args, "OO:set_dtype_and_device_classes", &dtype, &device)) return NULL;
  if (ss_set_dtype_and_device_classes(dtype, device) != 0) return NULL;
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

static PyObject* set_stream(PyObject* module, PyObject* args) {
  (void)module;
  int device_type, device_id;
  PyObject* number;
  if (!PyArg_ParseTuple(args, "iiO!:set_stream", &device_type, &device_id, &PyLong_Type, &number)) return NULL;
  TVMFFIStreamHandle stream = PyLong_AsVoidPtr(number), before = NULL;
  if (stream == NULL && PyErr_Occurred()) return NULL;
  if (ss_api.TVMFFIEnvSetStream(device_type, device_id, stream, &before) != 0) {
    ss_raise_native();
    return NULL;
  }
  return PyLong_FromVoidPtr(before);
}

static PyObject* get_stream(PyObject* module, PyObject* args) {
  (void)module;
  int device_type, device_id;
  if (!PyArg_ParseTuple(args, "ii:get_stream", &device_type, &device_id)) return NULL;
  return PyLong_FromVoidPtr(ss_api.TVMFFIEnvGetStream(device_type, device_id));
}

// ---- the module ----

static PyMethodDef methods[] = {
    {"start", ss_process_start, METH_VARARGS,
     "start(library, release_gil)\n--\n\nOpen the runtime library and bind its functions, once in a process. Whether "
     "this was the first call."},
    {"shut_down", ss_process_shut_down, METH_NOARGS,
     "shut_down()\n--\n\nFor atexit: from here on no release is deferred and no block kept."},
    {"before_fork", ss_process_before_fork, METH_NOARGS, "before_fork()\n--\n\nFor os.register_at_fork."},
    {"after_fork_in_parent", ss_process_after_fork_in_parent, METH_NOARGS,
     "after_fork_in_parent()\n--\n\nFor os.register_at_fork."},
    {"after_fork", ss_process_after_fork, METH_NOARGS, "after_fork()\n--\n\nFor os.register_at_fork, in the child."},
    {"type_key_to_index", ss_registry_type_key_to_index, METH_O, "The type index of a key, or None."},
    {"type_info", ss_registry_type_info, METH_O, "The reflection data of a type index as a dict, or None."},
    {"type_attr", ss_registry_type_attr, METH_VARARGS, "type_attr(type_index, name): a type attribute, or None."},
    {"set_static_attribute", ss_registry_set_static_attribute, METH_VARARGS, "set_static_attribute(cls, name, value)"},
    {"type_key_of", ss_registry_type_key_of, METH_O, "The key of a type index, or None."},
    {"type_ancestors", ss_reflect_ancestors, METH_O, "The type indices of a type's ancestors, ffi.Object's first."},
    {"declare_type", ss_declare_type, METH_VARARGS, "declare_type(key, parent_index): the index of a new type."},
    {"declare_field", ss_declare_field, METH_VARARGS,
     "declare_field(index, name, doc, metadata, flags, size, alignment, offset, storage, schema, default)"},
    {"declare_method", ss_declare_method, METH_VARARGS, "declare_method(index, name, metadata, flags, value)"},
    {"redeclare", ss_redeclare, METH_VARARGS,
     "redeclare(index, what, name, metadata, flags, value)\n--\n\nReplace a \"field\"'s default, a \"method\" or an "
     "\"attr\" of a type. Whether it has one."},
    {"declare_attr", ss_declare_attr, METH_VARARGS, "declare_attr(index, name, value): set a type attribute."},
    {"declare_metadata", ss_declare_metadata, METH_VARARGS, "declare_metadata(index, total_size, structural_kind)"},
    {"set_pointer_handlers", ss_set_pointer_handlers, METH_O,
     "set_pointer_handlers(dict): from a class to a function that gives an instance's address."},
    {"set_stream", set_stream, METH_VARARGS,
     "set_stream(device_type, device_id, stream): set this thread's stream for a device; the one before."},
    {"get_stream", get_stream, METH_VARARGS, "get_stream(device_type, device_id): this thread's stream for a device."},
    {"register_class", ss_registry_register_class, METH_VARARGS, "register_class(type_index, cls)"},
    {"registered_class", ss_registry_registered_class, METH_O, "The class registered for a type index, or None."},
    {"class_of", ss_registry_class_of, METH_O, "The class of a type index, made when none is registered."},
    {"set_class_maker", ss_registry_set_class_maker, METH_O, "Set the callable that makes a class for a type index."},
    {"set_error_tables", ss_registry_set_error_tables, METH_VARARGS,
     "set_error_tables(kind_to_class, class_to_kind, wrap, combined)"},
    {"get_global_func", ss_registry_get_global, METH_O, "The global function of a name, or None."},
    {"set_global_func", ss_registry_set_global, METH_VARARGS, "set_global_func(name, function, override)"},
    {"function_from_callable", function_from_callable, METH_O, "A Function that calls a Python callable."},
    {"function_of_tensors", ss_function_of_tensors, METH_VARARGS,
     "function_of_tensors(callable, tensor_cls): a Function whose callable gets tensors of a class with the DLPack C "
     "exchange."},
    {"sequence_numbers", ss_sequence_numbers, METH_O,
     "The elements of an Array or List as numbers: their format and a bytearray."},
    {"containers_equal", ss_containers_equal, METH_VARARGS,
     "containers_equal(a, b): whether two containers have equal contents, as native code sees them."},
    {"container_hash", ss_container_hash, METH_O, "A hash of a container's contents."},
    {"container_repr", ss_container_repr, METH_O, "How native code prints a container."},
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
    {"function_of_builtin", ss_function_of_builtin, METH_O,
     "function_of_builtin(name, /)\n--\n\nA Function that returns a new list, set or dict: 'list' and 'set' of its "
     "arguments, 'dict' of keys and values in turn, 'ints' and 'floats' of the numbers of 64 bits at an address, given their number."},
    {"function_that_forwards", ss_function_that_forwards, METH_O,
     "function_that_forwards(name, /)\n--\n\nA Function that uses the object that is its first argument: 'call' calls it with "
     "the others, 'attr' returns the attribute that the second one names, 'call_method' calls that with the rest. 'value' "
     "returns the object, and 'call_value' and 'call_method_value' what they call, as native values."},
    {"opaque", opaque, METH_O, "The wrapper of a new opaque object for a Python value."},
    {"opaque_value", opaque_value, METH_O, "The Python value of an opaque object, given its wrapper."},
    {"set_dtype_and_device_classes", set_dtype_and_device_classes, METH_VARARGS,
     "set_dtype_and_device_classes(dtype, device)"},
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
    {"set_wait_for_turn", set_wait_for_turn, METH_O,
     "set_wait_for_turn(wait): what runs other greenlets while one waits for its turn to return to Go."},
    {"set_copying", ss_copying_set, METH_VARARGS,
     "set_copying(reduce, copy, deepcopy, atoms): what CObject's methods call, and the classes of values with a native "
     "form."},
    {"native_type", ss_copying_native_type, METH_O,
     "The type index of a wrapper's native object. An error when it has none."},
    {"storable_items", ss_copying_items, METH_O,
     "A list of a container's items. One without a native form came from an opaque object, and gets a new one."},
    {"storable_fields", ss_copying_fields, METH_VARARGS,
     "storable_fields(obj, {name: field}): the fields' values by name, as storable_items."},
    {"has_type_function", ss_copying_has_type_function, METH_VARARGS,
     "has_type_function(type_index, name): whether a type attribute is a function; makes no wrapper for it."},
    {"can_make_blank", ss_copying_can_make_blank, METH_O,
     "Whether objects of a type index can be made without arguments."},
    {"blank", ss_copying_blank, METH_VARARGS, "blank(type_index, cls): an object of the class with default fields."},
    {"clone", ss_copying_clone, METH_O,
     "A shallow copy of the same class, by the type's own function; None when it has none."},
    {"rewrap", ss_copying_rewrap, METH_VARARGS,
     "rewrap(cls, obj): a wrapper of the class that takes obj's native object over and is its only owner."},
    {"tensor_bytes", ss_tensor_bytes, METH_O, "The elements of a Tensor in the CPU's memory."},
    {"tensor_from_bytes", ss_tensor_from_bytes, METH_VARARGS, "tensor_from_bytes((code, bits, lanes), shape, bytes)"},
    {"tensor_over", ss_tensor_over, METH_VARARGS, "tensor_over((code, bits, lanes), shape, buffer)"},
    {"restore_field", ss_copying_restore_field, METH_VARARGS,
     "restore_field(field, obj, value): sets a field, even a read-only one."},
    {"open_extension", ss_extension_open, METH_O,
     "Load a shared library with a SelfsameExtensionInit; what its packages wait for, None when they are initialised."},
    {"load_extension", ss_extension_load, METH_O,
     "Load a shared library and run its SelfsameExtensionInit; what setenv_of_extension takes, None where it has none."},
    {"setenv_of_extension", ss_extension_setenv, METH_VARARGS,
     "Tell the Go of a loaded library of a variable's value in the environment, None when it is gone."},
    {"foreign_runtime", ss_extension_foreign_runtime, METH_NOARGS,
     "Path of another runtime library that the process's tvm-ffi symbols come from, or None."},
    {"tie", ss_debug_tie, METH_O, "State and counts of a wrapper, as a dict."},
    {"counters", ss_debug_counters, METH_NOARGS, "Numbers of wrappers, tie records and kept blocks, as a dict."},
    {"wrapper_rows", ss_debug_wrapper_rows, METH_NOARGS, "[live, held, kept blocks, kept bytes] by class, as a dict."},
    {"class_index", ss_debug_class_index, METH_O, "The type index of a class or its nearest registered base, or None."},
    {"type_size", ss_debug_type_size, METH_O, "The size a type was registered with, in bytes, or None."},
    {"wait_for_cleanups", ss_collectors_wait, METH_NOARGS,
     "wait_for_cleanups()\n--\n\nWait for cleanups of dead objects that run on other threads. Whether there were any, "
     "and all have ended."},
    {"collect_others", ss_collectors_run, METH_NOARGS,
     "collect_others()\n--\n\nRun the collectors of other languages once each; how many objects they gave back."},
    {"collect_at_exit", ss_collectors_exit, METH_NOARGS, "collect_at_exit()\n--\n\nFor atexit, before shut_down."},
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
    {"start_tracing", ss_alloc_trace_start, METH_O, "start_tracing(frames): note where native objects are made."},
    {"stop_tracing", ss_alloc_trace_stop, METH_NOARGS, "stop_tracing()\n--\n\nNote no further native objects."},
    {"is_tracing", ss_alloc_trace_is_on, METH_NOARGS, "is_tracing()\n--\n\nWhether native objects are noted."},
    {"traced", ss_alloc_trace_list, METH_NOARGS,
     "traced()\n--\n\nThe noted native objects that are alive: (type index, size, Python stack, native stack)."},
    {"collectors", ss_collectors_list, METH_NOARGS,
     "collectors()\n--\n\nThe collectors of the process: (language, bytes kept by its objects or None)."},
    {"go_handles", ss_debug_go_handles, METH_NOARGS, "go_handles()\n--\n\nHow many tie records have a Go handle."},
    {"native_graph", ss_debug_native_graph, METH_VARARGS,
     "native_graph(wrappers, limit): the native objects that they lead to, as a list of tuples."},
    {"owners", ss_debug_owners, METH_NOARGS, "The ownership graph, as a list of tuples."},
    {"objects", ss_debug_objects, METH_O, "The wrappers of a type's native objects that have or had one."},
    {"live_objects", ss_debug_live_objects, METH_NOARGS, "Live native objects of the builtin allocator by type key."},
    {NULL, NULL, 0, NULL}};

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
      add_type(module, "CAny", &SsAnyValue_Type) != 0 || add_type(module, "RecordInit", &SsRecordInit_Type) != 0 ||
      add_type(module, "ObjectRValueRef", &SsRValueRef_Type) != 0 ||
      add_type(module, "DLTensorTestWrapper", &SsTensorTestWrapper_Type) != 0 || ss_tensor_exchange_init() != 0 ||
      add_type(module, "TensorView", &SsTensorView_Type) != 0 || ss_tensor_view_init() != 0) {
    return -1;
  }
  PyObject* wrapped_already = ss_wrapped_already_class();
  if (wrapped_already == NULL || add_type(module, "WrappedAlready", (PyTypeObject*)wrapped_already) != 0) return -1;
  ss_function_attributes_init();
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
