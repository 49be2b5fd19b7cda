// Helpers of the test programs.
#ifndef PROGRAM_H_
#define PROGRAM_H_

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/selfsame.h"

static int failures;

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);                           \
    }                                                                               \
  } while (0)

static inline TVMFFIByteArray bytes(const char* text) {
  TVMFFIByteArray b = {text, strlen(text)};
  return b;
}

static inline int32_t new_type(const char* key, int32_t parent, int32_t slots, int overflow) {
  TVMFFIByteArray b = bytes(key);
  return TVMFFITypeGetOrAllocIndex(&b, -1, TVMFFIGetTypeInfo(parent)->type_depth + 1, slots, overflow, parent);
}

// The index that the next type outside of its parent's child slots gets.
static inline int32_t next_index(void) {
  int32_t end = SelfsameTypeIndexEnd();
  return end < kTVMFFIDynObjectBegin ? kTVMFFIDynObjectBegin : end;
}

static inline TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray b = bytes(name);
  TVMFFIObjectHandle f = NULL;
  CHECK(TVMFFIFunctionGetGlobal(&b, &f) == 0);
  return f;
}

// Waits for the library's start: only then is a name that is not found known to be missing.
static inline void wait_for_start(void) { CHECK(global("no function of that name") == NULL); }

// Checks kind and beginning of the message of the raised error.
static inline void check_raised(int line, const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIErrorCell* cell = error == NULL ? NULL : (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (cell == NULL || strcmp(cell->kind.data, kind) != 0 || strstr(cell->message.data, message) == NULL) {
    fprintf(stderr, "line %d: raised %s: %s\n", line, cell ? cell->kind.data : "-", cell ? cell->message.data : "-");
    failures++;
  }
  TVMFFIObjectDecRef(error);
}
#define CHECK_RAISED(kind, message) check_raised(__LINE__, kind, message)

#endif  // PROGRAM_H_
