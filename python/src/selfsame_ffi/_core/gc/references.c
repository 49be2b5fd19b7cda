// Walking from a native along the references it owns. No allocation, no recursion: the walk runs inside the collector,
// and must take the same way each time the collector asks.
#include "gc/references.h"

#include "tie/python_owner.h"
#include "tie/tie_word.h"

// Subtracted from a native's counts, this leaves the strong one when there are no weak references, and more than any
// number of owners asked for below when there are: another thread might promote one, and change the native.
#define NO_WEAK ((uint64_t)1 << 32)

// Chains of natives deeper than this are collected in several rounds.
enum { MAX_DEPTH = 4096 };

int ss_cursor_start(SsCursor* cursor, TVMFFIObject* object) {
  *cursor = (SsCursor){.object = object};
  switch (object->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIError:
    case kTVMFFIMap:
    case kTVMFFIDict:
      return 1;
    default:
      cursor->slots = ss_owned_fields_of(object->type_index);
      return cursor->slots != NULL;
  }
}

static TVMFFIObject* next_in_sequence(SsCursor* cursor) {
  const TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, cursor->object);
  while (cursor->item < cell->size) {
    TVMFFIObject* child = ss_object_in((const TVMFFIAny*)cell->data + cursor->item++);
    if (child != NULL) return child;
  }
  return NULL;
}

static TVMFFIObject* next_in_error(SsCursor* cursor) {
  const TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, cursor->object);
  while (cursor->item < 2) {
    TVMFFIObject* child = cursor->item++ == 0 ? cell->cause_chain : cell->extra_context;
    if (child != NULL) return child;
  }
  return NULL;
}

// Keys and values are counted alike: item 2n is the key of entry n, 2n + 1 its value.
static TVMFFIObject* next_in_map(SsCursor* cursor) {
  const SsMapCell* cell = ss_map_cell(cursor->object);
  int64_t end = 2 * (int64_t)ss_map_walk_end(cell);
  while (cursor->item < end) {
    const SsEntry* entry = ss_map_walk(cell, (uint64_t)cursor->item / 2);
    if (entry == NULL) {
      cursor->item = (cursor->item / 2 + 1) * 2;
      continue;
    }
    TVMFFIObject* child = ss_object_in(cursor->item++ % 2 == 0 ? &entry->key : &entry->value);
    if (child != NULL) return child;
  }
  return NULL;
}

static TVMFFIObject* next_in_slots(SsCursor* cursor) {
  const SsOwnedFields* slots = cursor->slots;
  while (slots != NULL && cursor->item < slots->count) {
    const SsOwnedField* slot = &slots->slots[cursor->item++];
    char* address = (char*)cursor->object + slot->offset;
    TVMFFIObject* child =
        slot->is_any ? ss_object_in((TVMFFIAny*)address) : __atomic_load_n((TVMFFIObject**)address, __ATOMIC_RELAXED);
    if (child != NULL) return child;
  }
  return NULL;
}

TVMFFIObject* ss_cursor_next(SsCursor* cursor) {
  switch (cursor->object->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return next_in_sequence(cursor);
    case kTVMFFIError:
      return next_in_error(cursor);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return next_in_map(cursor);
    default:
      return next_in_slots(cursor);
  }
}

// The Python object that a native refers to itself.
PyObject* ss_python_in(TVMFFIObject* object) {
  if (object->type_index == kTVMFFIOpaquePyObject) return ss_opaque_payload(object);
  PyObject** callable = ss_callable_of(object);
  return callable == NULL ? NULL : *callable;
}

SsWrapper* ss_live_wrapper(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (record == NULL) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  return (word & SELFSAME_TIE_TAGS) == 0 ? (SsWrapper*)word : NULL;
}

// With the walk's stack in the hands of the caller.
static int visit_owned(SsCursor* stack, TVMFFIObject* root, visitproc visit, void* arg) {
  Py_VISIT(ss_python_in(root));
  int depth = ss_cursor_start(&stack[0], root);
  while (depth > 0) {
    TVMFFIObject* child = ss_cursor_next(&stack[depth - 1]);
    if (child == NULL) {
      depth--;
      continue;
    }
    uint64_t owners = __atomic_load_n(&child->combined_ref_count, __ATOMIC_ACQUIRE) - NO_WEAK;
    SsWrapper* wrapper = ss_live_wrapper(child);
    if (wrapper == NULL) {
      if (owners != 1) continue;
      Py_VISIT(ss_python_in(child));
    } else {
      if (owners != 2 || !(wrapper->flags & SS_HELD)) continue;  // the path walked and the wrapper
      ss_flags_set(wrapper, SS_ACCOUNTED);
      Py_VISIT((PyObject*)wrapper);
      // A free-threaded collector counts in the very counters.
      if (SS_FREE_THREADED || Py_REFCNT((PyObject*)wrapper) != 1) continue;
    }
    if (depth < MAX_DEPTH) depth += ss_cursor_start(&stack[depth], child);
  }
  return 0;
}

int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg) {
  static SsCursor stack[MAX_DEPTH];  // the collector does not run inside itself
#if SS_FREE_THREADED
  // But gc.get_referents does, on any thread. Who comes second sees nothing: the same in all that the collector asks
  // while the other threads are stopped.
  static int used;
  if (__atomic_exchange_n(&used, 1, __ATOMIC_ACQUIRE)) return 0;
  int rc = visit_owned(stack, root, visit, arg);
  __atomic_store_n(&used, 0, __ATOMIC_RELEASE);
  return rc;
#else
  return visit_owned(stack, root, visit, arg);
#endif
}

// ---- held children, outside of the collector ----

// Natives without wrappers between a parent and its held children; deeper ones wait for the collector.
enum { MAX_LEVELS = 64 };

static void visit_children(TVMFFIObject* object, int levels, visitproc visit, void* arg);

static void visit_child(TVMFFIObject* child, int levels, visitproc visit, void* arg) {
  uint32_t owners = ss_strong(child);
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, child);
  PyObject* wrapper = record == NULL ? NULL : ss_word_take(record);
  if (wrapper == NULL) {
    if (owners == 1 && levels > 0) visit_children(child, levels - 1, visit, arg);
    return;
  }
  if (owners == 2 && (ss_flags(ss_wrapper(wrapper)) & SS_HELD)) visit(wrapper, arg);
  Py_DECREF(wrapper);
}

static void visit_children(TVMFFIObject* object, int levels, visitproc visit, void* arg) {
  SsCursor cursor;
  if (!ss_cursor_start(&cursor, object)) return;
  TVMFFIObject* child;
  while ((child = ss_cursor_next(&cursor)) != NULL) visit_child(child, levels, visit, arg);
}

void ss_visit_held_children(TVMFFIObject* root, visitproc visit, void* arg) {
  visit_children(root, MAX_LEVELS, visit, arg);
}
