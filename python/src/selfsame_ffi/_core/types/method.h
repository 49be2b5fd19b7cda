// Method, StaticMethod, Constructor: the callables of reflected types.
#ifndef SELFSAME_CORE_TYPES_METHOD_H_
#define SELFSAME_CORE_TYPES_METHOD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsMethod_Type;
extern SS_HIDDEN PyTypeObject SsStaticMethod_Type;
extern SS_HIDDEN PyTypeObject SsConstructor_Type;

// All three are made by Type(function, name, type_key, doc=None, metadata='', arg_names=None, type_index=-1,
// keywords=None). `type_index` is the type of the objects that a Constructor makes. `keywords` is the sentinel that a
// Function with default arguments expects before keyword arguments. Without it, keyword arguments are ordered by
// `arg_names`.
//
// Why packages for the stock tvm_ffi bind keyword arguments through the marker. The stock package names constructor
// arguments after fields, and methods take none by name. The generated module could put values into their order, but
// only the Go side knows a default that lies between given arguments. It reads the marker that the runtime's own
// constructors use, followed by names and values, so the module passes them on: one place knows names, defaults and the
// texts of errors.

#endif  // SELFSAME_CORE_TYPES_METHOD_H_
