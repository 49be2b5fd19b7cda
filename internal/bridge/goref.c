// References of native objects to Go values. C knows a Go value by its id, a number. When the native object dies, on
// any thread, the id is pushed on a lock-free list, which Go empties later: a deleter never waits for Go.
#include <stdlib.h>

#include "bridge.h"
#include "go_state.h"
#include "selfsame/internal/refcount.h"

static SsGoRef* dead;  // atomic; a stack

SsGoRef* ss_bridge_new_go_ref(uint64_t id) {
  SsGoRef* ref = malloc(sizeof(*ref));
  if (ref == NULL) {
    ss_bridge_raise("MemoryError", "selfsame: no memory to keep a Go value");
  } else {
    ref->id = id;
  }
  return ref;
}

void ss_bridge_drop_go_ref(void* self) {
  SsGoRef* ref = self;
  ref->next = __atomic_load_n(&dead, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&dead, &ref->next, ref, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

int ss_bridge_has_dead(void) { return __atomic_load_n(&dead, __ATOMIC_RELAXED) != NULL; }

int32_t ss_bridge_take_dead(uint64_t* ids, int32_t n) {
  SsGoRef* list = __atomic_exchange_n(&dead, NULL, __ATOMIC_ACQUIRE);
  int32_t taken = 0;
  while (list != NULL && taken < n) {
    SsGoRef* next = list->next;
    ids[taken++] = list->id;
    free(list);
    list = next;
  }
  while (list != NULL) {  // more than n: push the others again
    SsGoRef* next = list->next;
    ss_bridge_drop_go_ref(list);
    list = next;
  }
  return taken;
}

uint64_t* ss_bridge_last_id(void) { return &ss_bridge_go->last_id; }

static void delete_opaque(void* self, int flags) {
  SsOpaque* object = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_bridge_drop_go_ref(object->ref);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

const void* ss_bridge_opaque_owner(void) { return &dead; }

int ss_bridge_new_value(int32_t type_index, uint64_t id, const char* type_name, TVMFFIObjectHandle* out,
                        TVMFFIObjectHandle* error) {
  SsGoRef* ref = ss_bridge_new_go_ref(id);
  if (ref == NULL) return ss_bridge_fail(error);
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  SsOpaque* object = allocator->allocate(sizeof(*object), _Alignof(SsOpaque), type_index, allocator->context);
  if (object == NULL) {
    free(ref);
    ss_bridge_raise("MemoryError", "selfsame: no memory to keep a Go value");
    return ss_bridge_fail(error);
  }
  ss_object_init(object, type_index, delete_opaque);
  object->owner = ss_bridge_opaque_owner();
  object->ref = ref;
  object->type_name = type_name;
  *out = object;
  return 0;
}

int ss_bridge_new_opaque(int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  return ss_bridge_new_value(type_index, id, NULL, out, error);
}

uint64_t ss_bridge_opaque_id(const TVMFFIObject* object, int32_t type_index) {
  if (object == NULL || object->type_index != type_index) return 0;
  const SsOpaque* opaque = (const SsOpaque*)object;
  return opaque->owner == ss_bridge_opaque_owner() ? opaque->ref->id : 0;
}
