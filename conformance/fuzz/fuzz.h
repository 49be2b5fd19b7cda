// What the fuzz harnesses share. Each is a C file with LLVMFuzzerTestOneInput, the entry that libFuzzer calls; replay.c
// calls the same entry with the inputs of the corpus, for compilers without libFuzzer.
#ifndef CONFORMANCE_FUZZ_FUZZ_H_
#define CONFORMANCE_FUZZ_FUZZ_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/selfsame.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A finding ends the process: libFuzzer then keeps the input.
#define REQUIRE(condition, ...)                                       \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                   \
      fputc('\n', stderr);                                            \
      abort();                                                        \
    }                                                                 \
  } while (0)

// Takes the raised error. A call that failed has raised one, a call that succeeded has not; `what` names the call.
static inline void settle(int failed, const char* what) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  REQUIRE((error != NULL) == (failed != 0), "%s %s", what, failed ? "fails without an error" : "succeeds and raises");
  TVMFFIObjectDecRef(error);
}

#endif  // CONFORMANCE_FUZZ_FUZZ_H_
