// Reference counts of native objects: strong in the low half, weak in the high half of one word. All strong references
// together own one weak reference. The algorithm and the memory orders belong to the ABI: compiled C++ code does the
// same inline on the same objects.
//
// Every function may run on any thread, with or without a Python interpreter. Not in build/include: users count
// references with TVMFFIObjectIncRef and TVMFFIObjectDecRef.
#ifndef SELFSAME_INTERNAL_REFCOUNT_H_
#define SELFSAME_INTERNAL_REFCOUNT_H_

#include "selfsame/c_api.h"
#include "selfsame/internal/attributes.h"

#define SS_STRONG_ONE ((uint64_t)1)
#define SS_WEAK_ONE ((uint64_t)1 << 32)
#define SS_BOTH_ONE (SS_WEAK_ONE | SS_STRONG_ONE)  // a new object, and one with a single owner and no weak reference

// Orders the deleter after every release by another thread. The thread sanitizer does not follow fences; an acquiring
// load of the count says the same to it.
#ifdef __SANITIZE_THREAD__
#define SS_ACQUIRE_COUNT(o) ((void)__atomic_load_n(&(o)->combined_ref_count, __ATOMIC_ACQUIRE))
#else
#define SS_ACQUIRE_COUNT(o) __atomic_thread_fence(__ATOMIC_ACQUIRE)
#endif

// Fills in the header of a new object: one strong reference, owned by the caller, and no tie record. `deleter` may be
// NULL: the object is never freed.
static inline void ss_object_init(void* obj, int32_t type_index, void (*deleter)(void* self, int flags)) {
  TVMFFIObject* header = (TVMFFIObject*)obj;
  header->combined_ref_count = SS_BOTH_ONE;
  header->type_index = type_index;
  header->__padding = 0;
  header->deleter = deleter;
}

// The number of strong references.
static inline uint32_t ss_strong(const TVMFFIObject* o) {
  return (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE);
}

// Adds a strong reference. The caller owns one, or borrows from an owner.
static inline void ss_incref(TVMFFIObject* o) {
  __atomic_fetch_add(&o->combined_ref_count, SS_STRONG_ONE, __ATOMIC_RELAXED);
}

// Releases a strong reference that is known not to be the last one.
static inline void ss_decref_shared(TVMFFIObject* o) {
  __atomic_fetch_sub(&o->combined_ref_count, SS_STRONG_ONE, __ATOMIC_RELEASE);
}

// Adds a weak reference. The caller owns a reference, strong or weak, or borrows one.
static inline void ss_weak_incref(TVMFFIObject* o) {
  __atomic_fetch_add(&o->combined_ref_count, SS_WEAK_ONE, __ATOMIC_RELAXED);
}

// Releases a weak reference; frees the memory when it was the last one.
static inline void ss_weak_decref(TVMFFIObject* o) {
  uint64_t old = __atomic_fetch_sub(&o->combined_ref_count, SS_WEAK_ONE, __ATOMIC_RELEASE);
  if (old != SS_WEAK_ONE) return;
  SS_ACQUIRE_COUNT(o);
  if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

// Ends the life of an object whose last strong reference has been released. `old` is the count before that.
static inline void ss_end(TVMFFIObject* o, uint64_t old) {
  if (old == SS_BOTH_ONE) {
    if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  // Weak references remain: end the object's life, then release the weak reference that the strong ones shared.
  if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskStrong);
  ss_weak_decref(o);
}

// Releases a strong reference. Returns the count before it, which the caller gives to ss_end, when it was the last one; 0 when
// not.
static inline uint64_t ss_drop(TVMFFIObject* o) {
  uint64_t old = __atomic_fetch_sub(&o->combined_ref_count, SS_STRONG_ONE, __ATOMIC_RELEASE);
  if (SS_LIKELY((uint32_t)old != 1)) return 0;
  SS_ACQUIRE_COUNT(o);
  return old;
}

// Releases a strong reference; runs the deleter when it was the last one.
static inline void ss_decref(TVMFFIObject* o) {
  uint64_t old = ss_drop(o);
  if (SS_UNLIKELY(old != 0)) ss_end(o, old);
}

// ss_decref for a pointer that may be NULL.
static inline void ss_xdecref(TVMFFIObject* o) {
  if (o != NULL) ss_decref(o);
}

// Makes a strong reference of a weak one, which the caller keeps. 1: a strong reference was added; 0: the last one is
// gone.
static inline int ss_promote(TVMFFIObject* o) {
  uint64_t old = __atomic_load_n(&o->combined_ref_count, __ATOMIC_RELAXED);
  while ((uint32_t)old != 0) {
    if (__atomic_compare_exchange_n(&o->combined_ref_count, &old, old + SS_STRONG_ONE, 1, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return 1;
    }
  }
  return 0;
}

#endif  // SELFSAME_INTERNAL_REFCOUNT_H_
