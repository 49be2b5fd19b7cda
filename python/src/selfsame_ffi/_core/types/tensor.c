// Tensor: its properties, and its import and export by DLPack. convert/dlpack.c does the conversion.
#include "types/types.h"

#include "convert/arguments.h"
#include "wrapper/classes.h"
#include "convert/convert.h"
#include "convert/dlpack.h"
#include "convert/function.h"
#include "convert/tensor_view.h"
#include "types/guard.h"
#include "wrapper/fetch.h"
#include "wrapper/tp_slots.h"

// The DLTensor in a wrapper. Borrowed, NULL with an error set. It never changes, so a pin is all that readers need
// (guard.h).
static const DLTensor* tensor_of(PyObject* self) {
  TVMFFIObject* object = ss_wrapper(self)->handle;
  if (object == NULL || object->type_index != kTVMFFITensor) return ss_wrong_native(self, "a Tensor");
  return SS_CELL(DLTensor, object);
}

static PyObject* get_shape(PyObject* self, void* closure) {
  (void)closure;
  const DLTensor* tensor = tensor_of(self);
  if (tensor == NULL) return NULL;
  ss_pin(ss_wrapper(self));  // allocating a tuple may run the collector, and so Python code
  PyObject* shape = ss_dl_shape(tensor);
  ss_unpin(ss_wrapper(self));
  return shape;
}
SS_DEFINE_GUARDED(PyObject*, NULL, get_shape, (PyObject * self, void* closure), (self, closure), 0);

static PyObject* get_strides(PyObject* self, void* closure) {
  (void)closure;
  const DLTensor* tensor = tensor_of(self);
  if (tensor == NULL) return NULL;
  ss_pin(ss_wrapper(self));  // as in get_shape
  PyObject* strides = ss_dl_strides(tensor);
  ss_unpin(ss_wrapper(self));
  return strides;
}
SS_DEFINE_GUARDED(PyObject*, NULL, get_strides, (PyObject * self, void* closure), (self, closure), 0);

#define GETTER(name, value)                              \
  static PyObject* name(PyObject* self, void* closure) { \
    (void)closure;                                       \
    const DLTensor* tensor = tensor_of(self);            \
    return tensor == NULL ? NULL : value;                \
  }                                                      \
  SS_DEFINE_GUARDED(PyObject*, NULL, name, (PyObject * self, void* closure), (self, closure), 0)

GETTER(get_dtype, ss_dtype_new(tensor->dtype));
GETTER(get_device, ss_device_new(tensor->device));
GETTER(get_ndim, PyLong_FromLong(tensor->ndim));

static PyObject* numel(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* tensor = tensor_of(self);
  return tensor == NULL ? NULL : PyLong_FromLongLong(ss_dl_numel(tensor));
}
SS_DEFINE_GUARDED(PyObject*, NULL, numel, (PyObject * self, PyObject* unused), (self, unused), 0);

static PyObject* extent_of(PyObject* self, Py_ssize_t asked) {
  const DLTensor* tensor = tensor_of(self);
  return tensor == NULL ? NULL : ss_dl_size(tensor, asked);
}
SS_DEFINE_GUARDED(PyObject*, NULL, extent_of, (PyObject * self, Py_ssize_t asked), (self, asked), 0);

static PyObject* size(PyObject* self, PyObject* dimension) {
  Py_ssize_t asked = PyNumber_AsSsize_t(dimension, PyExc_IndexError);
  if (asked == -1 && PyErr_Occurred()) return NULL;
  return SS_GUARDED(extent_of)(self, asked);
}

static PyObject* data_ptr(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* tensor = tensor_of(self);
  if (tensor == NULL) return NULL;
  return PyLong_FromVoidPtr(tensor->data == NULL ? NULL : (char*)tensor->data + tensor->byte_offset);
}
SS_DEFINE_GUARDED(PyObject*, NULL, data_ptr, (PyObject * self, PyObject* unused), (self, unused), 0);

static PyObject* is_contiguous(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* tensor = tensor_of(self);
  return tensor == NULL ? NULL : PyBool_FromLong(ss_dl_is_contiguous(tensor));
}
SS_DEFINE_GUARDED(PyObject*, NULL, is_contiguous, (PyObject * self, PyObject* unused), (self, unused), 0);

static PyObject* dlpack_device(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* tensor = tensor_of(self);
  return tensor == NULL ? NULL : ss_dl_device(tensor);
}
SS_DEFINE_GUARDED(PyObject*, NULL, dlpack_device, (PyObject * self, PyObject* unused), (self, unused), 0);

