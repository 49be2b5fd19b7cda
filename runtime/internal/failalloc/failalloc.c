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

static TVMFFICustomAllocator scarce = {allocate, NULL};

void ss_scarce_begin(int64_t count) {
  usual = TVMFFIGetCustomAllocator();
  left = count;
  failed = 0;
  TVMFFISetCustomAllocator(&scarce);
}

int ss_scarce_end(void) {
  TVMFFISetCustomAllocator(NULL);
  return failed;
}
