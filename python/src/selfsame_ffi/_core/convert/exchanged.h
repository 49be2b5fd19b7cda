// Results of calls with tensors of another package: a Tensor comes out as that package's, and so do the Tensors in a
// container, when they are read.
//
// The container itself is the native one: its wrapper has a mark that names the package's table, and a container read
// from it gets the same mark. Only a wrapper that nobody else has is marked, because others may read its Tensors as
// such.
//
// Why a result's container remembers the package of its tensors. A kernel that is called with PyTorch's tensors and
// returns an Array of Tensors gives `a, b = f(x)` two of PyTorch, as in the published package. The container stays the
// native one, so each read converts: six bits of the wrapper's flags name the package's table, which lives as long as
// the process. Only a wrapper that is new is marked, because code that has the container already reads Tensors from it;
// a container read from a marked one is marked by the same rule. So are containers that a callback of convert_func with
// tensor_cls gets. The mark goes with the wrapper, as what a lean wrapper has beside its native object does.
//
// A record of a Go func reaches native code as the Python object, whose fields Go reads during the call. So the
// metadata lists the arguments that are records with tensors, and the core looks for tensors in these before the call.
// An object that other functions get is not looked into: it may be anything, and the published package does not either.
//
// Several results of a Go func, a record and what the option Plain gives are Python's own tuples, dataclasses, lists
// and dicts, which have no place for a mark. So the call puts the package's tensors into one that nobody else refers to
// yet. The elements of an iterator come after the call and stay Tensors.
#ifndef SELFSAME_CORE_CONVERT_EXCHANGED_H_
#define SELFSAME_CORE_CONVERT_EXCHANGED_H_

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
  if (view->type_index == kTVMFFIInt) return PyLong_FromLongLong(view->v_int64);
  uintptr_t flags = ss_flags(ss_wrapper(container));
  if (SS_LIKELY((flags & SS_EXCHANGE_MARK) == 0) || view->type_index < kTVMFFIStaticObjectBegin) {
    return ss_value_from_view(view);
  }
  TVMFFIAny owned = *view;
  ss_incref(owned.v_obj);
  return ss_exchanged_take(ss_exchange_marked(flags), &owned);
}

#endif  // SELFSAME_CORE_CONVERT_EXCHANGED_H_
