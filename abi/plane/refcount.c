// Reference counts: strong in the low half, weak in the high half of one word. The algorithm and the memory orders are
// part of the ABI, because compiled C++ code does the same inline on the same objects.
#include "plane.h"

#define STRONG_ONE ((uint64_t)1)
#define WEAK_ONE ((uint64_t)1 << 32)
#define STRONG_MASK ((uint64_t)0xFFFFFFFF)

// Orders the deleter after every release of the others. The thread sanitizer does not follow fences; reading the count
// once more says the same to it.
static void acquire(const TVMFFIObject* obj) {
#ifdef __SANITIZE_THREAD__
  (void)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_ACQUIRE);
#else
  (void)obj;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

static void delete_object(TVMFFIObject* obj, int flags) {
  acquire(obj);
  if (obj->deleter != NULL) obj->deleter(obj, flags);
}

void ss_inc_weak(TVMFFIObject* obj) { __atomic_fetch_add(&obj->combined_ref_count, WEAK_ONE, __ATOMIC_RELAXED); }

void ss_dec_weak(TVMFFIObject* obj) {
  uint64_t old = __atomic_fetch_sub(&obj->combined_ref_count, WEAK_ONE, __ATOMIC_RELEASE);
  if (old == WEAK_ONE) delete_object(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

void ss_last_ref_gone(TVMFFIObject* obj, uint64_t old_counts) {
  if (old_counts == (WEAK_ONE | STRONG_ONE)) {
    delete_object(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else {
    // Weak references remain: end the object's life now, and give back the weak one that the strong ones shared.
    delete_object(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
    ss_dec_weak(obj);
  }
}

int ss_try_promote(TVMFFIObject* obj) {
  uint64_t old = __atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
  while ((old & STRONG_MASK) != 0) {
    if (__atomic_compare_exchange_n(&obj->combined_ref_count, &old, old + STRONG_ONE, 1, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return 1;
    }
  }
  return 0;
}

int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  if (!ss_check_ptr(obj, "TVMFFIObjectIncRef", "obj")) return -1;
  ss_inc_ref(obj);
  return 0;
}

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  ss_dec_ref(obj);
  return 0;
}
