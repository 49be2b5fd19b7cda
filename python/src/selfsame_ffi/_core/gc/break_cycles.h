// Opening a cycle of natives: taking away what a dead native owns.
#ifndef SELFSAME_PY_OPEN_H_
#define SELFSAME_PY_OPEN_H_

#include "tie/core.h"

// Empties a native that nothing alive leads to and that the caller keeps: elements of a List or Dict, the callable of a
// closure, fields that its class lets anybody set to None. What the class refuses stays. Releases references, so it may
// run any code; no error is left.
SS_HIDDEN void ss_open(TVMFFIObject* object);

#endif  // SELFSAME_PY_OPEN_H_
