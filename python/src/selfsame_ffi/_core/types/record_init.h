// RecordInit: the __init__ of a class declared in Python. One call takes the arguments, makes the native object and
// stores the fields' values.
#ifndef SELFSAME_CORE_TYPES_RECORD_INIT_H_
#define SELFSAME_CORE_TYPES_RECORD_INIT_H_

#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsRecordInit_Type;

// Lets calls of a class of wrappers use its RecordInit without a tuple of arguments, and return the wrapper that the
// native object of a constructor has already (wrapped_already.h). Not for a class whose metaclass has a __call__ of its
// own. Every class of wrappers is given this when it is made or registered. 0, or -1 with an error set.
SS_HIDDEN int ss_record_call_class(PyTypeObject* cls);

#endif  // SELFSAME_CORE_TYPES_RECORD_INIT_H_
