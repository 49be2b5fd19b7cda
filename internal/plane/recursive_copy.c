// Deep copy, with an explicit stack instead of recursion: see recursive.h. Only hooks recurse.
#include <stdlib.h>

#include "map.h"
#include "map_any_key.h"
#include "object_create.h"
#include "object_table.h"
#include "raise.h"
#include "recursive.h"
#include "selfsame/internal/values.h"
#include "sequence.h"
#include "structural_field.h"
#include "structural_hooks.h"
#include "structural_stack.h"
#include "structural_walker.h"
#include "walk.h"

static const char operation[] = "DeepCopy";

typedef enum { ARRAY, LIST, MAP, DICT, FIELDS } Form;

// An object that is being copied. It is borrowed from the frame before, unless `pinned`.
typedef struct {
  TVMFFIObject* obj;
  TVMFFIObject* made;  // owned: the copy; NULL while there is none
  uint8_t form;
  uint8_t shared;  // the object may be met again
  uint8_t pinned;  // the frame owns a reference to the object
  uint8_t owns_x;  // FIELDS: the frame owns x
  TVMFFIAny x;     // FIELDS: the value that is being copied
  union {
    int64_t next;  // ARRAY, LIST: the next index
    struct {
      SsFieldCursor cursor;
      const TVMFFIFieldInfo* field;  // the one being copied
    } fields;
    struct {
      TVMFFIAny* items;             // owned: `count` keys and values in turn, and the `copied` copies behind them
      int64_t count, next, copied;  // DICT: at most one pair is copied and not yet stored
    } map;
  } u;
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  int32_t pinned;           // the first so many frames are pinned
  int deferred;             // a copy contains the original of an Array or Map that was not copied yet
  SsObjectTable copies;     // owned copies of objects that may be met again; 0 while an Array or Map is being copied
  TVMFFIObject** mutables;  // owned: the copies that can be changed
  size_t num_mutables, max_mutables;
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  COPIED,
  DEEPER,  // has contents: a new frame copies them
  RAISED,
} Verdict;

// ---- the stack of frames -----------------------------------------------------------------------------------

// Returns a new frame, or NULL raised.
static Frame* push(Walk* w, Form form, TVMFFIObject* obj) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame), operation);
    if (more == NULL) return NULL;
    w->frames = more;
  }
  uint32_t own = w->depth > 0 ? w->frames[w->depth - 1].owns_x : 0;
  Frame* f = &w->frames[w->depth++];
  f->obj = obj;
  f->made = NULL;
  f->form = (uint8_t)form;
  f->shared = ss_strong_count(obj) > 1 + own;
  f->pinned = f->owns_x = 0;
  f->u.map.items = NULL;
  f->u.map.count = f->u.map.copied = 0;
  return f;
}

static int is_map(const Frame* f) { return f->form == MAP || f->form == DICT; }

static void drop_value(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  f->owns_x = 0;
}

static void drop_items(Frame* f) {
  ss_any_clear_all(f->u.map.items, f->u.map.count + f->u.map.copied);
  free(f->u.map.items);
}

static void pop(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  drop_value(f);
  if (is_map(f)) drop_items(f);
  TVMFFIObject *obj = f->obj, *made = f->made;
  int pinned = f->pinned;
  w->depth--;
  if (w->pinned > w->depth) w->pinned = w->depth;
  ss_xdecref(made);
  if (pinned) ss_xdecref(obj);
}

// Takes references to the objects that the walk is inside of, because foreign code may change what they are borrowed
// from. One that a getter returned is owned by the frame before.
static void pin(Walk* w) {
  for (; w->pinned < w->depth; w->pinned++) {
    if (w->pinned > 0 && w->frames[w->pinned - 1].form == FIELDS && w->frames[w->pinned - 1].owns_x) continue;
    ss_incref(w->frames[w->pinned].obj);
    w->frames[w->pinned].pinned = 1;
  }
}

