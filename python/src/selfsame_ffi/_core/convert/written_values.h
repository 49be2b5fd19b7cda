// The arguments of a Go function that writes through them. Memory that can be written is lent where it lies; a list, a dict and any
// other Python object arrives opaque: Go asks for its parts, and gives it back what changed (internal/engine/convert/written.go).
#ifndef SELFSAME_CORE_CONVERT_WRITTEN_VALUES_H_
#define SELFSAME_CORE_CONVERT_WRITTEN_VALUES_H_

#include "convert/internal.h"
#include "convert/lent_values.h"

// *out is a view of what the function gets of `value`, for the argument of the lowest bits. Adds what has to be released to *all. 1: it
// is set; 0: `value` is converted as any argument; -1 with an error set.
SS_HIDDEN int ss_lend_written(PyObject* value, SsLentMask mask, TVMFFIAny* out, SsLent** all, SsTemps* temps);

#endif  // SELFSAME_CORE_CONVERT_WRITTEN_VALUES_H_
