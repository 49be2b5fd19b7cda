// The references that a native object owns, as far as the collector may follow them.
#ifndef SELFSAME_CORE_GC_REFERENCES_H_
#define SELFSAME_CORE_GC_REFERENCES_H_

#include "gc/owned_fields.h"
#include "selfsame/internal/containers.h"

// The object in an owned value, when it can own other objects or have a wrapper; NULL for strings, bytes and shapes,
// which cannot, and for values that are no objects.
static inline TVMFFIObject* ss_object_in(const TVMFFIAny* any) {
  int32_t index = any->type_index;
  if (index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr || index == kTVMFFIBytes || index == kTVMFFIShape) {
    return NULL;
  }
  return any->v_obj;
}

// A walk over the references that a native object owns: elements of Array, List, Map and Dict, cause and context of an
// Error, owned fields (owned_fields.h). Reads the object's own memory: the caller makes sure that no thread changes it
// during the walk. Allocates nothing.
typedef struct {
  TVMFFIObject* object;        // whose references are read; borrowed
  const SsOwnedFields* owned;  // the fields that may own, NULL for containers and the like
  int64_t item;                // the number of the next field or element
} SsCursor;

// 0 when the object owns nothing that can be followed.
SS_HIDDEN int ss_cursor_start(SsCursor* cursor, TVMFFIObject* object);

// The next reference, borrowed; NULL at the end.
SS_HIDDEN TVMFFIObject* ss_cursor_next(SsCursor* cursor);

// The Python object that a native owner owns, or the exporter of a Tensor's memory. Borrowed; NULL for other objects,
// and when the exporter is not known.
SS_HIDDEN PyObject* ss_owned_python_object(TVMFFIObject* object);

// Visits the Python objects that are alive through `root` alone: the Python objects of native owners, and held
// wrappers. For tp_traverse, of a wrapper that owns root's only reference while no call uses that wrapper.
//
// The walk follows references to native objects without weak references that have one owner. The reference of such an
// object to the wrapper that it holds is visited here. The walk continues behind the wrapper only when nothing else in
// Python refers to it: otherwise the objects behind it may be alive without `root`.
//
// Only a thread that is attached can change native objects that are owned in this way, so reading them is safe. Returns
// what `visit` returned when that was not 0.
SS_HIDDEN int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg);

#endif  // SELFSAME_CORE_GC_REFERENCES_H_
