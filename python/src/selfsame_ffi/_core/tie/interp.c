// Functions of a free-threaded CPython 3.13 that it does not export; see interp.h.
#include "tie/interp.h"

#if SS_FREE_THREADED && PY_VERSION_HEX < 0x030E0000

void ss_enable_try_incref(PyObject* o) {
  Py_ssize_t shared = __atomic_load_n(&o->ob_ref_shared, __ATOMIC_RELAXED);
  while ((shared & SHARED_MERGED) == 0 &&
         !__atomic_compare_exchange_n(&o->ob_ref_shared, &shared, shared | SHARED_MAYBE_TRIED, 1, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

int ss_try_incref_shared(PyObject* o) {
  Py_ssize_t shared = __atomic_load_n(&o->ob_ref_shared, __ATOMIC_RELAXED);
  do {
    if (shared == 0 || shared == SHARED_MERGED) return 0;
  } while (!__atomic_compare_exchange_n(&o->ob_ref_shared, &shared, shared + SHARED_ONE, 1, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  return 1;
}

#else

typedef int ss_interp_exports_them;

#endif
