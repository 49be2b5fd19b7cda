// Chains of native objects: see tp_slots.h.
#include "wrapper/tp_slots.h"

#include <stdlib.h>

#include "gc/owned_fields.h"
#include "gc/references.h"

// Objects that are held, on this thread: not on the stack, which greenlets move.
static __thread struct {
  TVMFFIObject** items;  // one owned reference each
  size_t count;          // how many there are
  size_t room;           // how many there is memory for
  int is_running;        // an outer call releases them
} held SS_STATIC_TLS;

const void* ss_chain_fields[SS_CHAIN_TYPES];
const char ss_chain_ends;

// The owned fields of a type; NULL for none. Fields that are registered after its first object has died may not count.
static const SsOwnedFields* fields_of(int32_t index) {
  if (index < kTVMFFIStaticObjectEnd || index >= SS_CHAIN_TYPES) return NULL;
  const void* owned = __atomic_load_n(&ss_chain_fields[index], __ATOMIC_ACQUIRE);
  if (SS_UNLIKELY(owned == NULL)) {
    owned = ss_owned_fields_of(index);
    if (owned == NULL) owned = &ss_chain_ends;
    __atomic_store_n(&ss_chain_fields[index], owned, __ATOMIC_RELEASE);
  }
  return owned == &ss_chain_ends ? NULL : owned;
}

static int make_room(void) {
  size_t room = held.room == 0 ? 64 : 2 * held.room;
  TVMFFIObject** items = realloc(held.items, room * sizeof(*items));
  if (items == NULL) return -1;
  held.items = items;
  held.room = room;
  return 0;
}

static TVMFFIObject* child_in(const TVMFFIObject* object, const SsOwnedField* field) {
  const char* at = (const char*)object + field->offset;
  return field->is_any ? ss_object_in((const TVMFFIAny*)at) : *(TVMFFIObject* const*)at;
}

// Whether an object has no other owners than the fields of `object`, and owns objects itself.
static int may_die(const TVMFFIObject* child, const TVMFFIObject* object, const SsOwnedFields* owners) {
  if (child == NULL || fields_of(child->type_index) == NULL) return 0;
  uint32_t strong = ss_strong(child), here = strong == 1;
  for (int32_t i = 0; strong > 1 && i < owners->count; i++) here += child_in(object, &owners->fields[i]) == child;
  return strong == here;
}

// Holds the objects that die with `object`, which has one owner: no other thread changes its fields.
static void hold_children(const TVMFFIObject* object) {
  const SsOwnedFields* owned = fields_of(object->type_index);
  for (int32_t i = 0; owned != NULL && i < owned->count; i++) {
    TVMFFIObject* child = child_in(object, &owned->fields[i]);
    if (!may_die(child, object, owned)) continue;
    if (held.count == held.room && make_room() != 0) return;
    ss_incref(child);
    held.items[held.count++] = child;
  }
}

int ss_chain_hold(const TVMFFIObject* object) {
  hold_children(object);
  if (SS_LIKELY(held.is_running || held.count == 0)) return 0;
  held.is_running = 1;
  return 1;
}

void ss_chain_release(void) {
  while (held.count > 0) {
    TVMFFIObject* child = held.items[--held.count];
    if (ss_chain_may_begin(child)) hold_children(child);
    ss_decref(child);
  }
  free(held.items);
  held.items = NULL;
  held.room = 0;
  held.is_running = 0;
}
