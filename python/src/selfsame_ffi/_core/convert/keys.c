// Keys of Map and Dict: see convert.h.
#include "convert/convert.h"

#include "tie/python_owner.h"
#include "wrapper/classes.h"
#include "wrapper/fetch.h"

static int is_plain(PyObject* key) {
  return key == Py_None || PyUnicode_CheckExact(key) || PyLong_CheckExact(key) || PyFloat_CheckExact(key) ||
         PyBool_Check(key) || PyBytes_CheckExact(key) || ss_is_wrapper(key);
}

// Whether a value that is no wrapper has become a native object of its own that is compared by its address.
static int is_new_each_time(const TVMFFIAny* made) {
  switch (made->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
    case kTVMFFITensor:
    case kTVMFFIError:
      return 1;
    default:
      return 0;
  }
}

PyObject* ss_key_to_convert(PyObject* key, int refuse) {
  TVMFFIAny made;
  if (!is_plain(key)) {
    if (ss_to_owned(key, &made) != 0) return NULL;
    if (made.type_index == kTVMFFIFunction && ss_callable_of(made.v_obj) != NULL) {
      return ss_fetch(ss_closure_for_key(made.v_obj));
    }
    int refused = refuse && is_new_each_time(&made);
    ss_any_clear(&made);
    if (refused) {
      return PyErr_Format(PyExc_TypeError,
                          "expected a key that is found again (None, a bool, int, float, str, bytes, native object, or "
                          "another object that is passed as it is), got %.100s, which becomes a new native object at "
                          "each call",
                          Py_TYPE(key)->tp_name);
    }
  }
  return ss_new_ref(key);
}
