// A custom allocator: while it is installed, it allocates every new object, with a prefix of 16 bytes.
#include "selfsame/c_api.h"

#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static int64_t live, made;

typedef struct {
  void* block;
  TVMFFIObjectAllocHeader header;  // directly in front of the object
} Prefix;

static void delete_space(void* object) {
  Prefix* prefix = (Prefix*)object - 1;
  __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
  free(prefix->block);
}

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)type_index;
  (void)context;
  if (alignment < sizeof(Prefix)) alignment = sizeof(Prefix);
  char* block = aligned_alloc(alignment, (alignment + size + alignment - 1) / alignment * alignment);
  if (block == NULL) return NULL;
  void* object = block + alignment;
  Prefix* prefix = (Prefix*)object - 1;
  prefix->block = block;
  prefix->header.delete_space = delete_space;
  __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
  return object;
}

static TVMFFICustomAllocator allocator = {allocate, NULL};

EXPORT int allocator_install(void) { return TVMFFISetCustomAllocator(&allocator); }
EXPORT int allocator_remove(void) { return TVMFFISetCustomAllocator(NULL); }
EXPORT int64_t allocator_live(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }
EXPORT int64_t allocator_made(void) { return __atomic_load_n(&made, __ATOMIC_RELAXED); }
