// Methods, static methods and constructors of reflected types.
#ifndef SELFSAME_PY_METHOD_H_
#define SELFSAME_PY_METHOD_H_

#include "core.h"

extern SS_HIDDEN PyTypeObject SsMethod_Type;
extern SS_HIDDEN PyTypeObject SsStaticMethod_Type;
extern SS_HIDDEN PyTypeObject SsConstructor_Type;

// All three are called as Type(function, name, type_key, doc=None, metadata='', arg_names=None).
// Constructor takes two more: type_index, and keywords=None, the sentinel an auto-made constructor expects before
// keyword arguments.

#endif  // SELFSAME_PY_METHOD_H_