// ---- what the walk remembers -------------------------------------------------------------------------------

// Stores the copy of the innermost frame's object, if that may be met again. Returns 0, or -1 raised.
static int remember(Walk* w) {
  const Frame* f = &w->frames[w->depth - 1];
  if (!f->shared) return 0;
  if (ss_object_table_set(&w->copies, f->obj, (uint64_t)(uintptr_t)f->made, operation) != 0) return -1;
  ss_incref(f->made);
  return 0;
}

// Marks the Array or Map of the innermost frame as being copied: a cycle may lead back to it before the copy exists.
static int begin(Walk* w) {
  const Frame* f = &w->frames[w->depth - 1];
  return f->shared ? ss_object_table_set(&w->copies, f->obj, 0, operation) : 0;
}

// Stores the innermost frame's copy, and adds it to those that fix_up may change. Returns 0, or -1 raised.
static int remember_mutable(Walk* w) {
  if (w->num_mutables == w->max_mutables) {
    size_t wanted = w->max_mutables == 0 ? 32 : 2 * w->max_mutables;
    TVMFFIObject** more = realloc(w->mutables, wanted * sizeof(*more));
    if (more == NULL) return ss_raise_no_memory(operation);
    w->mutables = more;
    w->max_mutables = wanted;
  }
  TVMFFIObject* made = w->frames[w->depth - 1].made;
  ss_incref(made);
  w->mutables[w->num_mutables++] = made;
  return remember(w);
}

static void forget(Walk* w) {
  for (size_t i = 0; i < w->copies.size; i++) {
    const SsObjectBucket* bucket = &w->copies.buckets[i];
    if (bucket->obj != NULL) ss_xdecref((TVMFFIObject*)(uintptr_t)bucket->word);
  }
  ss_object_table_clear(&w->copies);
  for (size_t i = 0; i < w->num_mutables; i++) ss_xdecref(w->mutables[i]);
  free(w->mutables);
}

// ---- sequences ---------------------------------------------------------------------------------------------

static TVMFFISeqCell* sequence_of(TVMFFIObject* obj) { return (TVMFFISeqCell*)(obj + 1); }

static Verdict copy_array(Walk* w, TVMFFIObject* obj) {
  Frame* f = push(w, ARRAY, obj);
  if (f == NULL) return RAISED;
  f->u.next = 0;
  f->made = ss_array_new(sequence_of(obj)->size);
  return f->made == NULL || begin(w) != 0 ? RAISED : DEEPER;
}

// Stores the copy before it has elements, because a List can contain itself.
static Verdict copy_list(Walk* w, TVMFFIObject* obj) {
  Frame* f = push(w, LIST, obj);
  if (f == NULL) return RAISED;
  f->u.next = 0;
  f->made = ss_list_new(sequence_of(obj)->size);
  return f->made == NULL || remember_mutable(w) != 0 ? RAISED : DEEPER;
}

// Moves an owned value to the end of a copy. Returns 0, or -1 raised with the value released.
static int append(TVMFFIObject* made, TVMFFIAny owned) {
  TVMFFISeqCell* cell = sequence_of(made);
  if (made->type_index == kTVMFFIList && ss_list_make_room(cell) != 0) {
    ss_any_clear(&owned);
    return -1;
  }
  ((TVMFFIAny*)cell->data)[cell->size++] = owned;
  return 0;
}

// ---- maps --------------------------------------------------------------------------------------------------

static Verdict copy_map(Walk* w, TVMFFIObject* obj, Form form) {
  Frame* f = push(w, form, obj);
  if (f == NULL) return RAISED;
  f->u.map.next = 0;
  if (form == MAP) {
    if (begin(w) != 0) return RAISED;
  } else {
    TVMFFIObjectHandle made = NULL;
    if (ss_map_build(kTVMFFIDict, NULL, 0, &made) != 1) return RAISED;
    f->made = made;
    if (remember_mutable(w) != 0) return RAISED;
  }
  f->u.map.items = ss_map_items(obj, &f->u.map.count, operation);
  return f->u.map.items == NULL ? RAISED : DEEPER;
}

