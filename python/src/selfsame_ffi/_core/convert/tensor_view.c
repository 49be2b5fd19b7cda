// TensorView; see tensor_view.h.
#include "convert/tensor_view.h"

#include <stdlib.h>

#include "convert/convert.h"
#include "convert/errors.h"
#include "selfsame/internal/tensor.h"
#include "wrapper/classes.h"

struct SsTensorView {
  PyObject_HEAD const DLTensor* dl;  // NULL when the call has ended
  SsTensorView* next;                // of the same call
};

// ---- descriptions ----

static PyObject* tuple_of(const int64_t* values, int32_t count) {
  PyObject* tuple = PyTuple_New(count);
  for (int32_t i = 0; tuple != NULL && i < count; i++) {
    PyObject* number = PyLong_FromLongLong(values[i]);
    if (number == NULL) {
      Py_CLEAR(tuple);
    } else {
      PyTuple_SET_ITEM(tuple, i, number);
    }
  }
  return tuple;
}

PyObject* ss_dl_shape(const DLTensor* dl) { return tuple_of(dl->shape, dl->ndim); }

static PyObject* cpu_device;  // of ss_dl_device: what an importer asks first, of most tensors

PyObject* ss_dl_device(const DLTensor* dl) {
  if (SS_LIKELY(dl->device.device_type == kDLCPU && dl->device.device_id == 0)) {
    Py_INCREF(cpu_device);
    return cpu_device;
  }
  const int64_t parts[] = {(int64_t)dl->device.device_type, dl->device.device_id};
  return tuple_of(parts, 2);
}

PyObject* ss_dl_strides(const DLTensor* dl) {
  if (dl->strides != NULL) return tuple_of(dl->strides, dl->ndim);
  PyObject* tuple = PyTuple_New(dl->ndim);
  int64_t stride = 1;
  for (int32_t i = dl->ndim - 1; tuple != NULL && i >= 0; i--) {
    PyObject* number = PyLong_FromLongLong(stride);
    if (number == NULL) {
      Py_CLEAR(tuple);
    } else {
      PyTuple_SET_ITEM(tuple, i, number);
    }
    stride *= dl->shape[i];
  }
  return tuple;
}

PyObject* ss_dl_size(const DLTensor* dl, Py_ssize_t dimension) {
  Py_ssize_t i = dimension < 0 ? dimension + dl->ndim : dimension;
  if (i >= 0 && i < dl->ndim) return PyLong_FromLongLong(dl->shape[i]);
  return PyErr_Format(PyExc_IndexError, "Dimension %zd out of range for tensor with %d dimensions", dimension,
                      (int)dl->ndim);
}

int64_t ss_dl_numel(const DLTensor* dl) {
  int64_t count = 1;
  for (int32_t i = 0; i < dl->ndim; i++) count *= dl->shape[i];
  return count;
}

int ss_dl_is_contiguous(const DLTensor* dl) {
  if (dl->strides == NULL) return 1;
  int64_t expected = 1;
  int contiguous = 1;
  for (int32_t i = dl->ndim - 1; i >= 0; i--) {
    if (dl->shape[i] == 0) return 1;
    if (dl->shape[i] != 1 && dl->strides[i] != expected) contiguous = 0;
    expected *= dl->shape[i];
  }
  return contiguous;
}

// ---- the view ----

PyObject* ss_tensor_view_new(const DLTensor* dl, SsTensorView** all) {
  if (dl == NULL) Py_RETURN_NONE;
  if (dl->ndim < 0 || (dl->ndim > 0 && dl->shape == NULL)) {
    return PyErr_Format(PyExc_ValueError, "expected a DLTensor with an extent for each dimension, got ndim %d %s",
                        (int)dl->ndim, dl->shape == NULL ? "without a shape" : "");
  }
  if (SS_UNLIKELY(!ss_tensor_is_sound(dl))) {
    PyErr_SetString(PyExc_ValueError,
                    "expected a DLTensor with lanes, without negative extents and with offsets that fit int64_t");
    return NULL;
  }
  SsTensorView* view = PyObject_New(SsTensorView, &SsTensorView_Type);
  if (view == NULL) return NULL;
  view->dl = dl;
  view->next = *all;
  *all = view;
  return (PyObject*)view;
}

void ss_tensor_views_end(SsTensorView* all) {
  for (SsTensorView* view = all; view != NULL; view = view->next) __atomic_store_n(&view->dl, NULL, __ATOMIC_RELAXED);
}

// Borrowed, NULL with RuntimeError set.
static const DLTensor* dl_of(PyObject* self) {
  const DLTensor* dl = __atomic_load_n(&((SsTensorView*)self)->dl, __ATOMIC_RELAXED);
  if (SS_LIKELY(dl != NULL)) return dl;
  PyErr_SetString(PyExc_RuntimeError,
                  "TensorView: the call that lent the tensor has returned; copy the elements during the call");
  return NULL;
}

