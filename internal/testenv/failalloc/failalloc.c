// The allocator that fails one chosen allocation: see failalloc.h.
#include "failalloc.h"

#include <stddef.h>

static TVMFFICustomAllocator* usual;
static int64_t left;
static int failed;

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)context;
  if (type_index != kTVMFFIError && !failed && left-- == 0) {
    failed = 1;
    return NULL;
  }
  return usual->allocate(size, alignment, type_index, usual->context);
}

static TVMFFICustomAllocator failing = {allocate, NULL};

void ss_fail_alloc_begin(int64_t count) {
  usual = TVMFFIGetCustomAllocator();
  left = count;
  failed = 0;
  TVMFFISetCustomAllocator(&failing);
}

int ss_fail_alloc_end(void) {
  TVMFFISetCustomAllocator(NULL);
  return failed;
}
