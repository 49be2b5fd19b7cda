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

signed char ss_chain_types[SS_CHAIN_TYPES];

// The owned fields of a type; NULL for none. Fields that are registered after its first object has died may not count.
static const SsOwnedFields* fields_of(int32_t index) {
  if (index < kTVMFFIStaticObjectEnd || index >= SS_CHAIN_TYPES) return NULL;
  if (__atomic_load_n(&ss_chain_types[index], __ATOMIC_RELAXED) < 0) return NULL;
  const SsOwnedFields* owned = ss_owned_fields_of(index);
  __atomic_store_n(&ss_chain_types[index], owned == NULL ? -1 : 1, __ATOMIC_RELAXED);
  return owned;
}

static int make_room(void) {
  size_t room = held.room == 0 ? 64 : 2 * held.room;
  TVMFFIObject** items = realloc(held.items, room * sizeof(*items));
  if (items == NULL) return -1;
  held.items = items;
  held.room = room;
  return 0;
}

// Whether an object may have no other owners than the fields of another object, and own objects itself.
static int may_die(const TVMFFIObject* child, const SsOwnedFields* owners) {
  return child != NULL && ss_strong(child) <= (uint32_t)owners->count && fields_of(child->type_index) != NULL;
}

// Holds the objects that may die with `object`, which has one owner: no other thread changes its fields. One that two
// fields own is held twice.
static void hold_children(const TVMFFIObject* object) {
  const SsOwnedFields* owned = fields_of(object->type_index);
  for (int32_t i = 0; owned != NULL && i < owned->count; i++) {
    const char* at = (const char*)object + owned->fields[i].offset;
    TVMFFIObject* child = owned->fields[i].is_any ? ss_object_in((const TVMFFIAny*)at) : *(TVMFFIObject* const*)at;
    if (!may_die(child, owned)) continue;
    if (held.count == held.room && make_room() != 0) return;
    ss_incref(child);
    held.items[held.count++] = child;
  }
}

void ss_chain_settle(TVMFFIObject* object, void (*settle)(TVMFFIObject* object)) {
  hold_children(object);
  if (held.is_running || held.count == 0) {
    settle(object);
    return;
  }
  held.is_running = 1;
  settle(object);
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
