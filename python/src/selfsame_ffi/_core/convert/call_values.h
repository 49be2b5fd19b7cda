// The native values of arguments of a call.
#ifndef SELFSAME_CORE_CONVERT_CALL_VALUES_H_
#define SELFSAME_CORE_CONVERT_CALL_VALUES_H_

#include "convert/dlpack.h"
#include "convert/convert.h"
#include "convert/internal.h"
#include "convert/lent_tensors.h"
#include "convert/lent_values.h"
#include "convert/tensor_view.h"

// The native values, and what they need until the call has returned.
typedef struct {
  TVMFFIAny* views;       // of the arguments, in the caller's memory
  SsTemps temps;          // objects that were made for them, owned
  SsLent* lent;           // what is lent, owned: the newest
  SsLentTensor* tensors;  // what is lent of other packages, the newest
} SsCallValues;

// After the conversion of an argument has failed: makes a view that a Go function takes for an iterable of an array whose
// package does not export its memory, such as one of texts. `lent` must say that the function takes a list or dict. 0, or
// -1 with an error set.
SS_HIDDEN int ss_view_array_opaque(PyObject* value, SsLentMask lent, TVMFFIAny* view, SsTemps* temps);

// Converts an argument to *view, with `lent` as for the first argument of a Function. 0, or -1 with an error set. May run
// Python code.
static inline __attribute__((always_inline)) int ss_make_view(PyObject* value, SsLentMask lent, int lends_tensors,
                                                              TVMFFIAny* view, SsCallValues* all) {
  if (SS_UNLIKELY(ss_lends(lent))) {
    if (lent.written & 1) {
      int done = ss_lend_written(value, lent, view, &all->lent, &all->temps);
      if (done != 0) return done > 0 ? 0 : -1;
    } else if (ss_lend(value, lent, view, &all->lent)) {
      return 0;
    }
    if (lent.records & 1) ss_exchange_use_fields(value, &all->temps.use);
  }
  if (SS_LIKELY(Py_TYPE(value)->tp_dealloc == ss_dealloc_heap)) return ss_view_wrapper(value, view, &all->temps);
  if (SS_UNLIKELY(Py_TYPE(value) == &SsTensorView_Type && lends_tensors)) return ss_tensor_view_lend(value, view);
  const SsExchangeClass* known = lends_tensors ? ss_exchange_class(Py_TYPE(value)) : NULL;
  if (known != NULL) {
    int lends = SS_LIKELY(known->exchange != NULL)
                    ? ss_lend_tensor(value, known->exchange, view, &all->tensors, &all->temps.use)
                    : ss_lend_by_dlpack(value, view, &all->tensors, &all->temps);
    if (SS_LIKELY(lends > 0)) return 0;
    if (lends < 0) return ss_view_array_opaque(value, lent, view, &all->temps);
  }
  if (SS_LIKELY(ss_to_view(value, view, &all->temps) == 0)) return 0;
  return ss_view_array_opaque(value, lent, view, &all->temps);
}

// Releases what the first `count` values needed. Keeps the error that is set.
static inline void ss_call_values_done(SsCallValues* all, PyObject* const* values, Py_ssize_t count) {
  ss_views_done(&all->temps, values, count);
  if (SS_UNLIKELY(all->lent != NULL)) ss_lent_release(all->lent);
  if (SS_UNLIKELY(all->tensors != NULL)) ss_lent_tensors_done(all->tensors);
}

#endif  // SELFSAME_CORE_CONVERT_CALL_VALUES_H_
