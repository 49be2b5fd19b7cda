// The arguments of a call of a reflected method, in the order in which the native Function takes them.
#ifndef SELFSAME_CORE_CONVERT_ARGUMENTS_H_
#define SELFSAME_CORE_CONVERT_ARGUMENTS_H_

#include "tie/core.h"

// How a method takes keyword arguments. Borrowed from the method.
typedef struct {
  PyObject* type_key;   // str and str: the method's name in errors
  PyObject* name;       // str: the method's name
  PyObject* arg_names;  // tuple of str, interned so that calls find them fast; or None: they are not known
  PyObject* sentinel;   // what the Function expects before keyword arguments, or None: it takes none
} SsSignature;

enum { SS_ARGUMENTS_INSIDE = 6 };

typedef struct {
  PyObject* const* values;                // borrowed
  Py_ssize_t count;                       // of values
  PyObject** allocated;                   // the array `values`, if one was allocated; its items are borrowed
  PyObject* inside[SS_ARGUMENTS_INSIDE];  // the array `values` of a few ordered arguments
} SsArguments;

// The arguments of a vectorcall: `count` positional values, then those named in `kwnames` (NULL for none). The first
// `leading` values have no name: the object itself. 0, or -1 with TypeError or MemoryError set and nothing to release.
// After success the caller calls ss_arguments_release.
SS_HIDDEN int ss_arguments_order(const SsSignature* signature, PyObject* const* values, Py_ssize_t count,
                                 PyObject* kwnames, Py_ssize_t leading, SsArguments* out);

// The same, without a call when there are no keyword arguments.
static inline int ss_arguments_make(const SsSignature* signature, PyObject* const* values, Py_ssize_t count,
                                    PyObject* kwnames, Py_ssize_t leading, SsArguments* out) {
  out->values = values;
  out->count = count;
  out->allocated = NULL;
  if (SS_LIKELY(kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0)) return 0;
  return ss_arguments_order(signature, values, count, kwnames, leading, out);
}

// Sets the TypeError for a keyword that is none of `names`: with those names, and the one that was perhaps meant.
// Takes over `names`, a tuple or list of str, or NULL with an error set. Runs Python code.
SS_HIDDEN void ss_set_unexpected_keyword(PyObject* keyword, PyObject* names);

// Puts in front of the error that is set what the caller has called: the method, or the class whose constructor it is.
SS_HIDDEN void ss_prefix_called(const SsSignature* signature);

static inline void ss_arguments_release(SsArguments* arguments) {
  if (SS_UNLIKELY(arguments->allocated != NULL)) PyMem_Free(arguments->allocated);
}

#endif  // SELFSAME_CORE_CONVERT_ARGUMENTS_H_
