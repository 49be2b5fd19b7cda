// Helpers of the C tests.
#ifndef CHECK_H_
#define CHECK_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plane.h"

static int failures;

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      failures++;                                                                   \
    }                                                                               \
  } while (0)

#define CHECK_EQ(a, b)                                                                            \
  do {                                                                                            \
    long long a_ = (long long)(a), b_ = (long long)(b);                                           \
    if (a_ != b_) {                                                                               \
      fprintf(stderr, "%s:%d: %s is %lld, want %s = %lld\n", __FILE__, __LINE__, #a, a_, #b, b_); \
      failures++;                                                                                 \
    }                                                                                             \
  } while (0)

// Takes the raised error and compares it; "" for the message accepts any.
static inline void check_raised(const char* file, int line, const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) {
    fprintf(stderr, "%s:%d: no error is raised, want %s\n", file, line, kind);
    failures++;
    return;
  }
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (strcmp(cell->kind.data, kind) != 0 || strstr(cell->message.data, message) == NULL) {
    fprintf(stderr, "%s:%d: raised %s: %s, want %s: ...%s...\n", file, line, cell->kind.data, cell->message.data, kind,
            message);
    failures++;
  }
  TVMFFIObjectDecRef(error);
}
#define CHECK_RAISED(kind, message) check_raised(__FILE__, __LINE__, kind, message)

static inline TVMFFIByteArray bytes(const char* text) {
  TVMFFIByteArray b = {text, strlen(text)};
  return b;
}

// The live objects of every builtin type.
static inline int64_t live_total(void) {
  int64_t total = 0;
  for (int32_t i = 0; i < 1024; i++) total += SelfsameLiveObjects(i);
  return total;
}

// Runs tests, which leave no builtin object behind, up to a NULL. Returns the status of the program.
static inline int run(void (*const* tests)(void)) {
  int64_t before = live_total();
  for (; *tests != NULL; tests++) (*tests)();
  CHECK_EQ(live_total(), before);
  return failures != 0;
}
#define RUN(...) run((void (*const[])(void)){__VA_ARGS__, NULL})

#endif  // CHECK_H_