// `minor` is the version 1.minor that the importer knows at most; -1: any.
static PyObject* export_tensor(PyObject* self, int flags, long minor) {
  if (tensor_of(self) == NULL) return NULL;
  PyObject* capsule = ss_tensor_to_dlpack(ss_pin(ss_wrapper(self)), flags, minor);
  ss_unpin(ss_wrapper(self));
  return capsule;
}

static PyObject* to_dlpack(PyObject* self, PyObject* unused) {
  (void)unused;
  return export_tensor(self, 0, -1);
}
SS_DEFINE_GUARDED(PyObject*, NULL, to_dlpack, (PyObject * self, PyObject* unused), (self, unused), 0);

static PyObject* to_dlpack_versioned(PyObject* self, PyObject* unused) {
  (void)unused;
  return export_tensor(self, SS_DLPACK_VERSIONED, -1);
}
SS_DEFINE_GUARDED(PyObject*, NULL, to_dlpack_versioned, (PyObject * self, PyObject* unused), (self, unused), 0);

// A keyword argument that a function takes.
typedef struct {
  const char* text;    // its name
  PyObject* interned;  // the str by which calls name it: owned, never given back; NULL before the first call
} Keyword;

// The place of a name among `count` keywords, or `count`.
static int place_of(PyObject* name, Keyword* keywords, int count) {
  for (int i = 0; i < count; i++) {
    if (__atomic_load_n(&keywords[i].interned, __ATOMIC_RELAXED) == name) return i;
  }
  for (int i = 0; i < count; i++) {
    if (PyUnicode_CompareWithASCIIString(name, keywords[i].text) != 0) continue;
    PyObject* none = NULL;
    if (PyUnicode_CHECK_INTERNED(name) &&
        __atomic_compare_exchange_n(&keywords[i].interned, &none, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      Py_INCREF(name);
    }
    return i;
  }
  return count;
}

// Sorts keyword arguments: out[i] becomes the value of keywords[i], if given. CPython's own parser takes longer than a
// whole export. 0, or -1 with TypeError set.
static int take_keywords(const char* function, PyObject* const* values, PyObject* kwnames, Keyword* keywords, int count,
                         PyObject** out) {
  for (Py_ssize_t i = 0; kwnames != NULL && i < PyTuple_GET_SIZE(kwnames); i++) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, i);
    int found = place_of(name, keywords, count);
    if (found == count) {
      PyObject* known = PyTuple_New(count);
      for (int k = 0; known != NULL && k < count; k++) {
        PyObject* text = PyUnicode_FromString(keywords[k].text);
        if (text == NULL) Py_CLEAR(known);
        if (text != NULL) PyTuple_SET_ITEM(known, k, text);
      }
      ss_set_unexpected_keyword(name, known);
      ss_prefix_error("%s: ", function);
      return -1;
    }
    out[found] = values[i];
  }
  return 0;
}

static int two_ints(PyObject* tuple, const char* argument, long out[2]) {
  if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != 2) {
    PyErr_Format(PyExc_TypeError, "Tensor.__dlpack__: argument '%s': expected a tuple of two ints or None, got %R",
                 argument, tuple);
    return -1;
  }
  for (int i = 0; i < 2; i++) {
    out[i] = PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
    if (out[i] == -1 && PyErr_Occurred()) {
      ss_prefix_error("Tensor.__dlpack__: argument '%s': ", argument);
      return -1;
    }
  }
  return 0;
}

// Whether a consumer on this device may give the stream, by the array API's standard: 0, or -1 with an error set. A Tensor has no
// stream of its own to order work by: its owner synchronises.
static int check_stream(PyObject* stream, DLDevice device) {
  if (stream == Py_None) return 0;
  int cuda = device.device_type == kDLCUDA || device.device_type == kDLCUDAManaged,
      rocm = device.device_type == kDLROCM;
  int cpu = device.device_type == kDLCPU;
  if (!cuda && !rocm && !cpu) return 0;
  static const char text[] = "Tensor.__dlpack__: argument 'stream'";
  if (!PyLong_Check(stream) || PyBool_Check(stream)) {
    PyErr_Format(PyExc_TypeError, "%s: expected an int or None, got %R", text, stream);
    return -1;
  }
  int overflow;
  long long value = PyLong_AsLongLongAndOverflow(stream, &overflow);
  if (overflow == 0 && value == -1 && PyErr_Occurred()) return -1;
  if (overflow == 0 && value == -1) return 0;  // no synchronisation
  if (cpu) {
    PyErr_Format(PyExc_BufferError, "%s: expected None or -1 for memory of the CPU, got %R", text, stream);
  } else if (overflow < 0 || value < -1 || (cuda && value == 0) || (rocm && (value == 1 || value == 2))) {
    PyErr_Format(PyExc_ValueError, "%s: expected %s, got %R", text,
                 cuda ? "-1, 1, 2 or an address" : "-1, 0 or an address", stream);
  }
  return PyErr_Occurred() ? -1 : 0;
}

