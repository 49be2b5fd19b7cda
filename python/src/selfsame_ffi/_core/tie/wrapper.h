// The wrapper, the Python object that stands for a native object: its layout, its flags, pins and claims.
#ifndef SELFSAME_CORE_TIE_WRAPPER_H_
#define SELFSAME_CORE_TIE_WRAPPER_H_

#include "tie/interp.h"

// Bits of SsWrapper.flags.
enum {
  SS_STATEFUL = 1,  // the class is stateful
  SS_HELD = 2,      // Python has dropped this wrapper, its native object owns it, and `handle` is borrowed
  SS_UNFINALIZE =
      4,             // the finalizer only took a hold: CPython's "finalized" mark must be cleared before the next death
  SS_MOVED = 8,      // _move() gave the handle away
  SS_GIL_KEEP = 16,  // Function: call with the GIL held
  SS_GIL_DROP = 32,  // Function: call with the GIL released; neither bit: the default; both: held but for batches
  SS_DEL_RAN = 64,   // its __del__ was called, and is not called again
  SS_FINAL = 128,    // its finalizer has run and let it die: when its count is zero, nothing revives it
  SS_KEPT_BITS = SS_GIL_KEEP | SS_GIL_DROP,  // survive in a kept block; SS_STATEFUL too, when ss_block_fits sets it
  SS_HANDLE_STAYS = 256,                     // two pins that nobody undoes before the finalizer (ss_keep_handle)
  SS_EXCHANGE_MARK_1 = 512,  // a container: whose tensors its Tensors come out as, 0 for nobody's (convert/exchanged.h)
  SS_EXCHANGE_MARK = 63 * SS_EXCHANGE_MARK_1,
  SS_SHARE = 64 * SS_EXCHANGE_MARK_1,  // one share; 12 bits are the number of shares
  SS_SHARES = 4095 * SS_SHARE,
  SS_PIN = 4096 * SS_SHARE,  // one pin; the bits from here on are the number of pins
};

// `handle` owns one strong reference to the native object and one for each share, unless the wrapper is held. It is NULL
// in a wrapper that is not initialised or was moved away.
typedef struct {
  PyObject_HEAD TVMFFIObject* handle;
  uintptr_t flags;  // SS_ bits, and the numbers of shares and pins
} SsWrapper;

static inline SsWrapper* ss_wrapper(PyObject* o) { return (SsWrapper*)o; }

// Without the GIL several threads may change the flags of a published wrapper at once.
#if SS_FREE_THREADED
static inline uintptr_t ss_flags(const SsWrapper* w) { return __atomic_load_n(&w->flags, __ATOMIC_ACQUIRE); }
static inline uintptr_t ss_flags_set(SsWrapper* w, uintptr_t bits) {
  return __atomic_fetch_or(&w->flags, bits, __ATOMIC_ACQ_REL);
}
static inline uintptr_t ss_flags_clear(SsWrapper* w, uintptr_t bits) {
  return __atomic_fetch_and(&w->flags, ~bits, __ATOMIC_ACQ_REL);
}
static inline void ss_flags_add(SsWrapper* w, uintptr_t pins) { __atomic_fetch_add(&w->flags, pins, __ATOMIC_ACQ_REL); }
#else
static inline uintptr_t ss_flags(const SsWrapper* w) { return w->flags; }
static inline uintptr_t ss_flags_set(SsWrapper* w, uintptr_t bits) {
  uintptr_t before = w->flags;
  w->flags = before | bits;
  return before;
}
static inline uintptr_t ss_flags_clear(SsWrapper* w, uintptr_t bits) {
  uintptr_t before = w->flags;
  w->flags = before & ~bits;
  return before;
}
static inline void ss_flags_add(SsWrapper* w, uintptr_t pins) { w->flags += pins; }
#endif

// Gives a held wrapper a reference of its own, so that it is held no more. The caller owns a reference to the wrapper,
// made by Python without a fetch: from a weak reference, or by gc.get_objects.
// A thread that is just releasing the native object's last reference is waited for, a few instructions.
SS_HIDDEN void ss_own_native(SsWrapper* w);

