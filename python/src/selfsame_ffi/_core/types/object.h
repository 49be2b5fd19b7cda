// CObject: the base of every wrapper class.
#ifndef SELFSAME_CORE_TYPES_OBJECT_H_
#define SELFSAME_CORE_TYPES_OBJECT_H_

#include "wrapper/tp_slots.h"

// Gives SsObject_Type its methods. Once, before PyType_Ready.
SS_HIDDEN void ss_object_type_init(void);

// Ends a base's __init__ when `self` has its native object already. 0, and nothing happens, when it is called without
// arguments by the constructor that a class declared in Python defines, as super().__init__(): that gets the object
// made. Otherwise -1 with TypeError set.
SS_HIDDEN int ss_object_init_again(PyObject* self, int has_arguments);

#endif  // SELFSAME_CORE_TYPES_OBJECT_H_
