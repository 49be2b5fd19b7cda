// What a native owns, as far as the collector may know it.
#ifndef SELFSAME_PY_EDGES_H_
#define SELFSAME_PY_EDGES_H_

#include "gc/owned_fields.h"
#include "selfsame/internal/containers.h"

// The object in an owned value, when it can own or be tied to anything: strings, bytes and shapes cannot.
static inline TVMFFIObject* ss_object_in(const TVMFFIAny* any) {
  int32_t index = any->type_index;
  if (index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr || index == kTVMFFIBytes || index == kTVMFFIShape) {
    return NULL;
  }
  return any->v_obj;
}

// Walks the references that a native owns, in its own memory: elements of Array, List, Map and Dict, cause and context
// of an Error, proven fields (slots.h). The caller knows that nobody changes the native meanwhile.
typedef struct {
  TVMFFIObject* object;
  const SsOwnedFields* slots;
  int64_t item;
} SsCursor;

// 0 when the native owns nothing that can be followed.
SS_HIDDEN int ss_cursor_start(SsCursor* cursor, TVMFFIObject* object);

// The next reference, borrowed; NULL at the end.
SS_HIDDEN TVMFFIObject* ss_cursor_next(SsCursor* cursor);

// The Python object that a native owns a reference to: a closure's callable, an opaque object's payload. Borrowed, or
// NULL.
SS_HIDDEN PyObject* ss_python_in(TVMFFIObject* object);

// The live wrapper of a native, or NULL. Borrowed.
SS_HIDDEN SsWrapper* ss_live_wrapper(const TVMFFIObject* object);

// Visits the Python objects that live through `root` alone: callables of closures and payloads of opaque objects, and
// the held wrappers of natives. The caller's wrapper owns root's only reference, and no call is using it.
//
// Followed are references whose storage says what it is (plain fields, elements of sequences, causes of errors) to
// natives with exactly one owner and no weak reference, and to natives with two: such a reference, and the native's own
// held wrapper. That wrapper's SS_ACCOUNTED is set: the reference it has from its native is visited here. Beyond such a
// wrapper the walk goes on only when nothing else in Python refers to it; else what it reaches may be alive without
// `root`.
//
// Nobody but the interpreter's holder can change natives that are owned so; that is why reading them is safe. Returns
// what `visit` returned when that was not 0.
SS_HIDDEN int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg);

// Visits the held wrappers whose natives have no owner but `root`, directly or through natives without wrappers, and
// the wrapper. Goes along proven fields only: a getter may compute anything, and is the user's to call. Not for the
// collector. `visit` runs no Python code; what it returns is ignored.
SS_HIDDEN void ss_visit_held_children(TVMFFIObject* root, visitproc visit, void* arg);

#endif  // SELFSAME_PY_EDGES_H_