// Pins the handle without a look at who owns it: until ss_unpin_as_is no thread can take it out of the wrapper. Returns
// the handle; NULL without a handle, when there is no pin to undo. The caller keeps the wrapper alive.
static inline TVMFFIObject* ss_pin_as_is(SsWrapper* w) {
#if SS_FREE_THREADED
  // Add the pin before testing SS_MOVED: a claim that did not see the pin has set SS_MOVED before.
  uintptr_t before = __atomic_fetch_add(&w->flags, SS_PIN, __ATOMIC_ACQ_REL);
  TVMFFIObject* handle = before & SS_MOVED ? NULL : __atomic_load_n(&w->handle, __ATOMIC_ACQUIRE);
  if (SS_UNLIKELY(handle == NULL)) __atomic_fetch_sub(&w->flags, SS_PIN, __ATOMIC_ACQ_REL);
  return handle;
#else
  if (SS_UNLIKELY(w->handle == NULL)) return NULL;
  w->flags += SS_PIN;
  return w->handle;
#endif
}

// The same for a use of the native object: the wrapper owns a reference to it until ss_unpin, so the caller needs none.
static inline TVMFFIObject* ss_pin(SsWrapper* w) {
  TVMFFIObject* handle = ss_pin_as_is(w);
  // A hold that did not see the pin has set SS_HELD before.
  if (SS_UNLIKELY(ss_flags(w) & SS_HELD) && handle != NULL) ss_own_native(w);
  return handle;
}
static inline void ss_unpin_as_is(SsWrapper* w) { ss_flags_add(w, (uintptr_t)0 - SS_PIN); }

// Makes the next death of a wrapper call its finalizer again, after one call of it has left the wrapper alive. Any
// attached thread; the caller owns a reference to the wrapper.
static inline void ss_renew_finalizer(SsWrapper* w) {
  if (SS_LIKELY(!(ss_flags(w) & SS_UNFINALIZE))) return;
  ss_flags_clear(w, SS_UNFINALIZE);
  ss_unfinalize((PyObject*)w);
}

// ---- shares ----
//
// A frontend without identity makes a wrapper at each fetch, each with a reference to the native object. Code that looks
// at the native count was written for that: a second fetch of an object makes it shared. Here both fetches return one
// wrapper, so it takes one more reference, a share, for a fetch that returns it while it lives. There are never more
// shares than other Python references to the wrapper at that time, since each further wrapper would have had one. A call
// with the wrapper as argument looks again, and lets shares go for which there is no Python reference any more; the
// interpreter's stack may have one. All go with the last Python reference, or with the handle. So the count is never smaller
// than elsewhere. It is greater after the name that a fetch was for is gone, while Python has other references.

static inline uint32_t ss_shares(const SsWrapper* w) { return (uint32_t)((ss_flags(w) & SS_SHARES) / SS_SHARE); }

// The number of strong references that a wrapper owns, which has a handle and is not held.
static inline uint32_t ss_owned(const SsWrapper* w) { return 1 + ss_shares(w); }

// Whether a fetch takes a share of a wrapper that has `others` Python references besides the result.
enum { SS_MOST_SHARES = 2000 };  // of 4095, since threads may add some at once
static inline int ss_takes_share(const SsWrapper* w, Py_ssize_t others) {
  uintptr_t shares = ss_flags(w) & SS_SHARES;
  return shares < (uintptr_t)others * SS_SHARE && shares < (uintptr_t)SS_MOST_SHARES * SS_SHARE;
}

