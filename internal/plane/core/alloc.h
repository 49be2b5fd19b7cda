// Memory for objects (alloc.c).
#ifndef SELFSAME_INTERNAL_PLANE_CORE_ALLOC_H_
#define SELFSAME_INTERNAL_PLANE_CORE_ALLOC_H_

#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// Memory for an object from the process's allocator, contents undefined. NULL: MemoryError or ValueError is raised.
void* ss_object_space(size_t size, size_t alignment, int32_t type_index);

// A deleter for objects that own nothing but their memory.
void ss_delete_plain(void* self, int flags);

// Makes an object of type ffi.Object: a header without data. Returns a new reference, or NULL with the error raised.
TVMFFIObject* ss_plain_object_new(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_ALLOC_H_
