// String and Bytes: str and bytes that keep their native value.
//
// Long text and bytes from native code (more than the 7 bytes that a value itself holds) are instances of these
// classes. Passed to native code again they are the same native object, without a copy. Large bytes that nobody else has
// are not kept twice: their native object is made again at the first need.
//
// Why long text from native code is a str of a class of ours. A str has no room for its native object. Without that,
// text that Python hands back is another native object: an identity callback of structural_map would rebuild every
// array with text in it. So text and bytes that do not fit into a value come as String and Bytes, which derive from str
// and bytes and own their native object. The pointer of Bytes lies behind its last byte; an instance of a class derived
// from it has none.
//
// The characters of an instance of a class derived from str lie in memory of their own, to which the instance has a
// pointer. ASCII is the same in native text and in a str, so for a String that pointer leads into the native text, and
// nothing is copied. Its deallocation takes the pointer away before str would free it. Other text is decoded, and
// copied once more.
#ifndef SELFSAME_CORE_CONVERT_TEXT_H_
#define SELFSAME_CORE_CONVERT_TEXT_H_

#include "convert/convert.h"

extern SS_HIDDEN PyTypeObject SsPyNative_Type, SsString_Type, SsBytes_Type;

// Sets the bases of the classes that derive from PyNativeObject too, before they are made ready. 0, or -1 with an error
// set.
SS_HIDDEN int ss_text_types_init(void);

// A str of text. `data` may be NULL if there is none. New reference, NULL with an error set: UnicodeDecodeError.
SS_HIDDEN PyObject* ss_str_new(const char* data, size_t size);

// The String of a native ffi.String, the Bytes of a native ffi.Bytes: it owns a reference of its own. New reference,
// NULL with an error set.
SS_HIDDEN PyObject* ss_string_new(TVMFFIObject* string);
SS_HIDDEN PyObject* ss_bytes_new(TVMFFIObject* bytes);

// The Bytes of an owned native ffi.Bytes, which it takes over, on failure too. If nobody else has large ones, they go.
SS_HIDDEN PyObject* ss_bytes_take(TVMFFIObject* bytes);

// A view of a value that is exactly of the type String or Bytes. 0, or -1 with an error set.
SS_HIDDEN int ss_view_string(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes_value(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// A str as a String, bytes as Bytes, with their native value when they are long. New reference, NULL with an error set.
SS_HIDDEN PyObject* ss_text_convert(PyObject* value);

#endif  // SELFSAME_CORE_CONVERT_TEXT_H_