static PyObject* dlpack(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  static Keyword keywords[] = {{"stream", NULL}, {"max_version", NULL}, {"dl_device", NULL}, {"copy", NULL}};
  PyObject* given[] = {Py_None, Py_None, Py_None, Py_None};
  if (count != 0)
    return PyErr_Format(PyExc_TypeError, "Tensor.__dlpack__: expected no positional arguments, got %zd", count);
  if (take_keywords("Tensor.__dlpack__", args, kwnames, keywords, 4, given) != 0) return NULL;
  PyObject *version = given[1], *device = given[2], *copy = given[3];
  long asked[2] = {0, 0}, on[2] = {0, 0};
  if (version != Py_None && two_ints(version, "max_version", asked) != 0) return NULL;
  if (device != Py_None && two_ints(device, "dl_device", on) != 0) return NULL;
  int copied = copy == Py_None ? 0 : PyObject_IsTrue(copy);
  if (copied < 0) return NULL;
  const DLTensor* tensor = tensor_of(self);  // after reading the arguments, which may run Python code
  if (tensor == NULL) return NULL;
  if (device != Py_None && (on[0] != (long)tensor->device.device_type || on[1] != tensor->device.device_id)) {
    PyErr_SetString(PyExc_BufferError, "Tensor.__dlpack__: argument 'dl_device': expected the Tensor's own device");
    return NULL;
  }
  if (check_stream(given[0], tensor->device) != 0) return NULL;
  int flags = asked[0] >= 1 ? SS_DLPACK_VERSIONED : 0;
  long minor = asked[0] == DLPACK_MAJOR_VERSION ? asked[1] : -1;
  if (!copied) return export_tensor(self, flags, minor);
  TVMFFIObject* handle = ss_pin(ss_wrapper(self));
  if (handle == NULL) return ss_no_handle(self);
  TVMFFIObject* another = ss_tensor_copy(handle);
  ss_unpin(ss_wrapper(self));
  if (another == NULL) return NULL;
  PyObject* capsule = ss_tensor_to_dlpack(another, flags | SS_DLPACK_COPIED, minor);
  ss_decref(another);  // the capsule owns another reference
  return capsule;
}
SS_DEFINE_GUARDED(PyObject*, NULL, dlpack,
                  (PyObject * self, PyObject* const* args, Py_ssize_t count, PyObject* kwnames),
                  (self, args, count, kwnames), 0);

// Whether a Tensor satisfies the requirements of an import. 0, or -1 with an error set; the texts are the published
// library's.
static int check_demands(PyObject* self, int alignment, int contiguous) {
  const DLTensor* tensor = tensor_of(self);
  if (tensor == NULL) return -1;
  if (alignment > 0 && ((uintptr_t)tensor->data + tensor->byte_offset) % (uintptr_t)alignment != 0) {
    PyErr_Format(PyExc_RuntimeError, "FromDLPack: Data is not aligned to %d bytes.", alignment);
    return -1;
  }
  PyObject* is = contiguous ? is_contiguous(self, NULL) : NULL;
  if (is == Py_False) PyErr_SetString(PyExc_RuntimeError, "FromDLPack: Tensor is not contiguous.");
  Py_XDECREF(is);
  return PyErr_Occurred() ? -1 : 0;
}
SS_DEFINE_GUARDED(int, -1, check_demands, (PyObject * self, int alignment, int contiguous),
                  (self, alignment, contiguous), 0);

