// The functions that the fuzz harnesses share. A harness is a C file with LLVMFuzzerTestOneInput, which libFuzzer
// calls; for compilers without libFuzzer, replay.c calls it with the inputs of the corpus.
#ifndef CONFORMANCE_FUZZ_FUZZ_H_
#define CONFORMANCE_FUZZ_FUZZ_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/selfsame.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Ends the process if the condition does not hold: libFuzzer then saves the input.
#define REQUIRE(condition, ...)                                       \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                   \
      fputc('\n', stderr);                                            \
      abort();                                                        \
    }                                                                 \
  } while (0)

// Takes the raised error. There must be one if the call `what` failed, and none if it succeeded.
static inline void settle(int failed, const char* what) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  REQUIRE((error != NULL) == (failed != 0), "%s %s", what, failed ? "fails without an error" : "succeeds and raises");
  TVMFFIObjectDecRef(error);
}

#endif  // CONFORMANCE_FUZZ_FUZZ_H_
