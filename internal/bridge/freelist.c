// The functions for free lists and for memory that must not be written, which only this project's runtime has. With another runtime their addresses are NULL.
// internal/handles/freelist.go says why.
#include "bridge.h"

// Defined when the runtime is part of the program.
extern const SelfsameAllocation* SelfsameAllocationGet(void) __attribute__((weak));
extern int SelfsameCountFreeList(int32_t type_index, const uint64_t* word) __attribute__((weak));
extern SelfsameObjectDeleter SelfsameReadOnlyTensorDeleter(void) __attribute__((weak));

#ifdef SS_NO_RUNTIME_HERE  // Windows links no library that has undefined functions, weak ones included
void* ss_bridge_allocation_function(void) { return NULL; }
void* ss_bridge_share_function(void) { return NULL; }
void* ss_bridge_read_only_function(void) { return NULL; }
#else
void* ss_bridge_allocation_function(void) { return (void*)SelfsameAllocationGet; }
void* ss_bridge_share_function(void) { return (void*)SelfsameCountFreeList; }
void* ss_bridge_read_only_function(void) { return (void*)SelfsameReadOnlyTensorDeleter; }
#endif

const SelfsameAllocation* ss_bridge_allocation_get(void* function) {
  return ((const SelfsameAllocation* (*)(void))function)();
}

void* ss_bridge_read_only_deleter(void* function) { return (void*)((SelfsameObjectDeleter(*)(void))function)(); }

int ss_bridge_share_free_list(void* function, const SelfsameTieTable* table, int32_t type_index, uint64_t word) {
  const uint64_t* counter = (const uint64_t*)(uintptr_t)word;
  if (((int (*)(int32_t, const uint64_t*))function)(type_index, counter) != 0) {
    TVMFFIObjectHandle error = NULL;
    ss_bridge_fail(&error);
    TVMFFIObjectDecRef(error);
    return -1;
  }
  return table->count_free_list(counter);
}
