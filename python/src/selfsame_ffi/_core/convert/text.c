// String and Bytes; see text.h.
#include "convert/text.h"

#include "convert/errors.h"
#include "convert/internal.h"
#include "wrapper/fetch.h"

enum {
  LONGEST_INLINE = 7,  // bytes that a value holds by itself, without a native object
  LARGE = 1 << 16      // bytes whose native value is made again at need, as it takes as much memory as the Bytes
};

typedef struct {
  PyUnicodeObject base;  // the str; its characters may be those of native
  TVMFFIObject* native;  // owned; NULL until it is needed. Set once
} StringValue;

// ---- where the native value is ----

// Behind the terminating zero of the bytes, where code that goes by their size does not look.
static size_t native_offset(Py_ssize_t size) {
  size_t end = offsetof(PyBytesObject, ob_sval) + (size_t)size + 1, align = _Alignof(TVMFFIObject*);
  return (end + align - 1) / align * align;
}

static TVMFFIObject** native_of_bytes(PyObject* bytes) {
  return (TVMFFIObject**)((char*)bytes + native_offset(PyBytes_GET_SIZE(bytes)));
}

// Takes over `made`, unless another thread was first. Returns what the value has: borrowed.
static TVMFFIObject* keep(TVMFFIObject** native, TVMFFIObject* made) {
  TVMFFIObject* known = NULL;
  if (__atomic_compare_exchange_n(native, &known, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  ss_decref(made);
  return known;
}

// The native value, made at the first need. Borrowed; NULL for a short text, or with an error set.
static TVMFFIObject* native_string(PyObject* value) {
  TVMFFIObject** native = &((StringValue*)value)->native;
  TVMFFIObject* known = __atomic_load_n(native, __ATOMIC_ACQUIRE);
  if (SS_LIKELY(known != NULL)) return known;
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(value, &size);
  if (data == NULL || size <= LONGEST_INLINE) return NULL;
  TVMFFIByteArray content = {data, (size_t)size};
  TVMFFIAny made;
  if (ss_api.TVMFFIStringFromByteArray(&content, &made) != 0) return ss_raise_native_null();
  return keep(native, made.v_obj);
}

static TVMFFIObject* native_bytes(PyObject* value) {
  TVMFFIObject** native = native_of_bytes(value);
  TVMFFIObject* known = __atomic_load_n(native, __ATOMIC_ACQUIRE);
  if (SS_LIKELY(known != NULL)) return known;
  Py_ssize_t size = PyBytes_GET_SIZE(value);
  if (size <= LONGEST_INLINE) return NULL;
  TVMFFIByteArray content = {PyBytes_AS_STRING(value), (size_t)size};
  TVMFFIAny made;
  if (ss_api.TVMFFIBytesFromByteArray(&content, &made) != 0) return ss_raise_native_null();
  return keep(native, made.v_obj);
}

// ---- views ----

int ss_view_string(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* native = native_string(value);
  if (SS_LIKELY(native != NULL)) {
    ss_set_object(out, native);
    return 0;
  }
  return PyErr_Occurred() ? -1 : ss_view_str(value, out, temps);
}

int ss_view_bytes_value(PyObject* value, TVMFFIAny* out, SsTemps* temps) {
  TVMFFIObject* native = native_bytes(value);
  if (SS_LIKELY(native != NULL)) {
    ss_set_object(out, native);
    return 0;
  }
  if (PyErr_Occurred()) return -1;
  return ss_view_bytes(PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value), out, temps);
}

// ---- values from native code ----

// An instance of a class derived from str or bytes, by the constructor of its base.
static PyObject* derived_from(PyTypeObject* cls, PyObject* plain) {
  PyObject* args = PyTuple_Pack(1, plain);
  if (args == NULL) return NULL;
  PyObject* made = cls->tp_base->tp_new(cls, args, NULL);
  Py_DECREF(args);
  return made;
}

static int is_ascii(const char* data, size_t size) {
  uint64_t seen = 0, word;
  if (size < sizeof(word)) {
    for (size_t i = 0; i < size; i++) seen |= (unsigned char)data[i];
  } else {
    for (size_t i = 0; i < size - sizeof(word); i += sizeof(word)) {
      memcpy(&word, data + i, sizeof(word));
      seen |= word;
    }
    memcpy(&word, data + size - sizeof(word), sizeof(word));  // some of these bytes a second time
    seen |= word;
  }
  return (seen & UINT64_C(0x8080808080808080)) == 0;
}

PyObject* ss_str_new(const char* data, size_t size) {
  // CPython decodes ASCII a byte at a time. It keeps the strs of single characters.
  if (SS_UNLIKELY(size <= 1 || !is_ascii(data, size))) {
    return PyUnicode_DecodeUTF8(size == 0 ? "" : data, (Py_ssize_t)size, NULL);
  }
  PyObject* made = PyUnicode_New((Py_ssize_t)size, 127);
  if (made != NULL) memcpy(PyUnicode_1BYTE_DATA(made), data, size);
  return made;
}

// A String whose characters lie in the native text, as those of an instance of a class derived from str lie in memory of
// their own. New reference, which takes over nothing; NULL with an error set.
static PyObject* string_over(TVMFFIObject* string, const TVMFFIByteArray* text) {
  PyObject* made = SsString_Type.tp_alloc(&SsString_Type, 0);  // all zero
  if (made == NULL) return NULL;
  PyUnicodeObject* value = &((StringValue*)made)->base;
  PyASCIIObject* head = &value->_base._base;
  head->length = (Py_ssize_t)text->size;
  head->hash = -1;
  head->state.kind = PyUnicode_1BYTE_KIND;
  head->state.ascii = 1;
#if PY_VERSION_HEX < 0x030C0000
  head->state.ready = 1;
#endif
  value->_base.utf8_length = (Py_ssize_t)text->size;
  value->_base.utf8 = (char*)text->data;
  value->data.any = (void*)text->data;
  ss_incref(string);
  ((StringValue*)made)->native = string;
  return made;
}

PyObject* ss_string_new(TVMFFIObject* string) {
  const TVMFFIByteArray* text = SS_CELL(TVMFFIByteArray, string);
  if (SS_LIKELY(text->size > LONGEST_INLINE && is_ascii(text->data, text->size))) return string_over(string, text);
  PyObject* plain = ss_str_new(text->data, text->size);
  if (plain == NULL) return NULL;
  ss_incref(string);  // before the tuple of the arguments, whose allocation may run the collector
  PyObject* made = derived_from(&SsString_Type, plain);
  Py_DECREF(plain);
  if (made == NULL) {
    ss_decref(string);
    return NULL;
  }
  ((StringValue*)made)->native = string;
  return made;
}

static PyObject* bytes_alloc(PyTypeObject* cls, Py_ssize_t size) {
  // A class derived in Python has an allocator of its own: its instances keep no native value.
  PyVarObject* made = PyObject_Malloc(native_offset(size) + sizeof(TVMFFIObject*));
  if (made == NULL) return PyErr_NoMemory();
  PyObject_InitVar(made, cls, size);
  PyBytesObject* bytes = (PyBytesObject*)made;
  bytes->ob_sval[size] = '\0';
  *native_of_bytes((PyObject*)made) = NULL;
  return (PyObject*)made;
}

// The Bytes of native bytes, without its native value.
static PyObject* bytes_copied(TVMFFIObject* object) {
  const TVMFFIByteArray* content = SS_CELL(TVMFFIByteArray, object);
  PyObject* made = bytes_alloc(&SsBytes_Type, (Py_ssize_t)content->size);
  if (made == NULL) return NULL;
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
  ((PyBytesObject*)made)->ob_shash = -1;  // no hash yet
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
  if (content->size > 0) memcpy(PyBytes_AS_STRING(made), content->data, content->size);
  return made;
}

PyObject* ss_bytes_new(TVMFFIObject* object) {
  PyObject* made = bytes_copied(object);
  if (made == NULL) return NULL;
  ss_incref(object);
  *native_of_bytes(made) = object;
  return made;
}

PyObject* ss_bytes_take(TVMFFIObject* object) {
  int is_alone = SS_CELL(TVMFFIByteArray, object)->size >= LARGE && ss_strong(object) == 1;
  PyObject* made = is_alone ? bytes_copied(object) : ss_bytes_new(object);
  ss_decref(object);
  return made;
}

PyObject* ss_text_convert(PyObject* value) {
  if (Py_TYPE(value) != &PyUnicode_Type && !PyBytes_CheckExact(value)) return ss_new_ref(value);
  int is_text = PyUnicode_Check(value);
  PyObject* made = derived_from(is_text ? &SsString_Type : &SsBytes_Type, value);
  if (made == NULL) return NULL;
  if ((is_text ? native_string(made) : native_bytes(made)) == NULL && PyErr_Occurred()) Py_CLEAR(made);
  return made;
}

// ---- the types ----

static void string_dealloc(PyObject* self) {
  TVMFFIObject* native = ((StringValue*)self)->native;
  PyUnicodeObject* value = &((StringValue*)self)->base;
  if (native != NULL && value->data.any == (const void*)SS_CELL(TVMFFIByteArray, native)->data) {
    value->data.any = NULL;  // str would free what string_over has lent it
    value->_base.utf8 = NULL;
  }
  if (native != NULL) ss_decref(native);  // runs no Python code: a string owns nothing
  PyUnicode_Type.tp_dealloc(self);
}

static void bytes_dealloc(PyObject* self) {
  if (Py_TYPE(self) == &SsBytes_Type && *native_of_bytes(self) != NULL) ss_decref(*native_of_bytes(self));
  Py_TYPE(self)->tp_free(self);
}

static PyObject* wrapper_or_none(TVMFFIObject* native) {
  if (native == NULL) {
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
  }
  return ss_fetch_borrowed(native);
}

static PyObject* string_native(PyObject* self, void* closure) {
  (void)closure;
  return wrapper_or_none(native_string(self));
}

static PyObject* bytes_native(PyObject* self, void* closure) {
  (void)closure;
  return wrapper_or_none(Py_TYPE(self) == &SsBytes_Type ? native_bytes(self) : NULL);
}

// Pickles and copies are str and bytes themselves.
static PyObject* reduce_string(PyObject* self, PyObject* protocol) {
  (void)protocol;
  PyObject* plain = PyObject_Str(self);
  return plain == NULL ? NULL : Py_BuildValue("O(N)", (PyObject*)&PyUnicode_Type, plain);
}

static PyObject* reduce_bytes(PyObject* self, PyObject* protocol) {
  (void)protocol;
  PyObject* plain = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self), PyBytes_GET_SIZE(self));
  return plain == NULL ? NULL : Py_BuildValue("O(N)", (PyObject*)&PyBytes_Type, plain);
}

