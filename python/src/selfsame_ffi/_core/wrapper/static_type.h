// The static types of the wrapper families: Array, Map, Function and so on.
#ifndef SELFSAME_PY_STATIC_TYPE_H_
#define SELFSAME_PY_STATIC_TYPE_H_

#include "wrapper/tp_slots.h"

// The first members of the initialiser of a wrapper type: CPython releases and collects all wrappers in the same way.
// `layout` is the struct of an instance, which begins with an SsWrapper; `flags` are added to the common ones.
//
//   PyTypeObject SsArray_Type = {SS_WRAPPER_TYPE(name, doc, &SsObject_Type, SsWrapper, flags), .tp_init = array_init};
#define SS_WRAPPER_TYPE(name, doc, base, layout, flags)                                                                \
  PyVarObject_HEAD_INIT(NULL, 0).tp_name = (name), .tp_doc = (doc), .tp_base = (base), .tp_basicsize = sizeof(layout), \
                              .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | (flags),                           \
                              .tp_dealloc = ss_dealloc_static, .tp_traverse = ss_traverse, .tp_clear = ss_clear

#endif  // SELFSAME_PY_STATIC_TYPE_H_
