// What the runtime offers for objects that rest: only this project's has it.
#include "bridge.h"

// Defined when the runtime is part of the program.
extern const SelfsameAllocation* SelfsameAllocationGet(void) __attribute__((weak));
extern int SelfsameCountResting(int32_t type_index, const uint64_t* word) __attribute__((weak));

void* ss_front_allocation_function(void) { return (void*)SelfsameAllocationGet; }
void* ss_front_resting_function(void) { return (void*)SelfsameCountResting; }

const SelfsameAllocation* ss_front_allocation_get(void* function) {
  return ((const SelfsameAllocation* (*)(void))function)();
}

int ss_front_count_resting(void* function, const SelfsameTieTable* table, int32_t type_index, uint64_t word) {
  const uint64_t* place = (const uint64_t*)(uintptr_t)word;
  if (((int (*)(int32_t, const uint64_t*))function)(type_index, place) != 0) {
    TVMFFIObjectHandle error = NULL;
    ss_front_fail(&error);
    TVMFFIObjectDecRef(error);
    return -1;
  }
  return table->count_resting(place);
}
