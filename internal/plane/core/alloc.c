// Memory for objects: the process's allocator, and the builtin one that it is at first.
//
// The builtin allocator puts a prefix of at least 16 bytes before the object:
//   -16  int32_t type index, for the live count     -12  uint32_t distance back to the start of the block
//   -8   TVMFFIObjectAllocHeader
#include "alloc.h"

#include <stdlib.h>

#include "live_counts.h"
#include "raise.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"
#include "type_table.h"

typedef struct {
  int32_t type_index;              // of the object, for the counts of live objects
  uint32_t offset;                 // from the allocation to the object
  TVMFFIObjectAllocHeader header;  // how the object is given back; ends right before it
} Prefix;

// ---- the builtin allocator -----------------------------------------------------------------------------

static void builtin_delete_space(void* body) {
  Prefix* p = (Prefix*)body - 1;
  ss_live_add(p->type_index, -1);
  free((char*)body - p->offset);
}

// Fills in the prefix of a new block. Returns the object's address.
static void* body_of(char* block, size_t offset, int32_t type_index) {
  Prefix* p = (Prefix*)(void*)(block + offset) - 1;
  p->type_index = type_index;
  p->offset = (uint32_t)offset;
  p->header.delete_space = builtin_delete_space;
  return block + offset;
}

static void* builtin_allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)context;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > ((size_t)1 << 30)) {
    ss_raise("ValueError", "the alignment of an object must be a power of two up to 2^30, got %zu", alignment);
    return NULL;
  }
  // The prefix keeps the body aligned up to malloc's own alignment. Above it there is room to move both.
  size_t room = alignment <= _Alignof(max_align_t) ? 0 : alignment;
  size_t offset = sizeof(Prefix);
  char* block = NULL;
  if (size <= (size_t)PTRDIFF_MAX - offset - room) block = malloc(offset + room + size);
  if (block != NULL && room != 0) offset += (alignment - ((uintptr_t)block + offset) % alignment) % alignment;
  if (block == NULL || ss_live_add(type_index, 1) != 0) {
    free(block);
    ss_raise_no_memory("an object");
    return NULL;
  }
  return body_of(block, offset, type_index);
}

static TVMFFICustomAllocator builtin = {builtin_allocate, NULL};
static TVMFFICustomAllocator* current = &builtin;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return __atomic_load_n(&current, __ATOMIC_ACQUIRE); }

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (allocator != NULL && allocator->allocate == NULL) {
    return ss_raise("ValueError", "TVMFFISetCustomAllocator: allocator->allocate must not be NULL");
  }
  __atomic_store_n(&current, allocator == NULL ? &builtin : allocator, __ATOMIC_RELEASE);
  return 0;
}

const SelfsameAllocation* SelfsameAllocationGet(void) {
  static const SelfsameAllocation allocation = {&current, &builtin, builtin_delete_space};
  return &allocation;
}

// ---- making objects ------------------------------------------------------------------------------------

void* ss_object_space(size_t size, size_t alignment, int32_t type_index) {
  TVMFFICustomAllocator* allocator = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
  if (__builtin_expect(allocator == &builtin, 1)) {
    // The same as builtin_allocate, for nearly all objects.
    int64_t* mine = ss_live_mine;
    if (__builtin_expect(alignment == _Alignof(TVMFFIObject) && size <= (size_t)PTRDIFF_MAX - sizeof(Prefix) &&
                             mine != NULL && (uint32_t)type_index < SS_LIVE_LOCAL,
                         1)) {
      char* block = malloc(sizeof(Prefix) + size);
      if (__builtin_expect(block != NULL, 1)) {
        ss_live_add(type_index, 1);
        return body_of(block, sizeof(Prefix), type_index);
      }
    }
    return builtin_allocate(size, alignment, type_index, NULL);
  }
  const TVMFFIObject* raised_before = ss_raised();
  void* space = allocator->allocate(size, alignment, type_index, allocator->context);
  // An allocator that fails should raise an error; otherwise raise one here.
  if (space == NULL && ss_raised() == raised_before) ss_raise_no_memory("an object");
  return space;
}

void SelfsameObjectFree(TVMFFIObjectHandle obj) {
  if (obj == NULL) return;
  TVMFFIObjectAllocHeader* header = (TVMFFIObjectAllocHeader*)obj - 1;
  if (header->delete_space == builtin_delete_space) {
    builtin_delete_space(obj);
  } else if (header->delete_space != NULL) {
    header->delete_space(obj);
  }
}

void ss_delete_plain(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) SelfsameObjectFree(self);
}

int SelfsameObjectAlloc(size_t size, size_t alignment, int32_t type_index, void (*deleter)(void* self, int flags),
                        TVMFFIObjectHandle* out) {
  static const char name[] = "SelfsameObjectAlloc";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (size < sizeof(TVMFFIObject)) {
    return ss_raise("ValueError", "%s: size must be at least %zu, got %zu", name, sizeof(TVMFFIObject), size);
  }
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return ss_raise("ValueError", "%s: alignment must be a power of two, got %zu", name, alignment);
  }
  if (type_index < kTVMFFIStaticObjectBegin || type_index >= SS_TYPE_LIMIT) {
    return ss_raise("ValueError", "%s: type_index must be that of an object type, got %d", name, type_index);
  }
  if (alignment < _Alignof(TVMFFIObject)) alignment = _Alignof(TVMFFIObject);
  char* obj = ss_object_space(size, alignment, type_index);
  if (obj == NULL) return -1;
  __builtin_memset(obj + sizeof(TVMFFIObject), 0, size - sizeof(TVMFFIObject));
  ss_object_init(obj, type_index, deleter);
  *out = obj;
  return 0;
}

TVMFFIObject* ss_plain_object_new(void) {
  TVMFFIObjectHandle handle = NULL;
  return SelfsameObjectAlloc(sizeof(TVMFFIObject), 8, kTVMFFIObject, ss_delete_plain, &handle) == 0 ? handle : NULL;
}