int ss_tensor_view_lend(PyObject* view, TVMFFIAny* out) {
  const DLTensor* dl = dl_of(view);
  if (dl == NULL) return -1;
  ss_set_bits(out, kTVMFFIDLTensorPtr, 0);
  out->v_ptr = (void*)dl;
  return 0;
}

// ---- attributes and methods ----

#define GETTER(name, value)                              \
  static PyObject* name(PyObject* self, void* closure) { \
    (void)closure;                                       \
    const DLTensor* dl = dl_of(self);                    \
    return dl == NULL ? NULL : value;                    \
  }

GETTER(get_shape, ss_dl_shape(dl))
GETTER(get_strides, ss_dl_strides(dl))
GETTER(get_dtype, ss_dtype_new(dl->dtype))
GETTER(get_device, ss_device_new(dl->device))
GETTER(get_ndim, PyLong_FromLong(dl->ndim))

// What isinstance asks too: code that takes Tensors takes views. type() is TensorView.
static PyObject* get_class(PyObject* self, void* closure) {
  (void)self;
  (void)closure;
  PyObject* cls = (PyObject*)ss_class_of(kTVMFFITensor);
  Py_XINCREF(cls);
  return cls;
}

static PyObject* numel(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* dl = dl_of(self);
  return dl == NULL ? NULL : PyLong_FromLongLong(ss_dl_numel(dl));
}

static PyObject* size(PyObject* self, PyObject* dimension) {
  Py_ssize_t asked = PyNumber_AsSsize_t(dimension, PyExc_IndexError);
  if (asked == -1 && PyErr_Occurred()) return NULL;
  const DLTensor* dl = dl_of(self);
  return dl == NULL ? NULL : ss_dl_size(dl, asked);
}

static PyObject* data_ptr(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* dl = dl_of(self);
  return dl == NULL ? NULL : PyLong_FromVoidPtr(dl->data == NULL ? NULL : (char*)dl->data + dl->byte_offset);
}

static PyObject* is_contiguous(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* dl = dl_of(self);
  return dl == NULL ? NULL : PyBool_FromLong(ss_dl_is_contiguous(dl));
}

static PyObject* dlpack_device(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* dl = dl_of(self);
  return dl == NULL ? NULL : ss_dl_device(dl);
}

// ---- export ----

// The managed tensor of an export, with extents of its own: an importer may read these after the call.
typedef struct {
  union {
    DLManagedTensor legacy;              // for importers of the protocol before 1.0
    DLManagedTensorVersioned versioned;  // for the others
  } managed;
  int64_t extents[];  // shape, then strides
} Export;

static void delete_legacy(DLManagedTensor* managed) { free(managed); }
static void delete_versioned(DLManagedTensorVersioned* managed) { free(managed); }

static DLTensor with_extents(const DLTensor* dl, int64_t* extents) {
  DLTensor copy = *dl;
  copy.shape = extents;
  copy.strides = extents + dl->ndim;
  int64_t stride = 1;
  for (int32_t i = dl->ndim - 1; i >= 0; i--) {
    copy.shape[i] = dl->shape[i];
    copy.strides[i] = dl->strides == NULL ? stride : dl->strides[i];
    stride *= dl->shape[i];
  }
  return copy;
}

// NULL with an error set.
static Export* export_new(PyObject* self, int versioned) {
  const DLTensor* dl = dl_of(self);
  if (dl == NULL) return NULL;
  Export* made = malloc(sizeof(*made) + 2 * (size_t)dl->ndim * sizeof(int64_t));
  if (made == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  DLTensor copy = with_extents(dl, made->extents);
  if (versioned) {
    made->managed.versioned = (DLManagedTensorVersioned){
        .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, .deleter = delete_versioned, .dl_tensor = copy};
  } else {
    made->managed.legacy = (DLManagedTensor){.dl_tensor = copy, .deleter = delete_legacy};
  }
  return made;
}

static const char legacy_name[] = "dltensor", versioned_name[] = "dltensor_versioned";

static void delete_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, legacy_name)) free(PyCapsule_GetPointer(capsule, legacy_name));
  if (PyCapsule_IsValid(capsule, versioned_name)) free(PyCapsule_GetPointer(capsule, versioned_name));
}

static int two_ints(PyObject* pair, const char* argument, int* first, int* second) {
  if (PyTuple_Check(pair) && PyArg_ParseTuple(pair, "ii", first, second)) return 0;
  PyErr_Format(PyExc_TypeError, "TensorView.__dlpack__: argument '%s': expected a tuple of two ints or None, got %R",
               argument, pair);
  return -1;
}

