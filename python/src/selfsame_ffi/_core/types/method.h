// Method, StaticMethod, Constructor: the callables of reflected types.
#ifndef SELFSAME_PY_METHOD_H_
#define SELFSAME_PY_METHOD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsMethod_Type;
extern SS_HIDDEN PyTypeObject SsStaticMethod_Type;
extern SS_HIDDEN PyTypeObject SsConstructor_Type;

// All three are made by Type(function, name, type_key, doc=None, metadata='', arg_names=None, type_index=-1,
// keywords=None). `type_index` is the type of the objects that a Constructor makes. `keywords` is the sentinel that a
// Function with default arguments expects before keyword arguments. Without it, keyword arguments are ordered by
// `arg_names`. RATIONALE.md, "Why packages for the stock tvm_ffi bind keyword arguments through the marker".

#endif  // SELFSAME_PY_METHOD_H_
