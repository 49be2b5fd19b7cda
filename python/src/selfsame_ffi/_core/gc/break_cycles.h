// Breaking a cycle of native objects: an unreachable native object gives up what it owns.
#ifndef SELFSAME_PY_BREAK_CYCLES_H_
#define SELFSAME_PY_BREAK_CYCLES_H_

#include "tie/core.h"

// Empties `object`, which must be unreachable from anything alive, and to which the caller owns a reference. Takes away
// the elements of a List or Dict, the callable of a closure, and fields that the class's own setter sets to None, or
// else to an Array or Map without elements. Fields that the class does not let anyone change stay. Runs inside
// tp_clear: calls no setter that is a Python function, but releases references, whose destructors may run any code.
// Sets no error.
SS_HIDDEN void ss_break_cycle(TVMFFIObject* object);

#endif  // SELFSAME_PY_BREAK_CYCLES_H_
