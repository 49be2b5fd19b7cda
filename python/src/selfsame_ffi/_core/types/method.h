// Methods, static methods and constructors of reflected types.
#ifndef SELFSAME_PY_METHOD_H_
#define SELFSAME_PY_METHOD_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsMethod_Type;
extern SS_HIDDEN PyTypeObject SsStaticMethod_Type;
extern SS_HIDDEN PyTypeObject SsConstructor_Type;

// All three are called as Type(function, name, type_key, doc=None, metadata='', arg_names=None, type_index=-1,
// keywords=None). type_index is that of what a Constructor makes. keywords is the sentinel that a function with
// defaults expects before keyword arguments; without it they are put in order by their names.

#endif  // SELFSAME_PY_METHOD_H_
