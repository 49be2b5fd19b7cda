// What a native owns, as far as the collector may know it.
#ifndef SELFSAME_PY_EDGES_H_
#define SELFSAME_PY_EDGES_H_

#include "gc/owned_fields.h"

// The object in an owned value, when it can own or be tied to anything: strings, bytes and shapes cannot.
static inline TVMFFIObject* ss_object_in(const TVMFFIAny* any) {
  int32_t index = any->type_index;
  if (index < kTVMFFIStaticObjectBegin || index == kTVMFFIStr || index == kTVMFFIBytes || index == kTVMFFIShape) {
    return NULL;
  }
  return any->v_obj;
}

// The memory of Map and Dict behind the header; what follows for dense ones is not needed here.
typedef struct {
  char* data;
  uint64_t size;
  uint64_t slots;  // the top bit: small, entries packed from the start
  void (*data_deleter)(void*);
} SsMapCell;

#define SS_MAP_SMALL ((uint64_t)1 << 63)
enum { SS_MAP_BLOCK_SLOTS = 16, SS_MAP_BLOCK_SIZE = 784, SS_MAP_ITEM_SIZE = 48 };

// How many places for entries have to be looked at.
static inline int64_t ss_map_places(const SsMapCell* cell) {
  if (cell->data == NULL) return 0;
  return (int64_t)(cell->slots & SS_MAP_SMALL ? cell->size : cell->slots);
}

// Key and value at place i of the storage at `data`, NULL when it is empty.
static inline TVMFFIAny* ss_map_pair(char* data, uint64_t slots, int64_t i) {
  if (slots & SS_MAP_SMALL) return (TVMFFIAny*)data + 2 * i;
  char* block = data + i / SS_MAP_BLOCK_SLOTS * SS_MAP_BLOCK_SIZE;
  int64_t in_block = i % SS_MAP_BLOCK_SLOTS;
  if ((uint8_t)block[in_block] >= 0xFE) return NULL;
  return (TVMFFIAny*)(block + SS_MAP_BLOCK_SLOTS + in_block * SS_MAP_ITEM_SIZE);
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
