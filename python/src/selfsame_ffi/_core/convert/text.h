// String and Bytes: str and bytes that keep their native value.
//
// Long text and bytes from native code (more than the 7 bytes that a value itself holds) are instances of these
// classes. Passed to native code again they are the same native object, without a copy.
#ifndef SELFSAME_PY_TEXT_H_
#define SELFSAME_PY_TEXT_H_

#include "convert/convert.h"

extern SS_HIDDEN PyTypeObject SsPyNative_Type, SsString_Type, SsBytes_Type;

// Sets the bases of the classes that derive from PyNativeObject too, before they are made ready. 0, or -1 with an error
// set.
SS_HIDDEN int ss_text_types_init(void);

// The String of a native ffi.String, the Bytes of a native ffi.Bytes: it owns a reference of its own. New reference,
// NULL with an error set.
SS_HIDDEN PyObject* ss_string_new(TVMFFIObject* string);
SS_HIDDEN PyObject* ss_bytes_new(TVMFFIObject* bytes);

// A view of a value that is exactly of the type String or Bytes. 0, or -1 with an error set.
SS_HIDDEN int ss_view_string(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes_value(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// A str as a String, bytes as Bytes, with their native value when they are long. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_text_convert(PyObject* value);

#endif  // SELFSAME_PY_TEXT_H_
