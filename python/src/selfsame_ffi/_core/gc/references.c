// Walks along the references that native objects own. They run inside the collector, without allocation or recursion,
// and take the same way in each phase of a collection.
#include "gc/references.h"

#include "selfsame/internal/error_links.h"
#include "tie/imported_tensor.h"
#include "tie/python_owner.h"

// Subtracted from the two counts of an object, this leaves the strong count when there is no weak reference. Otherwise
// it leaves more than any number compared with below: another thread might promote the weak reference and change the
// object.
#define NO_WEAK ((uint64_t)1 << 32)

// Longer chains of native objects take several collections.
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
      cursor->owned = ss_owned_fields_of(object->type_index);
      return cursor->owned != NULL;
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
    TVMFFIObject* child = cursor->item++ == 0 ? ss_error_cause(cell) : ss_error_context(cell);
    if (child != NULL) return child;
  }
  return NULL;
}

// Item 2n is the key at place n, item 2n + 1 its value.
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

static TVMFFIObject* next_in_fields(SsCursor* cursor) {
  const SsOwnedFields* owned = cursor->owned;
  while (owned != NULL && cursor->item < owned->count) {
    const SsOwnedField* field = &owned->fields[cursor->item++];
    char* address = (char*)cursor->object + field->offset;
    TVMFFIObject* child =
        field->is_any ? ss_object_in((TVMFFIAny*)address) : __atomic_load_n((TVMFFIObject**)address, __ATOMIC_RELAXED);
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
      return next_in_fields(cursor);
  }
}

PyObject* ss_owned_python_object(TVMFFIObject* object) {
  if (object->type_index == kTVMFFIOpaquePyObject) return ss_opaque_python_object(object);
  const SsImportedTensor* imported = ss_imported_tensor_of(object);
  if (imported != NULL) return imported->exporter;
  PyObject** callable = ss_callable_of(object);
  return callable == NULL ? NULL : *callable;
}

// The wrapper of a native object that is Active or Held, or NULL. Borrowed.
static SsWrapper* live_wrapper(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (record == NULL) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  return (word & SELFSAME_TIE_TAGS & ~SELFSAME_TIE_HELD) == 0 ? (SsWrapper*)(word & ~SELFSAME_TIE_HELD) : NULL;
}

static int visit_owned(SsCursor* stack, TVMFFIObject* root, visitproc visit, void* arg) {
  Py_VISIT(ss_owned_python_object(root));
  int depth = ss_cursor_start(&stack[0], root);
  while (depth > 0) {
    TVMFFIObject* child = ss_cursor_next(&stack[depth - 1]);
    if (child == NULL) {
      depth--;
      continue;
    }
    uint64_t owners = __atomic_load_n(&child->combined_ref_count, __ATOMIC_ACQUIRE) - NO_WEAK;
    if (owners != 1) continue;  // not the object before it on the path alone
    SsWrapper* wrapper = live_wrapper(child);
    if (wrapper == NULL) {
      Py_VISIT(ss_owned_python_object(child));
    } else {
      Py_VISIT((PyObject*)wrapper);  // held: otherwise it would be another owner
      // While a free-threaded collector runs, the reference counts of Python objects hold its own numbers.
      if (SS_FREE_THREADED || Py_REFCNT((PyObject*)wrapper) != 1) continue;
    }
    if (depth < MAX_DEPTH) depth += ss_cursor_start(&stack[depth], child);
  }
  return 0;
}

int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg) {
  static SsCursor stack[MAX_DEPTH];  // one is enough: the collector does not run inside itself
#if SS_FREE_THREADED
  // But gc.get_referents may traverse on any thread. When the stack is in use, the second caller visits nothing; the
  // collector, which stops the other threads, then does so in both of its phases.
  static int used;
  if (__atomic_exchange_n(&used, 1, __ATOMIC_ACQUIRE)) return 0;
  int rc = visit_owned(stack, root, visit, arg);
  __atomic_store_n(&used, 0, __ATOMIC_RELEASE);
  return rc;
#else
  return visit_owned(stack, root, visit, arg);
#endif
}
