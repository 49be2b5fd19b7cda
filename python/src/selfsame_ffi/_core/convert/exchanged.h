// Results of calls with tensors of another package: a Tensor comes out as that package's, and so do the Tensors in a
// container, when they are read.
//
// The container itself is the native one: its wrapper has a mark that names the package's table, and a container read
// from it gets the same mark. Only a wrapper that nobody else has is marked, because others may read its Tensors as
// such. RATIONALE.md, "Why a result's container remembers the package of its tensors".
#ifndef SELFSAME_PY_EXCHANGED_H_
#define SELFSAME_PY_EXCHANGED_H_

#include "convert/dlpack_exchange.h"
#include "convert/to_python.h"
#include "tie/wrapper.h"

// The Python value of an owned value, with the package's tensors. Takes over the value, on failure too. New reference,
// NULL with an error set.
SS_HIDDEN PyObject* ss_exchanged_take(const SsExchange* exchange, TVMFFIAny* value);

// The table that a marked wrapper names.
SS_HIDDEN const SsExchange* ss_exchange_marked(uintptr_t flags);

// The Python value of an element of `container`, as ss_value_take.
static inline PyObject* ss_element_take(PyObject* container, TVMFFIAny* value) {
  uintptr_t flags = ss_flags(ss_wrapper(container));
  if (SS_LIKELY((flags & SS_EXCHANGE_MARK) == 0)) return ss_value_take(value);
  return ss_exchanged_take(ss_exchange_marked(flags), value);
}

// The same of a view, as ss_value_from_view.
static inline PyObject* ss_element_from_view(PyObject* container, const TVMFFIAny* view) {
  uintptr_t flags = ss_flags(ss_wrapper(container));
  if (SS_LIKELY((flags & SS_EXCHANGE_MARK) == 0) || view->type_index < kTVMFFIStaticObjectBegin) {
    return ss_value_from_view(view);
  }
  TVMFFIAny owned = *view;
  ss_incref(owned.v_obj);
  return ss_exchanged_take(ss_exchange_marked(flags), &owned);
}

#endif  // SELFSAME_PY_EXCHANGED_H_