// Stores the copies of a key and its value in the Dict of the innermost frame.
static int store_pair(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  TVMFFIAny* two = f->u.map.items + f->u.map.count;
  pin(w);
  if (ss_dict_set_any(f->made, &two[0], &two[1]) != 0) return -1;
  f->u.map.copied = 0;
  ss_any_clear(&two[0]);
  ss_any_clear(&two[1]);
  return 0;
}

// ---- objects of classes ------------------------------------------------------------------------------------

static int is_enum(const TVMFFITypeInfo* type) {
  static int32_t cache;
  int32_t index = ss_walk_class(&cache, "ffi.Enum");
  const SsType* base = ss_type_at(index);
  if (base == NULL) return 0;
  int32_t depth = base->info.type_depth;
  return type->type_index == index || (type->type_depth > depth && type->type_ancestors[depth]->type_index == index);
}

// Makes a shallow copy of an object of a class, the fields of which are then copied.
static Verdict copy_instance(Walk* w, TVMFFIObject* obj, TVMFFIAny* out) {
  static const SsHookKind kind = {.operation = operation, .attribute = "__ffi_shallow_copy__"};
  static SsAttributeColumn* column;
  const SsType* type = ss_type_at(obj->type_index);
  TVMFFIObject* hook = NULL;
  TVMFFIAny value, made;
  ss_set_object(&value, obj);
  if (type != NULL && is_enum(&type->info)) {
    ss_retain(value);
    *out = value;
    return COPIED;
  }
  if (ss_hook_of(&kind, &column, obj->type_index, &hook) != 0) return RAISED;
  if (type == NULL || hook == NULL) {
    ss_raise("InternalError",
             "Check failed: (copy_fn.has_value()) is false: Cannot deep copy object of type \"%s\" because it is not "
             "copy-constructible",
             ss_walk_key(obj->type_index));
    return RAISED;
  }
  Frame* f = push(w, FIELDS, obj);
  if (f == NULL) return RAISED;
  f->u.fields.cursor = ss_first_field(&type->info);
  pin(w);
  if (ss_function_call(hook, &value, 1, &made) != 0) return RAISED;
  if (made.type_index != obj->type_index) {
    ss_raise("TypeError", "`__ffi_shallow_copy__` of type `%s` returned a value of type `%s`", type->info.type_key.data,
             ss_walk_key(made.type_index));
    ss_any_clear(&made);
    return RAISED;
  }
  f->made = made.v_obj;
  return remember_mutable(w) != 0 ? RAISED : DEEPER;
}

