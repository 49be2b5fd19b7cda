// References of native objects to Go values. C knows a Go value by its id, a number. When the native object dies, on
// any thread, the id is pushed on a lock-free list, which Go empties later: a deleter never waits for Go.
#include <stdlib.h>

#include "bridge.h"
#include "go_state.h"
#include "selfsame/internal/refcount.h"

static SsGoRefs refs;

SsGoRef* ss_bridge_new_go_ref(uint64_t id) {
  SsGoRef* ref = __atomic_exchange_n(&refs.spare, NULL, __ATOMIC_ACQUIRE);
  SsGoRef* others = ref == NULL ? NULL : ref->next;
  SsGoRef* none = NULL;
  if (others != NULL &&
      !__atomic_compare_exchange_n(&refs.spare, &none, others, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    ss_bridge_free_go_refs((uint64_t)(uintptr_t)others);
  }
  if (ref == NULL) ref = malloc(sizeof(*ref));
  if (ref == NULL) {
    ss_bridge_raise("MemoryError", "selfsame: no memory to keep a Go value");
  } else {
    ref->id = id;
  }
  return ref;
}

void ss_bridge_drop_go_ref(void* self) {
  SsGoRef* ref = self;
  ref->next = __atomic_load_n(&refs.dead, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&refs.dead, &ref->next, ref, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

void ss_bridge_free_go_refs(uint64_t list) {
  for (SsGoRef *ref = (SsGoRef*)(uintptr_t)list, *next; ref != NULL; ref = next) {
    next = ref->next;
    free(ref);
  }
}

SsGoRefs* ss_bridge_go_refs(void) { return &refs; }

uint64_t* ss_bridge_last_id(void) { return &ss_bridge_go->last_id; }

void ss_bridge_delete_value(void* self, int flags) {
  SsOpaque* object = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_bridge_drop_go_ref(object->ref);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

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
  ss_object_init(object, type_index, ss_bridge_delete_value);
  object->owner = &refs;
  object->ref = ref;
  object->type_name = type_name;
  object->memory = (SsGoMemory){0};
  *out = object;
  return 0;
}

int ss_bridge_new_opaque(int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  return ss_bridge_new_value(type_index, id, NULL, out, error);
}

uint64_t ss_bridge_opaque_id(const TVMFFIObject* object, int32_t type_index) {
  if (object == NULL || object->type_index != type_index) return 0;
  const SsOpaque* opaque = (const SsOpaque*)object;
  return opaque->owner == &refs ? opaque->ref->id : 0;
}
