// Walking from a native along the references it owns. No allocation, no recursion: the walk runs inside the collector,
// and must take the same way each time the collector asks.
#include "edges.h"

#include "callback.h"
#include "tie_states.h"
#include "value.h"

// The place in the list of one native's references.
typedef struct {
  TVMFFIObject* object;
  const TVMFFITypeInfo* info;  // for objects with reflected fields
  int32_t level;               // ancestor whose fields are being read, type_depth for the type's own
  int32_t field;
  int64_t item;
} Cursor;

// Subtracted from a native's counts, this leaves the strong one when there are no weak references, and more than any
// number of owners asked for below when there are: another thread might promote one, and change the native.
#define NO_WEAK ((uint64_t)1 << 32)

// Chains of natives deeper than this are collected in several rounds.
enum { MAX_DEPTH = 4096 };

static TVMFFIObject* object_in(const TVMFFIAny* any) {
  return any->type_index >= kTVMFFIStaticObjectBegin ? any->v_obj : NULL;
}

static int is_object_field(const TVMFFIFieldInfo* field) {
  return (field->flags & SELFSAME_FIELD_PLAIN) != 0 && field->field_static_type_index >= kTVMFFIStaticObjectBegin &&
         field->size == sizeof(void*);
}

static int is_any_field(const TVMFFIFieldInfo* field) {
  return (field->flags & SELFSAME_FIELD_PLAIN) != 0 && field->field_static_type_index == kTVMFFIAny &&
         field->size == sizeof(TVMFFIAny);
}

static TVMFFIObject* object_in_field(TVMFFIObject* object, const TVMFFIFieldInfo* field) {
  char* address = (char*)object + field->offset;
  if (is_object_field(field)) return *(TVMFFIObject**)address;
  return is_any_field(field) ? object_in((TVMFFIAny*)address) : NULL;
}

// The fields of one level of a type: an ancestor's, or its own.
static const TVMFFITypeInfo* level_of(const TVMFFITypeInfo* info, int32_t level) {
  return level < info->type_depth ? info->type_ancestors[level] : info;
}

// Most types own nothing that can be followed. What was found out is kept for low type indices, with the number of
// fields it was found for: fields may be registered later.
typedef struct {
  const TVMFFITypeInfo* info;
  int32_t fields;
  int has_objects;
} Known;
enum { KNOWN_TYPES = 2048 };

static int32_t count_fields(const TVMFFITypeInfo* info) {
  int32_t count = 0;
  for (int32_t level = 0; level <= info->type_depth; level++) count += level_of(info, level)->num_fields;
  return count;
}

static int has_object_fields(const TVMFFITypeInfo* info) {
  for (int32_t level = 0; level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level_of(info, level);
    for (int32_t i = 0; i < at->num_fields; i++) {
      if (is_object_field(&at->fields[i]) || is_any_field(&at->fields[i])) return 1;
    }
  }
  return 0;
}

// The type of an object whose fields hold objects; NULL when they do not.
static const TVMFFITypeInfo* followed_type(int32_t index) {
  static Known known[KNOWN_TYPES];
  if (index < kTVMFFIStaticObjectEnd) return NULL;
  if (index >= KNOWN_TYPES) return ss_api.SelfsameFindTypeInfo(index);
  Known* entry = &known[index];
  if (entry->info == NULL) entry->info = ss_api.SelfsameFindTypeInfo(index);  // its address never changes
  if (entry->info == NULL) return NULL;
  int32_t fields = count_fields(entry->info);
  if (fields != entry->fields) {
    entry->has_objects = has_object_fields(entry->info);
    entry->fields = fields;
  }
  return entry->has_objects ? entry->info : NULL;
}

// Returns 0 when the object owns nothing that can be followed.
static int cursor_start(Cursor* cursor, TVMFFIObject* object) {
  int32_t index = object->type_index;
  *cursor = (Cursor){.object = object, .info = followed_type(index)};
  return cursor->info != NULL || index == kTVMFFIArray || index == kTVMFFIList || index == kTVMFFIError;
}

static TVMFFIObject* next_in_sequence(Cursor* cursor) {
  const TVMFFISeqCell* cell = SS_CELL(TVMFFISeqCell, cursor->object);
  while (cursor->item < cell->size) {
    TVMFFIObject* child = object_in((const TVMFFIAny*)cell->data + cursor->item++);
    if (child != NULL) return child;
  }
  return NULL;
}

static TVMFFIObject* next_in_error(Cursor* cursor) {
  const TVMFFIErrorCell* cell = SS_CELL(TVMFFIErrorCell, cursor->object);
  while (cursor->item < 2) {
    TVMFFIObject* child = cursor->item++ == 0 ? cell->cause_chain : cell->extra_context;
    if (child != NULL) return child;
  }
  return NULL;
}

