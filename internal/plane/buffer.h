// The memory that List and the dense Map and Dict keep their elements in (buffer.c). Any thread.
#ifndef SELFSAME_ABI_PLANE_BUFFER_H_
#define SELFSAME_ABI_PLANE_BUFFER_H_

#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// NULL: MemoryError is raised.
void* ss_buffer_new(size_t size);
// A data_deleter: frees memory from ss_buffer_new, and from C++'s operator new too. NULL is a no-op.
void ss_buffer_free(void* data);
// The address of ss_buffer_free, for Go.
void* ss_buffer_deleter(void);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_BUFFER_H_
