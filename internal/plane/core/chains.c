// The destructor of a C++ class releases what the object owns, and that destroys the next object of a chain before it
// returns: a chain of 60,000 overflows the stack. So an object's children that die with it are held until it is gone, and
// then released one by one.
#include "chains.h"

#include <stdlib.h>

#include "selfsame/internal/attributes.h"
#include "selfsame/internal/owned_field.h"
#include "type_table.h"

enum { TYPES = 1 << 14, MAX_DEPTH = 24, FEW = 8 };  // beyond MAX_DEPTH, an outer call releases what is held

typedef struct {
  int64_t offset;    // from the object's address
  SsOwnedKind kind;  // what is there
} Field;

typedef struct {
  int32_t count;   // of the fields that follow
  Field fields[];  // of the type and its ancestors
} Fields;

static const Fields* known[TYPES];  // by type index; NULL where nobody has looked
static const Fields no_fields;

static __thread struct {
  TVMFFIObject* few[FEW];  // memory for the first items
  TVMFFIObject** many;     // from malloc, for the others; NULL while there are none
  size_t count;            // of the objects that are held, one owned reference each
  size_t room;             // how many there is memory for in `many`
  int depth;               // calls that are under way and release what they hold
} held SS_STATIC_TLS;

static const TVMFFITypeInfo* level_of(const TVMFFITypeInfo* type, int32_t level) {
  return level < type->type_depth ? type->type_ancestors[level] : type;
}

static Fields* find_fields(const TVMFFITypeInfo* type) {
  size_t count = 0;
  for (int32_t level = 0; level <= type->type_depth; level++) count += (size_t)level_of(type, level)->num_fields;
  Fields* found = malloc(sizeof(Fields) + count * sizeof(Field));
  if (found == NULL) return NULL;
  found->count = 0;
  for (int32_t level = 0; level <= type->type_depth; level++) {
    const TVMFFITypeInfo* at = level_of(type, level);
    // No further than was counted: another thread may be registering fields.
    for (int32_t i = 0; i < at->num_fields && (size_t)found->count < count; i++) {
      SsOwnedKind kind = ss_owned_kind_of(&at->fields[i]);
      if (kind != SS_NOT_OWNED) found->fields[found->count++] = (Field){at->fields[i].offset, kind};
    }
  }
  return found;
}

// The owned fields of a type. Those that are registered after the death of its first object may not count.
static const Fields* fields_of(int32_t index) {
  if (index < kTVMFFIStaticObjectEnd || index >= TYPES) return &no_fields;
  const Fields* seen = __atomic_load_n(&known[index], __ATOMIC_ACQUIRE);
  if (SS_LIKELY(seen != NULL)) return seen;
  const SsType* type = ss_type_at(index);
  Fields* found = type == NULL ? NULL : find_fields(&type->info);
  if (found == NULL) return &no_fields;
  const Fields* made = found;
  if (found->count == 0) {
    free(found);
    made = &no_fields;
  }
  if (__atomic_compare_exchange_n(&known[index], &seen, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  if (made != &no_fields) free(found);  // another thread was first
  return seen;
}

static TVMFFIObject* child_in(const TVMFFIObject* object, const Field* field) {
  return ss_owned_object_at(field->kind, (const char*)object + field->offset);
}

// Whether an object has no other owners than the fields of `object`, and owns objects itself.
static int may_die(const TVMFFIObject* child, const TVMFFIObject* object, const Fields* fields) {
  if (child == NULL || fields_of(child->type_index)->count == 0) return 0;
  uint32_t strong = ss_strong(child), here = strong == 1;
  for (int32_t i = 0; strong > 1 && i < fields->count; i++) here += child_in(object, &fields->fields[i]) == child;
  return strong == here;
}

// Adds a reference that is owned. Returns 0 without memory: the object then dies by recursion.
static int hold(TVMFFIObject* child) {
  if (held.count < FEW) {
    held.few[held.count++] = child;
    return 1;
  }
  size_t index = held.count - FEW;
  if (index == held.room) {
    size_t room = held.room == 0 ? 64 : 2 * held.room;
    TVMFFIObject** many = realloc(held.many, room * sizeof(*many));
    if (many == NULL) return 0;
    held.many = many;
    held.room = room;
  }
  held.many[index] = child;
  held.count++;
  return 1;
}

static TVMFFIObject* take(void) {
  held.count--;
  return held.count < FEW ? held.few[held.count] : held.many[held.count - FEW];
}

void ss_chain_delete(TVMFFIObject* object, void (*deleter)(void* self, int flags), int flags) {
  const Fields* fields = fields_of(object->type_index);
  size_t before = held.count;
  for (int32_t i = 0; i < fields->count; i++) {  // nobody changes them: the object has no owner
    TVMFFIObject* child = child_in(object, &fields->fields[i]);
    if (may_die(child, object, fields) && hold(child)) ss_incref(child);
  }
  if (held.count == before || held.depth == MAX_DEPTH) {
    deleter(object, flags);
    return;
  }
  held.depth++;
  deleter(object, flags);
  while (held.count > before) ss_release(take());
  held.depth--;
  if (before != 0 || held.many == NULL) return;
  free(held.many);
  held.many = NULL;
  held.room = 0;
}

void ss_chain_end(TVMFFIObject* object, uint64_t old) {
  int flags = old == SS_BOTH_ONE ? kTVMFFIObjectDeleterFlagBitMaskBoth : kTVMFFIObjectDeleterFlagBitMaskStrong;
  if (object->deleter != NULL) ss_chain_delete(object, object->deleter, flags);
  if (old != SS_BOTH_ONE) ss_weak_decref(object);
}