PyObject* ss_from_dlpack(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* kwnames) {
  (void)module;
  static Keyword keywords[] = {{"require_alignment", NULL}, {"require_contiguous", NULL}, {"ext_tensor", NULL}};
  PyObject* given[] = {NULL, NULL, count == 1 ? args[0] : NULL};
  if (count > 1) return PyErr_Format(PyExc_TypeError, "from_dlpack: expected 1 positional argument, got %zd", count);
  if (take_keywords("from_dlpack", args + count, kwnames, keywords, 3 - (int)count, given) != 0) return NULL;
  PyObject* source = given[2];
  if (source == NULL) return PyErr_Format(PyExc_TypeError, "from_dlpack: argument 'ext_tensor': missing");
  long long alignment = given[0] == NULL ? 0 : PyLong_AsLongLong(given[0]);
  if (alignment == -1 && PyErr_Occurred()) {
    ss_prefix_error("from_dlpack: argument 'require_alignment': ");
    return NULL;
  }
  int contiguous = given[1] == NULL ? 0 : PyObject_IsTrue(given[1]);
  if (contiguous < 0) return NULL;
  if (alignment > INT32_MAX) {
    return PyErr_Format(PyExc_ValueError,
                        "from_dlpack: argument 'require_alignment': expected at most 2147483647, got %lld", alignment);
  }
  if (alignment < 0) {
    return PyErr_Format(PyExc_ValueError, "from_dlpack: argument 'require_alignment': expected at least 0, got %lld",
                        alignment);
  }
  if (PyObject_TypeCheck(source, &SsTensor_Type)) {  // no conversion: the same object
    if (SS_GUARDED(check_demands)(source, (int)alignment, contiguous) != 0) return NULL;
    return ss_new_ref(source);
  }
  TVMFFIObject* tensor = ss_tensor_from_dlpack(source, (int32_t)alignment, contiguous);
  return tensor == NULL ? NULL : ss_fetch(tensor);
}

static int tensor_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  (void)self;
  (void)args;
  (void)kwargs;
  PyErr_SetString(PyExc_TypeError, "Tensor: has no constructor; use from_dlpack");
  return -1;
}

static PyGetSetDef getset[] = {{"shape", SS_GUARDED(get_shape), NULL, "The extents, as a tuple.", NULL},
                               {"strides", SS_GUARDED(get_strides), NULL,
                                "The distance of neighbours in each dimension, in elements, as a tuple.", NULL},
                               {"dtype", SS_GUARDED(get_dtype), NULL, "The data type of an element.", NULL},
                               {"device", SS_GUARDED(get_device), NULL, "Where the memory is.", NULL},
                               {"ndim", SS_GUARDED(get_ndim), NULL, "Number of dimensions.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"numel", SS_GUARDED(numel), METH_NOARGS, "numel($self, /)\n--\n\nNumber of elements."},
    {"size", size, METH_O, "size($self, idx, /)\n--\n\nThe extent of one dimension; negative ones count from the end."},
    {"data_ptr", SS_GUARDED(data_ptr), METH_NOARGS,
     "data_ptr($self, /)\n--\n\nAddress of the first element, 0 without memory."},
    {"is_contiguous", SS_GUARDED(is_contiguous), METH_NOARGS,
     "is_contiguous($self, /)\n--\n\nWhether the elements lie without gaps, the last dimension's next to each other."},
    {"__dlpack__", (PyCFunction)(void (*)(void))SS_GUARDED(dlpack), METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A capsule with this tensor, which it keeps alive; with copy=True one with a copy in the CPU's memory. "
     "BufferError for another device, for a copy of what is not the CPU's, and for a stream on the CPU. Orders no work of "
     "streams."},
    {"__dlpack_device__", SS_GUARDED(dlpack_device), METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nThe device as (type, index)."},
    {"_to_dlpack", SS_GUARDED(to_dlpack), METH_NOARGS,
     "_to_dlpack($self, /)\n--\n\nA capsule of the unversioned kind."},
    {"_to_dlpack_versioned", SS_GUARDED(to_dlpack_versioned), METH_NOARGS,
     "_to_dlpack_versioned($self, /)\n--\n\nA capsule of the versioned kind."},
    {NULL, NULL, 0, NULL}};

// Without these slots Python would read the memory of the elements as text.
static PyObject* refuse_number(PyObject* self, const char* function) {
  return PyErr_Format(PyExc_TypeError,
                      "%s: expected a number, got %.100s; take an element, as with numpy.from_dlpack(t)[0]", function,
                      Py_TYPE(self)->tp_name);
}
static PyObject* refuse_float(PyObject* self) { return refuse_number(self, "float"); }
static PyObject* refuse_int(PyObject* self) { return refuse_number(self, "int"); }
static PyNumberMethods as_number = {.nb_float = refuse_float, .nb_int = refuse_int};

PyTypeObject SsTensor_Type = {
    SS_WRAPPER_TYPE("selfsame_ffi._core.TensorBase", "The native half of selfsame_ffi.Tensor.", &SsObject_Type,
                    SsWrapper, Py_TPFLAGS_BASETYPE),
    .tp_init = tensor_init,
    .tp_as_buffer = &ss_tensor_buffer,
    .tp_as_number = &as_number,
    .tp_getset = getset,
    .tp_methods = methods,
};
