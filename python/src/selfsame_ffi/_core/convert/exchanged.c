// Results of calls with tensors of another package; see exchanged.h.
#include "convert/exchanged.h"

#include "wrapper/classes.h"

// The tables that marks name: a mark is a place here plus one. A table beyond them marks nothing.
enum { TABLES = SS_EXCHANGE_MARK / SS_EXCHANGE_MARK_1 };
static const SsExchange* tables[TABLES];

const SsExchange* ss_exchange_marked(uintptr_t flags) {
  uintptr_t place = (flags & SS_EXCHANGE_MARK) / SS_EXCHANGE_MARK_1 - 1;
  return __atomic_load_n(&tables[place], __ATOMIC_ACQUIRE);
}

// 0 when all places are taken.
static uintptr_t mark_of(const SsExchange* exchange) {
  for (uintptr_t i = 0; i < TABLES; i++) {
    const SsExchange* there = NULL;
    if (__atomic_compare_exchange_n(&tables[i], &there, exchange, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        there == exchange) {
      return (i + 1) * SS_EXCHANGE_MARK_1;
    }
  }
  return 0;
}

static int is_container(int32_t type_index) {
  return type_index == kTVMFFIArray || type_index == kTVMFFIList || type_index == kTVMFFIMap ||
         type_index == kTVMFFIDict;
}

PyObject* ss_exchanged_take(const SsExchange* exchange, TVMFFIAny* value) {
  if (value->type_index == kTVMFFITensor && value->v_obj != NULL) {
    PyObject* made = ss_exchange_export(exchange, value->v_obj);
    ss_decref(value->v_obj);
    return made;
  }
  int marks = is_container(value->type_index);
  PyObject* made = ss_value_take(value);
  // The only reference: the wrapper is new, or nobody in Python has it any more.
  if (marks && made != NULL && Py_REFCNT(made) == 1 && ss_is_wrapper(made)) {
    ss_flags_set(ss_wrapper(made), mark_of(exchange));
  }
  return made;
}
