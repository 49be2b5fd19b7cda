// CObject: the base of every wrapper class.
#ifndef SELFSAME_PY_OBJECT_H_
#define SELFSAME_PY_OBJECT_H_

#include "wrapper/tp_slots.h"

// Gives SsObject_Type its methods. Once, before PyType_Ready.
SS_HIDDEN void ss_object_type_init(void);

#endif  // SELFSAME_PY_OBJECT_H_