// Stores the copy of a field, which it takes over. Returns 0, or -1 raised.
static int store_field(Walk* w, TVMFFIAny part) {
  const Frame* f = &w->frames[w->depth - 1];
  int rc = 0;
  if (part.v_uint64 != f->x.v_uint64 || part.type_index != f->x.type_index) {
    pin(w);
    rc = ss_field_set(f->u.fields.field, f->made, &part);
  }
  ss_any_clear(&part);
  return rc == 0 ? 0 : -1;
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Whether a value is its own copy.
static int is_leaf(TVMFFIAny value) {
  switch (value.type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFIShape:
    case kTVMFFIBigInt:
      return 1;
    default:
      return !ss_is_object_value(value);
  }
}

// Copies a value, without its contents. The caller owns *out.
static Verdict copy_value(Walk* w, TVMFFIAny value, TVMFFIAny* out) {
  const uint64_t* known = is_leaf(value) ? NULL : ss_object_table_get(&w->copies, value.v_obj);
  if (is_leaf(value) || known != NULL) {
    *out = value;
    if (known != NULL && *known == 0) w->deferred = 1;
    if (known != NULL && *known != 0) ss_set_object(out, (TVMFFIObject*)(uintptr_t)*known);
    ss_retain(*out);
    return COPIED;
  }
  switch (value.type_index) {
    case kTVMFFIArray:
      return copy_array(w, value.v_obj);
    case kTVMFFIList:
      return copy_list(w, value.v_obj);
    case kTVMFFIMap:
      return copy_map(w, value.v_obj, MAP);
    case kTVMFFIDict:
      return copy_map(w, value.v_obj, DICT);
    default:
      return copy_instance(w, value.v_obj, out);
  }
}

// Reads the next part of the innermost frame. Returns 1, 0 at the end, or -1 raised.
static int next_part(Walk* w, TVMFFIAny* x) {
  Frame* f = &w->frames[w->depth - 1];
  switch (f->form) {
    case ARRAY:
    case LIST: {
      const TVMFFISeqCell *cell = sequence_of(f->obj), *made = sequence_of(f->made);
      if (f->u.next >= cell->size || (f->form == ARRAY && made->size == made->capacity)) return 0;
      *x = ((const TVMFFIAny*)cell->data)[f->u.next++];
      return 1;
    }
    case FIELDS:
      do {  // the shallow copy has values without parts
        drop_value(f);
        f->u.fields.field = ss_next_field_without(&f->u.fields.cursor, 0);
        if (f->u.fields.field == NULL) return 0;
        int plain = ss_field_is_plain(f->u.fields.field);
        if (ss_peek_field(f->u.fields.field, plain, f->obj, &f->x, &f->owns_x) != 0) return -1;
      } while (is_leaf(f->x));
      *x = f->x;
      return 1;
    default:
      if (f->u.map.next == f->u.map.count) return 0;
      *x = f->u.map.items[f->u.map.next++];
      return 1;
  }
}

// Stores the copy of the innermost frame's current part, which it takes over. Returns 0, or -1 raised.
static int store(Walk* w, TVMFFIAny part) {
  Frame* f = &w->frames[w->depth - 1];
  switch (f->form) {
    case ARRAY:
    case LIST:
      return append(f->made, part);
    case FIELDS:
      return store_field(w, part);
    default:
      f->u.map.items[f->u.map.count + f->u.map.copied++] = part;
      return f->form == DICT && f->u.map.copied == 2 ? store_pair(w) : 0;
  }
}

// Ends the innermost frame, all parts of which are copied, and removes it.
static Verdict finish(Walk* w, TVMFFIAny* out) {
  Frame* f = &w->frames[w->depth - 1];
  if (f->form == MAP) {
    pin(w);
    f->made = ss_map_of_any(f->u.map.items + f->u.map.count, f->u.map.copied);
    if (f->made == NULL) return RAISED;
  }
  if ((f->form == MAP || f->form == ARRAY) && remember(w) != 0) return RAISED;
  ss_set_object(out, f->made);
  f->made = NULL;
  pop(w);
  return COPIED;
}

// Continues with the innermost frame until it ends, when *out is its copy, or another is inside of it.
static Verdict step(Walk* w, TVMFFIAny* out) {
  for (;;) {
    TVMFFIAny x, part;
    int more = next_part(w, &x);
    if (more < 0) return RAISED;
    if (more == 0) return finish(w, out);
    Verdict v = copy_value(w, x, &part);
    if (v != COPIED) return v;
    if (store(w, part) != 0) return RAISED;
  }
}

// Copies a value with all its contents. Returns 0 with *out owned by the caller, or -1 raised.
static int run(Walk* w, TVMFFIAny value, TVMFFIAny* out) {
  Verdict v = copy_value(w, value, out);
  while (w->depth > 0 && v != RAISED) {
    v = step(w, out);
    if (v == COPIED && w->depth > 0 && store(w, *out) != 0) v = RAISED;
  }
  while (w->depth > 0) pop(w);
  return v == RAISED ? -1 : 0;
}

// ---- originals on cycles -----------------------------------------------------------------------------------

// Whether a value is an original that has a copy, which must replace it. The copy is borrowed.
static int has_copy(const Walk* w, TVMFFIAny value, TVMFFIAny* copy) {
  if (!ss_is_object_value(value)) return 0;
  const uint64_t* known = ss_object_table_get(&w->copies, value.v_obj);
  if (known == NULL || *known == 0 || *known == (uint64_t)(uintptr_t)value.v_obj) return 0;
  ss_set_object(copy, (TVMFFIObject*)(uintptr_t)*known);
  return 1;
}

static void fix_list(const Walk* w, TVMFFIObject* list) {
  for (int64_t i = 0; i < sequence_of(list)->size; i++) {
    TVMFFIAny* item = (TVMFFIAny*)sequence_of(list)->data + i;
    TVMFFIAny old = *item, copy;
    if (!has_copy(w, old, &copy)) continue;
    ss_retain(copy);
    *item = copy;
    ss_any_clear(&old);
  }
}

static int fix_dict(Walk* w, TVMFFIObject* dict) {
  int64_t n;
  TVMFFIAny* items = ss_map_items(dict, &n, operation);
  if (items == NULL) return -1;
  int rc = 0;
  for (int64_t i = 0; i < n && rc == 0; i += 2) {
    TVMFFIAny key = items[i], value = items[i + 1];
    int other_key = has_copy(w, items[i], &key), other_value = has_copy(w, items[i + 1], &value);
    if (other_key) rc = ss_dict_erase_any(dict, &items[i]);
    if (rc == 0 && (other_key || other_value)) rc = ss_dict_set_any(dict, &key, &value);
  }
  ss_any_clear_all(items, n);
  free(items);
  return rc;
}

static int fix_instance(const Walk* w, TVMFFIObject* obj) {
  const TVMFFIFieldInfo* field;
  SsFieldCursor cursor = ss_first_field(&ss_type_at(obj->type_index)->info);
  int rc = 0;
  while (rc == 0 && (field = ss_next_field_without(&cursor, 0)) != NULL) {
    TVMFFIAny value, copy;
    uint8_t owned;
    if (ss_peek_field(field, ss_field_is_plain(field), obj, &value, &owned) != 0) return -1;
    if (has_copy(w, value, &copy)) rc = ss_field_set(field, obj, &copy);
    if (owned) ss_any_clear(&value);
  }
  return rc == 0 ? 0 : -1;
}

// Replaces the originals of Arrays and Maps that copies contain: on a cycle, a List, Dict or object is copied before
// the Array or Map that it contains. Returns 0, or -1 raised.
static int fix_up(Walk* w) {
  for (size_t i = 0; i < w->num_mutables; i++) {
    TVMFFIObject* made = w->mutables[i];
    switch (made->type_index) {
      case kTVMFFIList:
        fix_list(w, made);
        break;
      case kTVMFFIDict:
        if (fix_dict(w, made) != 0) return -1;
        break;
      default:
        if (fix_instance(w, made) != 0) return -1;
    }
  }
  return 0;
}

int ss_deep_copy(const TVMFFIAny* value, TVMFFIAny* result) {
  Walk w;
  w.frames = w.first;
  w.depth = w.pinned = 0;
  w.capacity = FIRST_FRAMES;
  w.deferred = 0;
  w.copies = (SsObjectTable){NULL, 0, 0};
  w.mutables = NULL;
  w.num_mutables = w.max_mutables = 0;
  TVMFFIAny made;
  ss_set_none(&made);
  int rc = run(&w, *value, &made);
  if (rc == 0 && w.deferred && fix_up(&w) != 0) {
    ss_any_clear(&made);
    rc = -1;
  }
  if (rc == 0) *result = made;
  if (w.frames != w.first) free(w.frames);
  forget(&w);
  return rc;
}
