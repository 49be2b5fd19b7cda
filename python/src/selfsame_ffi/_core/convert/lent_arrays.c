// Arrays of NumPy and JAX; see lent_arrays.h.
#include "convert/lent_arrays.h"

#include "convert/lent_values.h"
#include "tie/imported_tensor.h"

PyTypeObject *ss_numpy_array, *ss_jax_array;

// ---- NumPy ----

// The members of an array that NumPy's C interface lets others read, and of the description of its elements.
typedef struct {
  PyObject_HEAD char* data;
  int ndim;             // the number of dimensions
  Py_ssize_t* shape;    // the array's own
  Py_ssize_t* strides;  // in bytes
  PyObject* base;       // what owns the memory, or NULL
  PyObject* descr;      // the description of the elements: a Descr
  int flags;            // NumPy's NPY_ARRAY_*
} Array;

typedef struct {
  PyObject_HEAD PyObject* scalar;
  char kind, type, byte_order, more;  // as NumPy writes them in text, such as 'f', 'd' and '='; further flags
  int number;                         // NumPy's number of the type
} Descr;

enum { ALIGNED = 0x0100, WRITEABLE = 0x0400 };
enum { ABI_1 = 0x01000009, ABI_2 = 0x02000000 };
enum { GET_ABI = 0, ARRAY_CLASS = 2 };  // places in the table of NumPy's C interface
enum { NUMBER_BOOL = 0, NUMBER_HALF = 23 };

// The data types of NumPy's numbers up to double. bool is left to __dlpack__, which not each release has.
static const DLDataType dtypes[] = {
    {0},
    {kDLInt, 8, 1},
    {kDLUInt, 8, 1},
    {kDLInt, 8 * sizeof(short), 1},
    {kDLUInt, 8 * sizeof(short), 1},
    {kDLInt, 8 * sizeof(int), 1},
    {kDLUInt, 8 * sizeof(int), 1},
    {kDLInt, 8 * sizeof(long), 1},
    {kDLUInt, 8 * sizeof(long), 1},
    {kDLInt, 8 * sizeof(long long), 1},
    {kDLUInt, 8 * sizeof(long long), 1},
    {kDLFloat, 32, 1},
    {kDLFloat, 64, 1},
};

// bits is 0 for any other type.
static inline DLDataType dtype_of(const Descr* descr) {
  int number = descr->number;
  if (descr->byte_order != '=' && descr->byte_order != '|') return dtypes[0];
  if (number == NUMBER_HALF) return (DLDataType){kDLFloat, 16, 1};
  return number > 0 && number < (int)(sizeof(dtypes) / sizeof(*dtypes)) ? dtypes[number] : dtypes[0];
}

// Describes an array with extents in `extents`: the shape, and from SS_LENT_EXTENTS on the strides. 0: another way.
static inline int describe_numpy(PyObject* value, DLTensor* dl, int64_t* extents) {
  const Array* array = (const Array*)value;
  DLDataType dtype = dtype_of((const Descr*)array->descr);
  enum { NEEDED = ALIGNED | WRITEABLE };
  if (dtype.bits == 0 || (array->flags & NEEDED) != NEEDED || array->ndim > SS_LENT_EXTENTS) return 0;
  int shift = __builtin_ctz(dtype.bits / 8);
  for (int i = 0; i < array->ndim; i++) {
    int64_t stride = array->strides[i];
    extents[i] = array->shape[i];
    extents[SS_LENT_EXTENTS + i] = stride >> shift;
    if (SS_UNLIKELY(stride & ((1 << shift) - 1))) return 0;
  }
  *dl = (DLTensor){.data = array->data,
                   .device = {kDLCPU, 0},
                   .ndim = array->ndim,
                   .dtype = dtype,
                   .shape = extents,
                   .strides = extents + SS_LENT_EXTENTS};
  return 1;
}

int ss_describe_numbers(PyObject* value, DLTensor* dl, int64_t extents[2]) {
  PyTypeObject* known = __atomic_load_n(&ss_numpy_array, __ATOMIC_RELAXED);
  if (known == NULL && strcmp(Py_TYPE(value)->tp_name, "numpy.ndarray") == 0) {
    ss_note_array_class(Py_TYPE(value));
    known = __atomic_load_n(&ss_numpy_array, __ATOMIC_RELAXED);
  }
  if (Py_TYPE(value) != known) return 0;
  const Array* array = (const Array*)value;
  const Descr* descr = (const Descr*)array->descr;
  DLDataType dtype = descr->number == NUMBER_BOOL ? (DLDataType){kDLBool, 8, 1} : dtype_of(descr);
  if (dtype.bits == 0 || descr->number == NUMBER_HALF || array->ndim != 1 || (array->flags & ALIGNED) == 0) return 0;
  int shift = __builtin_ctz(dtype.bits / 8);
  if (array->strides[0] & ((1 << shift) - 1)) return 0;
  extents[0] = array->shape[0];
  extents[1] = array->strides[0] >> shift;
  *dl = (DLTensor){
      .data = array->data, .device = {kDLCPU, 0}, .ndim = 1, .dtype = dtype, .shape = extents, .strides = extents + 1};
  return 1;
}

