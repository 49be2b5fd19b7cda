// Deep copy: see selfsame.h and walk_frames.h.
#include <stdlib.h>

#include "scalars/any.h"
#include "collections/map_pairs.h"
#include "core/object_create.h"
#include "core/object_table.h"
#include "core/raise.h"
#include "collections/sequence.h"
#include "structural_visitor.h"
#include "walk_frames.h"

static const char operation[] = "DeepCopy";

typedef struct {
  SsFrames frames;          // the stack of the walk
  int deferred;             // a copy contains the original of an Array or Map that was not copied yet
  SsObjectTable copies;     // owned copies of objects that may be met again; 0 while an Array or Map is being copied
  TVMFFIObject** mutables;  // owned: the copies that can be changed
  size_t num_mutables, max_mutables;  // of mutables: in use, and room
} Walk;

static const SsHookKind copy_hook = {.operation = operation, .attribute = "__ffi_shallow_copy__"};

// Returns a new frame, or NULL raised.
static SsFrame* push(Walk* w, SsForm form, TVMFFIObject* obj) {
  uint32_t own = ss_frames_own(&w->frames);
  SsFrame* f = form == SS_MAP ? ss_frames_push_map(&w->frames, obj, NULL) : ss_frames_push(&w->frames, form, obj, NULL);
  if (f != NULL) f->again = ss_strong_count(obj) > 1 + own;
  return f;
}

static void leave(SsFrames* s, SsFrame* f) {
  (void)s;
  ss_xdecref(f->out.made);
}

// ---- what the walk remembers -------------------------------------------------------------------------------

// Stores the copy of the innermost frame's object, if that may be met again. Returns 0, or -1 raised.
static int remember(Walk* w) {
  const SsFrame* f = w->frames.top;
  if (!f->again) return 0;
  if (ss_object_table_set(&w->copies, f->a, (uint64_t)(uintptr_t)f->out.made, operation) != 0) return -1;
  ss_incref(f->out.made);
  return 0;
}