// Releases the shares that are more than the wrapper's Python references but one. The caller has pinned the wrapper.
static inline void ss_trim_shares(SsWrapper* w, TVMFFIObject* object) {
  uintptr_t flags = ss_flags(w);
  if (SS_LIKELY((flags & SS_SHARES) == 0)) return;
  // After the flags: a fetch takes its Python reference before its share.
  intptr_t more = (intptr_t)((flags & SS_SHARES) / SS_SHARE) - (ss_references((PyObject*)w) - 1);
  if (SS_LIKELY(more <= 0)) return;
#if SS_FREE_THREADED
  uintptr_t fewer = flags - (uintptr_t)more * SS_SHARE;
  if (!__atomic_compare_exchange_n(&w->flags, &flags, fewer, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
#else
  w->flags = flags - (uintptr_t)more * SS_SHARE;
#endif
  __atomic_fetch_sub(&object->combined_ref_count, (uint64_t)more * SS_STRONG_ONE, __ATOMIC_RELEASE);
}

// Hands one share over to the caller, if there is one. The caller has pinned the wrapper.
static inline int ss_give_share(SsWrapper* w) {
  uintptr_t flags = ss_flags(w);
#if SS_FREE_THREADED
  do {
    if ((flags & SS_SHARES) == 0) return 0;
  } while (!__atomic_compare_exchange_n(&w->flags, &flags, flags - SS_SHARE, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
#else
  if ((flags & SS_SHARES) == 0) return 0;
  w->flags = flags - SS_SHARE;
#endif
  return 1;
}

// Releases the shares. The wrapper keeps its own reference, so none of them is the last.
static inline void ss_release_shares(SsWrapper* w, TVMFFIObject* object) {
  uintptr_t before = ss_flags(w) & SS_SHARES;
  if (SS_LIKELY(before == 0)) return;
  before = ss_flags_clear(w, SS_SHARES) & SS_SHARES;
  __atomic_fetch_sub(&object->combined_ref_count, before / SS_SHARE * SS_STRONG_ONE, __ATOMIC_RELEASE);
}

// Undoes ss_pin. The use may have given the native object another owner, so the next death must call the finalizer.
static inline void ss_unpin(SsWrapper* w) {
  ss_renew_finalizer(w);
  ss_unpin_as_is(w);
}

// Keeps the handle in the wrapper until its finalizer or its dealloc. Those who own a reference to the wrapper then need no pin,
// whose locked instructions make threads that call the same function wait for each other. The two pins exclude claims and
// holds. Only without the GIL; the caller owns a reference to the wrapper.
static inline void ss_keep_handle(SsWrapper* w) {
#if SS_FREE_THREADED
  if (ss_flags(w) & SS_HANDLE_STAYS || ss_pin(w) == NULL) return;
  uintptr_t flags = ss_flags(w);
  while (!(flags & SS_HANDLE_STAYS)) {
    if (__atomic_compare_exchange_n(&w->flags, &flags, (flags + SS_PIN) | SS_HANDLE_STAYS, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      return;
    }
  }
  ss_unpin(w);  // another thread was faster
#else
  (void)w;
#endif
}

// Undoes ss_keep_handle, for the finalizer.
static inline void ss_keep_handle_end(SsWrapper* w) {
  if (ss_flags(w) & SS_HANDLE_STAYS) ss_flags_add(w, (uintptr_t)0 - 2 * SS_PIN - SS_HANDLE_STAYS);
}

// Whether somebody uses the handle and has pinned it.
static inline int ss_is_pinned(const SsWrapper* w) {
  uintptr_t flags = ss_flags(w);
  return flags >= (flags & SS_HANDLE_STAYS ? 3 : 1) * (uintptr_t)SS_PIN;
}

// Sets SS_HELD in a wrapper that Python has dropped, and that nobody or only the caller has pinned, once. 1: it was set;
// 0: it was set before, the handle is claimed, or there are other pins, whose owners rely on the wrapper's reference.
static inline int ss_flags_hold(SsWrapper* w) {
  uintptr_t flags = ss_flags(w);
#if SS_FREE_THREADED
  do {
    if (flags >= 2 * SS_PIN || (flags & (SS_HELD | SS_MOVED))) return 0;
  } while (!__atomic_compare_exchange_n(&w->flags, &flags, (flags | SS_STATEFUL | SS_HELD) & ~(uintptr_t)SS_FINAL, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return 1;
#else
  if (flags >= 2 * SS_PIN || (flags & (SS_HELD | SS_MOVED))) return 0;
  w->flags = (flags | SS_STATEFUL | SS_HELD) & ~(uintptr_t)SS_FINAL;
  return 1;
#endif
}

// Turns the caller's pin into a claim. 1: the caller may take the handle out, and its pin is gone. 0: there are other
// pins, and the caller keeps its own.
static inline int ss_claim(SsWrapper* w) {
  uintptr_t flags = ss_flags(w);
#if SS_FREE_THREADED
  do {
    if (flags >= 2 * SS_PIN) return 0;
  } while (!__atomic_compare_exchange_n(&w->flags, &flags, (flags - SS_PIN) | SS_MOVED, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  return 1;
#else
  if (flags >= 2 * SS_PIN) return 0;
  w->flags = (flags - SS_PIN) | SS_MOVED;
  return 1;
#endif
}

#endif  // SELFSAME_CORE_TIE_WRAPPER_H_
