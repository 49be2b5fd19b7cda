// What every file of the C core shares: the wrapper's layout, its flags, reference counts.
//
// One interpreter, one process-wide state: the module refuses sub-interpreters, so state lives in static variables.
// Unless a comment says otherwise, a function here is called with the interpreter lock held.
#ifndef SELFSAME_PY_CORE_H_
#define SELFSAME_PY_CORE_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "api.h"

#define SS_HIDDEN __attribute__((visibility("hidden")))
#define SS_LIKELY(x) __builtin_expect(!!(x), 1)
#define SS_UNLIKELY(x) __builtin_expect(!!(x), 0)

// Bits of SsWrapper.flags.
enum {
  SS_STATEFUL = 1,    // the class gives its instances state that must outlive a drop; see tie_states.h
  SS_HELD = 2,        // the native owns one Python reference to this wrapper
  SS_UNFINALIZE = 4,  // the finalizer only took a hold: the collector's "finalized" mark must go before the next death
  SS_MOVED = 8,       // the handle was given away by _move()
  SS_GIL_KEEP = 16,   // Function: call with the interpreter lock held
  SS_GIL_DROP = 32,   // Function: call with the interpreter lock released; neither bit: the default
  SS_ACCOUNTED = 64,  // the collector knows the native's only other owner; see edges.h
  SS_KEPT_BITS = SS_GIL_KEEP | SS_GIL_DROP,  // survive in a kept block
  SS_PIN = 256,  // and above: how many calls under way use the handle without owning a reference
};

// The Python face of a native object. handle owns one strong reference, or is NULL: not initialised, or moved away.
typedef struct {
  PyObject_HEAD TVMFFIObject* handle;
  uintptr_t flags;
} SsWrapper;

static inline SsWrapper* ss_wrapper(PyObject* o) { return (SsWrapper*)o; }

#define SS_BOTH_ONE ((uint64_t)0x100000001u)

static inline uint32_t ss_strong(const TVMFFIObject* o) {
  return (uint32_t)__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE);
}

static inline void ss_incref(TVMFFIObject* o) { __atomic_fetch_add(&o->combined_ref_count, 1, __ATOMIC_RELAXED); }

// Releases a reference that is known not to be the last one.
static inline void ss_decref_shared(TVMFFIObject* o) {
  __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_RELEASE);
}

// Releases one strong reference; runs the deleter when it was the last. Any thread.
static inline void ss_decref(TVMFFIObject* o) {
  uint64_t old = __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_RELEASE);
  if (SS_LIKELY((uint32_t)old != 1)) return;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (old == SS_BOTH_ONE) {
    if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskStrong);
  old = __atomic_fetch_sub(&o->combined_ref_count, (uint64_t)1 << 32, __ATOMIC_RELEASE);
  if (old == (uint64_t)1 << 32) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (o->deleter != NULL) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

static inline void ss_decref_null(TVMFFIObject* o) {
  if (o != NULL) ss_decref(o);
}

// The body of a builtin object type, directly behind the header.
#define SS_CELL(type, object) ((type*)((char*)(object) + sizeof(TVMFFIObject)))

// Releases what an owned value holds.
static inline void ss_any_clear(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) ss_decref_null(value->v_obj);
  value->type_index = kTVMFFINone;
  value->v_int64 = 0;
}

static inline TVMFFIByteArray ss_bytes(const char* s) {
  TVMFFIByteArray b = {s, strlen(s)};
  return b;
}

// A str of the bytes, undecodable ones replaced: for names, docs and messages. New reference, NULL with an error set.
static inline PyObject* ss_text(const TVMFFIByteArray* b) {
  return PyUnicode_DecodeUTF8(b->data == NULL ? "" : b->data, (Py_ssize_t)b->size, "replace");
}

#endif  // SELFSAME_PY_CORE_H_