// Marks the Array or Map of the innermost frame as being copied: a cycle may lead back to it before the copy exists.
static int begin(Walk* w) {
  const SsFrame* f = w->frames.top;
  return f->again ? ss_object_table_set(&w->copies, f->a, 0, operation) : 0;
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
  TVMFFIObject* made = w->frames.top->out.made;
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

// Stores the copy of a List before it has elements, because a List can contain itself.
static SsStep enter_sequence(Walk* w, TVMFFIObject* obj) {
  SsFrame* f = push(w, SS_SEQUENCE, obj);
  if (f == NULL) return SS_RAISED;
  f->u.sequence.next = 0;
  int is_list = obj->type_index == kTVMFFIList;
  f->out.made = (is_list ? ss_list_new : ss_array_new)(ss_sequence(obj)->size);
  return f->out.made == NULL || (is_list ? remember_mutable : begin)(w) != 0 ? SS_RAISED : SS_DEEPER;
}

// ---- maps --------------------------------------------------------------------------------------------------

static int is_dict(const SsFrame* f) { return f->a->type_index == kTVMFFIDict; }

// The items of a map's frame are its keys and values in turn, `end` of them, and the copies behind them: of a Dict, at
// most one pair that is copied and not yet stored.
static SsStep enter_map(Walk* w, TVMFFIObject* obj) {
  SsFrame* f = push(w, SS_MAP, obj);
  if (f == NULL) return SS_RAISED;
  if (!is_dict(f)) {
    if (begin(w) != 0) return SS_RAISED;
  } else {
    TVMFFIObjectHandle made = NULL;
    if (ss_map_build(kTVMFFIDict, NULL, 0, &made) != 0) return SS_RAISED;
    f->out.made = made;
    if (remember_mutable(w) != 0) return SS_RAISED;
  }
  f->u.map->items = ss_map_items(obj, &f->u.map->count, operation);
  f->u.map->end = f->u.map->count;
  return f->u.map->items == NULL ? SS_RAISED : SS_DEEPER;
}

// Stores the copies of a key and its value in the Dict of the innermost frame.
static int store_pair(Walk* w) {
  SsFrame* f = w->frames.top;
  TVMFFIAny* two = f->u.map->items + f->u.map->end;
  ss_frames_pin(&w->frames);
  if (ss_map_set(f->out.made, &two[0], &two[1]) != 0) return -1;
  f->u.map->count = f->u.map->end;
  ss_any_clear_all(two, 2);
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
static SsStep enter_instance(Walk* w, TVMFFIObject* obj, TVMFFIAny* out) {
  static SsAttributeColumn* column;
  const SsType* type = ss_type_at(obj->type_index);
  TVMFFIObject* hook = NULL;
  TVMFFIAny value, made;
  ss_set_object(&value, obj);
  if (type != NULL && is_enum(&type->info)) {
    ss_retain(value);
    *out = value;
    return SS_DONE;
  }
  if (ss_hook_of(&copy_hook, &column, obj->type_index, &hook) != 0) return SS_RAISED;
  if (type == NULL || hook == NULL) {
    ss_raise("InternalError",
             "Check failed: (copy_fn.has_value()) is false: Cannot deep copy object of type \"%s\" because it is not "
             "copy-constructible",
             ss_walk_key(obj->type_index));
    return SS_RAISED;
  }
  SsFrame* f = push(w, SS_FIELDS, obj);
  if (f == NULL) return SS_RAISED;
  f->u.fields.cursor = ss_first_field(&type->info);
  ss_frames_pin(&w->frames);
  if (ss_function_call(hook, &value, 1, &made) != 0) return SS_RAISED;
  if (made.type_index != obj->type_index) {
    ss_raise("TypeError", "`__ffi_shallow_copy__` of type `%s` returned a value of type `%s`", type->info.type_key.data,
             ss_walk_key(made.type_index));
    ss_any_clear(&made);
    return SS_RAISED;
  }
  f->out.made = made.v_obj;
  return remember_mutable(w) != 0 ? SS_RAISED : SS_DEEPER;
}

// Stores the copy of a field, which it takes over. Returns 0, or -1 raised.
static int store_field(Walk* w, TVMFFIAny part) {
  const SsFrame* f = w->frames.top;
  int rc = 0;
  if (part.v_obj != f->u.fields.x) {  // both are objects
    ss_frames_pin(&w->frames);
    rc = ss_field_set(f->u.fields.field, f->out.made, &part);
  }
  ss_any_clear(&part);
  return rc == 0 ? 0 : -1;
}

// ---- the rules ---------------------------------------------------------------------------------------------

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

static SsStep enter(SsFrames* s, SsPart* part) {
  Walk* w = (Walk*)s;
  TVMFFIAny value = part->x;
  const uint64_t* known = is_leaf(value) ? NULL : ss_object_table_get(&w->copies, value.v_obj);
  if (is_leaf(value) || known != NULL) {
    part->out.copy = value;
    if (known != NULL && *known == 0) w->deferred = 1;
    if (known != NULL && *known != 0) ss_set_object(&part->out.copy, (TVMFFIObject*)(uintptr_t)*known);
    ss_retain(part->out.copy);
    return SS_DONE;
  }
  switch (value.type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
      return enter_sequence(w, value.v_obj);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return enter_map(w, value.v_obj);
    default:
      return enter_instance(w, value.v_obj, &part->out.copy);
  }
}

// Ends the innermost frame, all parts of which are copied.
static SsStep finish(Walk* w, SsPart* part) {
  SsFrame* f = w->frames.top;
  int32_t type_index = f->a->type_index;
  if (f->form == SS_MAP && type_index == kTVMFFIMap) {
    ss_frames_pin(&w->frames);
    TVMFFIObjectHandle made = NULL;
    int64_t copied = f->u.map->count - f->u.map->end;
    if (ss_map_build(kTVMFFIMap, f->u.map->items + f->u.map->end, copied / 2, &made) != 0) return SS_RAISED;
    f->out.made = made;
  }
  if ((type_index == kTVMFFIMap || type_index == kTVMFFIArray) && remember(w) != 0) return SS_RAISED;
  ss_set_object(&part->out.copy, f->out.made);
  f->out.made = NULL;
  return SS_DONE;
}

// A callback may have added to a List. An Array does not get more elements than it has room for.
static SsStep next_element(SsFrame* f, SsPart* part) {
  const TVMFFISeqCell* made = ss_sequence(f->out.made);
  return f->a->type_index == kTVMFFIArray && made->size == made->capacity ? SS_DONE : ss_frame_next_element(f, part);
}

static SsStep next_field(SsFrame* f, SsPart* part) {
  SsStep step;
  do {  // the shallow copy has values without parts
    step = ss_frame_next_field(f, 0, part);
  } while (step == SS_NEXT && is_leaf(part->x));
  return step;
}

static SsStep next_item(SsFrame* f, SsPart* part) {
  if (f->u.map->next == f->u.map->end) return SS_DONE;
  part->x = f->u.map->items[f->u.map->next++];
  return SS_NEXT;
}

static SsStep next(SsFrames* s, SsPart* part) {
  SsFrame* f = s->top;
  SsStep step = f->form == SS_SEQUENCE ? next_element(f, part)
                : f->form == SS_FIELDS ? next_field(f, part)
                                       : next_item(f, part);
  return step == SS_DONE ? finish((Walk*)s, part) : step;
}

// Stores the copy of a part, which it takes over.
static SsStep add(SsFrames* s, SsPart* part) {
  SsFrame* f = s->top;
  int rc = 0;
  switch (f->form) {
    case SS_SEQUENCE:
      rc = ss_sequence_append(f->out.made, part->out.copy);
      break;
    case SS_FIELDS:
      rc = store_field((Walk*)s, part->out.copy);
      break;
    default:
      f->u.map->items[f->u.map->count++] = part->out.copy;
      if (is_dict(f) && f->u.map->count == f->u.map->end + 2) rc = store_pair((Walk*)s);
  }
  return rc == 0 ? SS_NEXT : SS_RAISED;
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
  for (int64_t i = 0; i < ss_sequence(list)->size; i++) {
    TVMFFIAny* item = (TVMFFIAny*)ss_sequence(list)->data + i;
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
    if (other_key) rc = ss_map_erase(dict, &items[i], NULL);
    if (rc == 0 && (other_key || other_value)) rc = ss_map_set(dict, &key, &value);
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

// Tells of the copies of objects that had several owners. Returns 0, or what `note` returned.
static int tell(const Walk* w, SelfsameCopied note, void* context) {
  int rc = 0;
  for (size_t i = 0; i < w->copies.size && rc == 0; i++) {
    const SsObjectBucket* bucket = &w->copies.buckets[i];
    if (bucket->obj != NULL && bucket->word != 0)
      rc = note(context, bucket->obj, (TVMFFIObject*)(uintptr_t)bucket->word);
  }
  return rc;
}

int SelfsameDeepCopy(const TVMFFIAny* value, TVMFFIAny* result, SelfsameCopied note, void* context) {
  Walk w;
  ss_frames_begin(&w.frames, &copy_hook);
  w.deferred = 0;
  w.copies = (SsObjectTable){NULL, 0, 0};
  w.mutables = NULL;
  w.num_mutables = w.max_mutables = 0;
  SsPart part = {.x = *value};
  int rc = ss_frames_run(&w.frames, enter, next, add, leave, &part);
  if (rc == 0) {
    rc = w.deferred ? fix_up(&w) : 0;
    if (rc == 0 && note != NULL) rc = tell(&w, note, context);
    if (rc != 0) ss_any_clear(&part.out.copy);
  }
  if (rc == 0) *result = part.out.copy;
  ss_frames_end(&w.frames);
  forget(&w);
  return rc;
}