static PyObject* itself(PyObject* self, PyObject* unused) {
  (void)unused;
  return ss_new_ref(self);
}

#define TEXT_METHODS(reduce)                                                          \
  {                                                                                   \
    {"__reduce_ex__", reduce, METH_O, NULL}, {"__copy__", itself, METH_NOARGS, NULL}, \
        {"__deepcopy__", itself, METH_O, NULL}, {                                     \
      NULL, NULL, 0, NULL                                                             \
    }                                                                                 \
  }

static PyMethodDef string_methods[] = TEXT_METHODS(reduce_string);
static PyMethodDef bytes_methods[] = TEXT_METHODS(reduce_bytes);

#define TEXT_GETSET(get)                                                                                          \
  {                                                                                                               \
    {"_tvm_ffi_cached_object", get, NULL, "The native object behind a long text, None for a short one.", NULL}, { \
      NULL, NULL, NULL, NULL, NULL                                                                                \
    }                                                                                                             \
  }

static PyGetSetDef string_getset[] = TEXT_GETSET(string_native);
static PyGetSetDef bytes_getset[] = TEXT_GETSET(bytes_native);

PyTypeObject SsPyNative_Type = {
    SS_TYPE("selfsame_ffi.core.PyNativeObject",
            "Base of the classes whose instances are Python values with a native type of their own.", sizeof(PyObject),
            Py_TPFLAGS_BASETYPE),
};

