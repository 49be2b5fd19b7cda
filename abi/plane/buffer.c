// The memory that List and the dense Map and Dict keep their elements in.
#include <stdlib.h>

#include "containers.h"

void* ss_buffer_new(size_t size) {
  void* data = malloc(size);
  if (data == NULL) ss_raise_no_memory("the elements of a container");
  return data;
}

// C++ puts memory from its operator new into a List and leaves this function in charge of it. In both C++ libraries
// that operator gets its memory from malloc.
void ss_buffer_free(void* data) { free(data); }

void ss_buffer_delete(void (*deleter)(void*), void* data) { deleter(data); }
