// The memory that List and the dense Map and Dict keep their elements in (buffer.c). Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_SCALARS_BUFFER_H_
#define SELFSAME_INTERNAL_PLANE_SCALARS_BUFFER_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// NULL: MemoryError is raised.
void* ss_buffer_new(size_t size);
// Gives a buffer, NULL for none, another size, at another address if need be. NULL: MemoryError is raised, and the
// buffer is as it was.
void* ss_buffer_resize(void* data, size_t size);
// Raises the MemoryError of a container for whose elements no memory could have room. Returns -1.
int ss_raise_too_many(void);
// A data_deleter: frees memory from ss_buffer_new, and from C++'s operator new too. NULL is a no-op.
void ss_buffer_free(void* data);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_SCALARS_BUFFER_H_
