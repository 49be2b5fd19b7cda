// Native values to Python values.
#include "convert/to_python.h"

#include "convert/convert.h"
#include "convert/text.h"
#include "tie/python_owner.h"
#include "wrapper/fetch.h"

PyTypeObject* ss_c_void_p(void) {
  static PyObject* type;
  if (type == NULL) {
    PyObject* ctypes = PyImport_ImportModule("ctypes");
    if (ctypes == NULL) return NULL;
    type = PyObject_GetAttrString(ctypes, "c_void_p");
    Py_DECREF(ctypes);
  }
  return (PyTypeObject*)type;
}

PyObject* ss_c_void_p_new(void* pointer) {
  PyTypeObject* type = ss_c_void_p();
  if (type == NULL) return NULL;
  PyObject* number = PyLong_FromVoidPtr(pointer);
  if (number == NULL) return NULL;
  PyObject* result = PyObject_CallFunctionObjArgs((PyObject*)type, number, NULL);
  Py_DECREF(number);
  return result;
}

static PyObject* unsupported(int32_t type_index) {
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(type_index);
  PyObject* key = info == NULL ? PyUnicode_FromFormat("type index %d", (int)type_index) : ss_text(&info->type_key);
  if (key != NULL) {
    PyErr_Format(PyExc_TypeError, "cannot convert a native value of type '%U' to Python", key);
    Py_DECREF(key);
  }
  return NULL;
}

// Keys, names and members of few kinds come again and again: short texts that do keep their strs, whose hashes are known. A
// text that comes once costs a look at its entry.
static PyObject* from_short_text(const TVMFFIAny* text) {
#if SS_FREE_THREADED  // where threads would need a lock
  return ss_str_new(text->v_bytes, text->small_str_len);
#else
  enum { KNOWN_BITS = 8 };
  static struct {
    uint64_t last;    // the bytes of the text that came last and was not known
    uint64_t bits;    // the bytes of the known text
    uint32_t size;    // their number
    PyObject* value;  // its str, owned; NULL as long as no text is known
  } entries[1 << KNOWN_BITS], *entry;
  entry = &entries[text->v_uint64 * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KNOWN_BITS)];
  if (SS_LIKELY(entry->bits == text->v_uint64 && entry->size == text->small_str_len && entry->value != NULL)) {
    Py_INCREF(entry->value);
    return entry->value;
  }
  PyObject* made = ss_str_new(text->v_bytes, text->small_str_len);
  if (made == NULL || entry->last != text->v_uint64) {
    entry->last = text->v_uint64;
    return made;
  }
  entry->bits = text->v_uint64;
  entry->size = text->small_str_len;
  Py_INCREF(made);
  Py_XSETREF(entry->value, made);
  return made;
#endif
}

// The Python value of a value that has no wrapper. Borrows `value`.
static PyObject* from_unwrapped(const TVMFFIAny* value) {
  switch (value->type_index) {
    case kTVMFFINone:
      Py_RETURN_NONE;
    case kTVMFFIInt:
      return PyLong_FromLongLong(value->v_int64);
    case kTVMFFIBool:
      return PyBool_FromLong(value->v_int64 != 0);
    case kTVMFFIFloat:
      return PyFloat_FromDouble(value->v_float64);
    case kTVMFFIOpaquePtr:
      return ss_c_void_p_new(value->v_ptr);
    case kTVMFFIDataType:
      return ss_dtype_new(value->v_dtype);
    case kTVMFFIDevice:
      return ss_device_new(value->v_device);
    case kTVMFFIRawStr:
      return ss_str_new(value->v_c_str, value->v_c_str == NULL ? 0 : strlen(value->v_c_str));
    case kTVMFFIByteArrayPtr: {
      const TVMFFIByteArray* bytes = value->v_ptr;
      return PyBytes_FromStringAndSize(bytes->data == NULL ? "" : bytes->data, (Py_ssize_t)bytes->size);
    }
    case kTVMFFISmallStr:
      return from_short_text(value);
    case kTVMFFISmallBytes:
      return PyBytes_FromStringAndSize(value->v_bytes, (Py_ssize_t)value->small_str_len);
    case kTVMFFIStr:
      return ss_string_new(value->v_obj);
    case kTVMFFIBytes:
      return ss_bytes_new(value->v_obj);
    case kTVMFFIBigInt:
      return ss_big_int_read(value->v_obj);
    case kTVMFFIOpaquePyObject: {
      PyObject* object = ss_opaque_python_object(value->v_obj);
      if (object == NULL) Py_RETURN_NONE;
      return ss_new_ref(object);
    }
    default:
      return unsupported(value->type_index);
  }
}

// Whether Python gets a value instead of a wrapper for objects of the type.
static inline int has_no_wrapper(int32_t type_index) {
  return type_index == kTVMFFIStr || type_index == kTVMFFIBytes || type_index == kTVMFFIOpaquePyObject ||
         type_index == kTVMFFIBigInt;
}

PyObject* ss_value_from_view(const TVMFFIAny* view) {
  int32_t index = view->type_index;
  if (index < kTVMFFIStaticObjectBegin) {
    if (SS_LIKELY(index != kTVMFFIObjectRValueRef)) return from_unwrapped(view);
    TVMFFIObject** reference = view->v_ptr;
    TVMFFIObject* object = *reference;
    if (object == NULL) {
      PyErr_SetString(PyExc_RuntimeError, "ObjectRValueRef: the object was moved away already");
      return NULL;
    }
    *reference = NULL;
    TVMFFIAny owned = {.type_index = object->type_index, .v_obj = object};
    return ss_value_take(&owned);
  }
  if (SS_UNLIKELY(view->v_obj == NULL)) Py_RETURN_NONE;
  if (SS_UNLIKELY(has_no_wrapper(index))) return from_unwrapped(view);
  if (SS_UNLIKELY(index == kTVMFFIShape)) {
    ss_incref(view->v_obj);
    return ss_shape_fetch(view->v_obj);
  }
  return ss_fetch_borrowed(view->v_obj);
}

PyObject* ss_value_take(TVMFFIAny* value) {
  int32_t index = value->type_index;
  if (index < kTVMFFIStaticObjectBegin) return from_unwrapped(value);
  if (SS_UNLIKELY(value->v_obj == NULL)) Py_RETURN_NONE;
  if (SS_LIKELY(!has_no_wrapper(index))) {
    return SS_LIKELY(index != kTVMFFIShape) ? ss_fetch(value->v_obj) : ss_shape_fetch(value->v_obj);
  }
  if (index == kTVMFFIBytes) return ss_bytes_take(value->v_obj);
  PyObject* result = from_unwrapped(value);
  ss_decref(value->v_obj);
  return result;
}