// Whether `cls` is the class of arrays of a NumPy whose layout is known.
static int is_numpy(PyTypeObject* cls) {
  PyObject* modules = PyImport_GetModuleDict();  // borrowed
  PyObject* module = PyDict_GetItemString(modules, "numpy._core._multiarray_umath");
  if (module == NULL) module = PyDict_GetItemString(modules, "numpy.core._multiarray_umath");
  PyObject* capsule = module == NULL ? NULL : PyObject_GetAttrString(module, "_ARRAY_API");
  void** table = capsule == NULL || !PyCapsule_CheckExact(capsule) ? NULL : PyCapsule_GetPointer(capsule, NULL);
  int is = 0;
  if (table != NULL && table[ARRAY_CLASS] == (void*)cls) {
    unsigned int abi = ((unsigned int (*)(void))table[GET_ABI])();
    is = abi == ABI_1 || abi == ABI_2;
  }
  Py_XDECREF(capsule);
  return is;
}

// ---- JAX ----

static int is_jax(PyTypeObject* cls) {
  if (cls->tp_as_buffer == NULL || cls->tp_as_buffer->bf_getbuffer == NULL) return 0;
  const char* dot = strrchr(cls->tp_name, '.');
  if (strcmp(dot == NULL ? cls->tp_name : dot + 1, "ArrayImpl") != 0) return 0;
  PyObject* module = PyObject_GetAttrString((PyObject*)cls, "__module__");
  const char* name = module == NULL || !PyUnicode_Check(module) ? NULL : PyUnicode_AsUTF8(module);
  int is = name != NULL && (strcmp(name, "jaxlib") == 0 || strncmp(name, "jaxlib.", 7) == 0);
  Py_XDECREF(module);
  return is;
}

// A memoryview of the array and its description. New reference; NULL, without an error, for another way: the array is
// on a device, of a type without a format, deleted, or not in row-major order.
static PyObject* describe_jax(PyObject* value, DLTensor* dl) {
  PyObject* memory = PyMemoryView_FromObject(value);
  if (memory == NULL) {
    PyErr_Clear();
    return NULL;
  }
  Py_buffer* buffer = PyMemoryView_GET_BUFFER(memory);
  DLDataType dtype = ss_format_dtype(buffer->format, buffer->itemsize);
  if (dtype.bits == 0 || dtype.code == kDLBool || !PyBuffer_IsContiguous(buffer, 'C')) {
    Py_DECREF(memory);
    return NULL;
  }
  _Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents of buffers are those of tensors");
  *dl = (DLTensor){.data = buffer->buf,
                   .device = {kDLCPU, 0},
                   .ndim = buffer->ndim,
                   .dtype = dtype,
                   .shape = (int64_t*)buffer->shape};
  return memory;
}

// ---- both ----

void ss_note_array_class(PyTypeObject* cls) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyTypeObject** place = is_numpy(cls) ? &ss_numpy_array : is_jax(cls) ? &ss_jax_array : NULL;
  if (place != NULL) {
    PyTypeObject* none = NULL;
    Py_INCREF(cls);
    if (!__atomic_compare_exchange_n(place, &none, cls, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) Py_DECREF(cls);
  }
  PyErr_Restore(type, value, traceback);
}

int ss_lend_array(PyObject* value, TVMFFIAny* out, SsLentTensor** all) {
  if (SS_LIKELY(Py_TYPE(value) == __atomic_load_n(&ss_numpy_array, __ATOMIC_RELAXED))) {
    return ss_lend_described(value, describe_numpy, out, all);
  }
  return 0;
}

TVMFFIObject* ss_tensor_of_array(PyObject* value) {
  if (Py_TYPE(value) == __atomic_load_n(&ss_numpy_array, __ATOMIC_RELAXED)) {
    return ss_tensor_described(value, describe_numpy);
  }
  DLTensor dl;
  PyObject* memory = describe_jax(value, &dl);
  if (memory == NULL) return NULL;
  SsMemoryFlags flags = {.is_unversioned = 1};
  if (PyMemoryView_GET_BUFFER(memory)->readonly) flags.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  int no_memory;
  TVMFFIObject* tensor = ss_imported_tensor_new(&dl, memory, NULL, flags, 0, 0, &no_memory);
  if (tensor != NULL) return tensor;
  Py_DECREF(memory);
  if (!no_memory) ss_forget_raised();
  return NULL;
}
