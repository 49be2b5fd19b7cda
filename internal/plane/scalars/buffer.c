// Buffers of List and of the dense Map and Dict.
#include "buffer.h"

#include <stdlib.h>

#include "core/raise.h"

void* ss_buffer_new(size_t size) { return ss_buffer_resize(NULL, size); }

void* ss_buffer_resize(void* data, size_t size) {
  void* resized = realloc(data, size);
  if (resized == NULL) ss_raise_no_memory("the elements of a container");
  return resized;
}

// C++ code stores memory from its operator new in a List and keeps this function as the data_deleter. Both C++ standard
// libraries take that memory from malloc.
void ss_buffer_free(void* data) { free(data); }

int ss_raise_too_many(void) { return ss_raise("MemoryError", "a container cannot have that many elements"); }
