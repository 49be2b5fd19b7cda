// Reference counts of natives, as the ABI has them. Any thread; no interpreter is needed.
#ifndef SELFSAME_PY_REFCOUNT_H_
#define SELFSAME_PY_REFCOUNT_H_

#include "selfsame/c_api.h"

#define SS_HIDDEN __attribute__((visibility("hidden")))
#define SS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SS_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SS_BOTH_ONE ((uint64_t)0x100000001u)

// The thread sanitizer does not follow fences; an acquiring load of what was released says the same.
#ifdef __SANITIZE_THREAD__
#define SS_ACQUIRE_COUNT(o) ((void)__atomic_load_n(&(o)->combined_ref_count, __ATOMIC_ACQUIRE))
#else
#define SS_ACQUIRE_COUNT(o) __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

static inline uint32_t ss_strong(const TVMFFIObject* o) {
  return (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE);
}

static inline void ss_incref(TVMFFIObject* o) { __atomic_fetch_add(&o->combined_ref_count, 1, __ATOMIC_RELAXED); }

// Releases a reference that is known not to be the last one.
static inline void ss_decref_shared(TVMFFIObject* o) {
  __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_RELEASE);
}

// Releases one strong reference; runs the deleter when it was the last.
static inline void ss_decref(TVMFFIObject* o) {
  uint64_t old = __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_RELEASE);
  if (SS_LIKELY((uint32_t)old != 1)) return;
  SS_ACQUIRE_COUNT(o);
  if (old == SS_BOTH_ONE) {
    if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskStrong);
  old = __atomic_fetch_sub(&o->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_RELEASE);
  if (old == (uint64_t)1 << 32) {
    SS_ACQUIRE_COUNT(o);
    if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

static inline void ss_decref_null(TVMFFIObject* o) {
  if (o != NULL) ss_decref(o);
}

#endif  // SELFSAME_PY_REFCOUNT_H_