static PyObject* dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", names, &stream, &version, &device, &copy)) {
    return NULL;
  }
  int major = 0, minor = 0, type = 0, id = 0;
  if (version != Py_None && two_ints(version, "max_version", &major, &minor) != 0) return NULL;
  if (device != Py_None && two_ints(device, "dl_device", &type, &id) != 0) return NULL;
  int copied = copy == Py_None ? 0 : PyObject_IsTrue(copy);
  if (copied < 0) return NULL;
  const DLTensor* dl = dl_of(self);
  if (dl == NULL) return NULL;
  if (device != Py_None && (type != (int)dl->device.device_type || id != dl->device.device_id)) {
    PyErr_SetString(PyExc_BufferError, "TensorView.__dlpack__: argument 'dl_device': expected the tensor's own device");
    return NULL;
  }
  if (copied) {
    PyErr_SetString(PyExc_BufferError,
                    "TensorView.__dlpack__: argument 'copy': a view makes no copies; copy the "
                    "importer's tensor");
    return NULL;
  }
  int versioned = major >= 1;
  Export* made = export_new(self, versioned);
  if (made == NULL) return NULL;
  PyObject* capsule = PyCapsule_New(made, versioned ? versioned_name : legacy_name, delete_unused);
  if (capsule == NULL) free(made);
  return capsule;
}

static PyObject* numpy(PyObject* self, PyObject* unused) {
  (void)unused;
  const DLTensor* dl = dl_of(self);
  if (dl == NULL) return NULL;
  if (dl->data == NULL && ss_dl_numel(dl) != 0) {  // NumPy would make new memory
    PyErr_SetString(PyExc_BufferError, "TensorView.numpy: this tensor has no memory");
    return NULL;
  }
  PyObject* module = PyImport_ImportModule("numpy");
  PyObject* array = module == NULL ? NULL : PyObject_CallMethod(module, "from_dlpack", "O", self);
  Py_XDECREF(module);
  return array;
}

static PyObject* repr(PyObject* self) {
  const DLTensor* dl = ((SsTensorView*)self)->dl;
  if (dl == NULL) return PyUnicode_FromString("<TensorView of a call that has returned>");
  PyObject *shape = ss_dl_shape(dl), *dtype = ss_dtype_new(dl->dtype), *device = ss_device_new(dl->device);
  PyObject* text = shape == NULL || dtype == NULL || device == NULL
                       ? NULL
                       : PyUnicode_FromFormat("<TensorView %S%R@%S>", dtype, shape, device);
  Py_XDECREF(shape);
  Py_XDECREF(dtype);
  Py_XDECREF(device);
  return text;
}

// ---- the DLPack C exchange ----

static int from_python(void* value, DLManagedTensorVersioned** out) {
  Export* made = export_new(value, 1);
  if (made == NULL) return -1;
  *out = &made->managed.versioned;
  return 0;
}

// Gives a Tensor, which owns its memory.
static int to_python(DLManagedTensorVersioned* managed, void** out) {
  *out = ss_exchange_take(managed);
  return *out == NULL ? -1 : 0;
}

static int view(void* value, DLTensor* out) {
  const DLTensor* dl = dl_of(value);
  if (dl == NULL) return -1;
  *out = *dl;
  return 0;
}

static const SsExchange exchange = {
    .header = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}},
    .from_python = from_python,
    .to_python = to_python,
    .view = view,
    .current_stream = ss_exchange_stream,
};

// ---- the type ----

static PyGetSetDef getset[] = {
    {"shape", get_shape, NULL, "The extents, as a tuple.", NULL},
    {"strides", get_strides, NULL, "The distance of neighbours in each dimension, in elements, as a tuple.", NULL},
    {"dtype", get_dtype, NULL, "The data type of an element.", NULL},
    {"device", get_device, NULL, "Where the memory is.", NULL},
    {"ndim", get_ndim, NULL, "Number of dimensions.", NULL},
    {"__class__", get_class, NULL, "Tensor, so that isinstance takes a view as one.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"numel", numel, METH_NOARGS, "numel($self, /)\n--\n\nNumber of elements."},
    {"size", size, METH_O, "size($self, idx, /)\n--\n\nThe extent of one dimension; negative ones count from the end."},
    {"data_ptr", data_ptr, METH_NOARGS, "data_ptr($self, /)\n--\n\nAddress of the first element."},
    {"is_contiguous", is_contiguous, METH_NOARGS,
     "is_contiguous($self, /)\n--\n\nWhether the elements lie without gaps, the last dimension's next to each other."},
    {"numpy", numpy, METH_NOARGS,
     "numpy($self, /)\n--\n\nReturn a NumPy array over the same memory, valid as long as the view is."},
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "A capsule with this tensor, whose memory is valid as long as the view is. BufferError for another device and for "
     "a copy."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nThe device as (type, index)."},
    {NULL, NULL, 0, NULL}};

PyTypeObject SsTensorView_Type = {
    SS_TYPE(
        "selfsame_ffi.core.TensorView",
        "A tensor that native code lends to a callback for the time of the call.\n\n"
        "It owns nothing. When the call has returned, each use raises RuntimeError; arrays that others made of it must "
        "not be used any more. As an argument of a native function it is a DLTensor*.",
        sizeof(SsTensorView), 0),
    .tp_repr = repr,
    .tp_methods = methods,
    .tp_getset = getset,
};

int ss_tensor_view_init(void) {
  cpu_device = tuple_of((int64_t[]){kDLCPU, 0}, 2);
  return cpu_device == NULL ? -1 : ss_exchange_offer(&SsTensorView_Type, &exchange);
}
