// Classes of native objects have no metaclass, but one with abstract methods has no instances, as with abc.ABCMeta.
#ifndef SELFSAME_CORE_TYPES_ABSTRACT_H_
#define SELFSAME_CORE_TYPES_ABSTRACT_H_

#include "tie/core.h"

// Notes the abstract methods of a new class, its own and inherited ones, as its `__abstractmethods__`. 0, or -1 with an
// error set.
SS_HIDDEN int ss_note_abstract(PyTypeObject* cls);

#endif  // SELFSAME_CORE_TYPES_ABSTRACT_H_