static TVMFFIObject* next_in_fields(Cursor* cursor) {
  const TVMFFITypeInfo* info = cursor->info;
  while (info != NULL && cursor->level <= info->type_depth) {
    const TVMFFITypeInfo* level = level_of(info, cursor->level);
    while (cursor->field < level->num_fields) {
      TVMFFIObject* child = object_in_field(cursor->object, &level->fields[cursor->field++]);
      if (child != NULL) return child;
    }
    cursor->level++;
    cursor->field = 0;
  }
  return NULL;
}

static TVMFFIObject* next_reference(Cursor* cursor) {
  switch (cursor->object->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return next_in_sequence(cursor);
    case kTVMFFIError:
      return next_in_error(cursor);
    default:
      return next_in_fields(cursor);
  }
}

// The Python object that a native refers to itself.
static PyObject* python_in(TVMFFIObject* object) {
  if (object->type_index == kTVMFFIOpaquePyObject) return ss_opaque_payload(object);
  PyObject** callable = ss_callable_of(object);
  return callable == NULL ? NULL : *callable;
}

static SsWrapper* live_wrapper(const TVMFFIObject* object) {
  SelfsameTieRecord* record = SelfsameTieFind(ss_table, object);
  if (record == NULL) return NULL;
  uintptr_t word = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  return (word & SELFSAME_TIE_TAGS) == 0 ? (SsWrapper*)word : NULL;
}

int ss_visit_owned(TVMFFIObject* root, visitproc visit, void* arg) {
  static Cursor stack[MAX_DEPTH];  // the collector does not run inside itself
  Py_VISIT(python_in(root));
  int depth = cursor_start(&stack[0], root);
  while (depth > 0) {
    TVMFFIObject* child = next_reference(&stack[depth - 1]);
    if (child == NULL) {
      depth--;
      continue;
    }
    uint64_t owners = __atomic_load_n(&child->combined_ref_count, __ATOMIC_ACQUIRE) - NO_WEAK;
    SsWrapper* wrapper = live_wrapper(child);
    if (wrapper == NULL) {
      if (owners != 1) continue;
      Py_VISIT(python_in(child));
    } else {
      if (owners != 2 || !(wrapper->flags & SS_HELD)) continue;  // the path walked and the wrapper
      wrapper->flags |= SS_ACCOUNTED;
      Py_VISIT((PyObject*)wrapper);
      if (Py_REFCNT((PyObject*)wrapper) != 1) continue;
    }
    if (depth < MAX_DEPTH) depth += cursor_start(&stack[depth], child);
  }
  return 0;
}

// ---- held children, outside of the collector ----

// Natives without wrappers between a parent and its held children; deeper ones wait for the collector.
enum { MAX_LEVELS = 64 };

static void visit_children(TVMFFIObject* object, int levels, visitproc visit, void* arg);

// `borrowed` owners of the child are the caller's own.
static void visit_child(TVMFFIObject* child, uint32_t borrowed, int levels, visitproc visit, void* arg) {
  uint32_t owners = ss_strong(child) - borrowed;
  SsWrapper* wrapper = live_wrapper(child);
  if (wrapper == NULL) {
    if (owners == 1 && levels > 0) visit_children(child, levels - 1, visit, arg);
  } else if (owners == 2 && (wrapper->flags & SS_HELD)) {
    visit((PyObject*)wrapper, arg);
  }
}

static int is_getter_field(const TVMFFIFieldInfo* field) {
  return (field->flags & SELFSAME_FIELD_PLAIN) == 0 && field->getter != NULL &&
         (field->field_static_type_index >= kTVMFFIStaticObjectBegin || field->field_static_type_index == kTVMFFIAny);
}

static void visit_through_getter(TVMFFIObject* object, const TVMFFIFieldInfo* field, int levels, visitproc visit,
                                 void* arg) {
  TVMFFIAny value = {.type_index = kTVMFFINone};
  if (field->getter((char*)object + field->offset, &value) != 0) {
    TVMFFIObjectHandle error = NULL;
    ss_api.TVMFFIErrorMoveFromRaised(&error);
    ss_decref_null(error);
    return;
  }
  TVMFFIObject* child = object_in(&value);
  if (child != NULL) visit_child(child, 1, levels, visit, arg);
  ss_any_clear(&value);
}

static void visit_children(TVMFFIObject* object, int levels, visitproc visit, void* arg) {
  Cursor cursor;
  if (cursor_start(&cursor, object)) {
    TVMFFIObject* child;
    while ((child = next_reference(&cursor)) != NULL) visit_child(child, 0, levels, visit, arg);
  }
  if (object->type_index < kTVMFFIStaticObjectEnd) return;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(object->type_index);
  for (int32_t level = 0; info != NULL && level <= info->type_depth; level++) {
    const TVMFFITypeInfo* at = level_of(info, level);
    for (int32_t i = 0; i < at->num_fields; i++) {
      if (is_getter_field(&at->fields[i])) visit_through_getter(object, &at->fields[i], levels, visit, arg);
    }
  }
}

void ss_visit_held_children(TVMFFIObject* root, visitproc visit, void* arg) {
  visit_children(root, MAX_LEVELS, visit, arg);
}