PyTypeObject SsString_Type = {
    SS_TYPE("selfsame_ffi.core.String",
            "A str that keeps its native value. Long text from native code is of this class; any str can be passed.",
            sizeof(StringValue), Py_TPFLAGS_BASETYPE),
    .tp_dealloc = string_dealloc,
    .tp_methods = string_methods,
    .tp_getset = string_getset,
};

PyTypeObject SsBytes_Type = {
    SS_TYPE("selfsame_ffi.core.Bytes",
            "Bytes that keep their native value. Long bytes from native code are of this class; any can be passed.", 0,
            Py_TPFLAGS_BASETYPE),
    .tp_alloc = bytes_alloc,
    .tp_dealloc = bytes_dealloc,
    .tp_methods = bytes_methods,
    .tp_getset = bytes_getset,
};

// The bases are no constants where CPython is another library, as on Windows.
static int set_bases(PyTypeObject* cls, PyTypeObject* base) {
  cls->tp_base = base;
  if (cls->tp_bases == NULL) cls->tp_bases = PyTuple_Pack(2, (PyObject*)cls->tp_base, (PyObject*)&SsPyNative_Type);
  return cls->tp_bases == NULL ? -1 : 0;
}

int ss_text_types_init(void) {
  if (PyType_Ready(&SsPyNative_Type) != 0) return -1;
  return set_bases(&SsString_Type, &PyUnicode_Type) != 0 || set_bases(&SsBytes_Type, &PyBytes_Type) != 0 ? -1 : 0;
}
