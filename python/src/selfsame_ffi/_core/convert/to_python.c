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

static PyObject* from_text(const char* data, size_t size) {
  return PyUnicode_DecodeUTF8(data == NULL ? "" : data, (Py_ssize_t)size, NULL);
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
      return from_text(value->v_c_str, value->v_c_str == NULL ? 0 : strlen(value->v_c_str));
    case kTVMFFIByteArrayPtr: {
      const TVMFFIByteArray* bytes = value->v_ptr;
      return PyBytes_FromStringAndSize(bytes->data == NULL ? "" : bytes->data, (Py_ssize_t)bytes->size);
    }
    case kTVMFFISmallStr:
      return from_text(value->v_bytes, value->small_str_len);
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
  PyObject* result = from_unwrapped(value);
  ss_decref(value->v_obj);
  return result;
}
