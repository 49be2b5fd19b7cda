// The static types of the iterators over containers.
#ifndef SELFSAME_CORE_TYPES_ITERATOR_H_
#define SELFSAME_CORE_TYPES_ITERATOR_H_

#include "tie/core.h"

// The initialiser of an iterator type. The file defines iter_dealloc, iter_traverse, iter_next and iter_length_hint for
// instances of the struct `layout`.
#define SS_ITERATOR_TYPE(name, layout)                                                 \
  {                                                                                    \
      PyVarObject_HEAD_INIT(NULL, 0).tp_name = (name),                                 \
      .tp_basicsize = sizeof(layout),                                                  \
      .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                             \
      .tp_dealloc = iter_dealloc,                                                      \
      .tp_traverse = iter_traverse,                                                    \
      .tp_iter = PyObject_SelfIter,                                                    \
      .tp_iternext = iter_next,                                                        \
      .tp_methods = (PyMethodDef[]){{"__length_hint__", iter_length_hint, METH_NOARGS, \
                                     "__length_hint__($self, /)\n--\n\n"               \
                                     "An estimate of the number of items left."},      \
                                    {NULL, NULL, 0, NULL}},                            \
  }

#endif  // SELFSAME_CORE_TYPES_ITERATOR_H_
