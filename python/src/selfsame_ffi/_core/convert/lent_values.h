// Lists and dicts of plain values, lent to a Go function for the time of the call. The function copies what it takes,
// so it needs no native container and no native text, whose making takes most of the time otherwise.
// RATIONALE.md, "Why a list or dict is lent to a Go func that copies it".
#ifndef SELFSAME_PY_LENT_VALUES_H_
#define SELFSAME_PY_LENT_VALUES_H_

#include "tie/core.h"

typedef struct SsLentValues SsLentValues;

// Lends a list, tuple or dict: *out is a view of it, valid until ss_lent_release. Adds what has to be released to *all.
// 1: lent. 0: `value` is something else, has other than plain values in it, or memory is short; it must be converted.
// Runs no Python code and sets no error.
SS_HIDDEN int ss_lend(PyObject* value, TVMFFIAny* out, SsLentValues** all);

// Releases all that was lent, after the call. Runs no Python code; keeps the error that is set.
SS_HIDDEN void ss_lent_release(SsLentValues* all);

// Function of the module: lend_arguments(function, mask).
SS_HIDDEN PyObject* ss_lend_arguments(PyObject* module, PyObject* args);

#endif  // SELFSAME_PY_LENT_VALUES_H_
