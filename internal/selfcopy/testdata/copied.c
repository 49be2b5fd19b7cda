// A library that copies itself.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../called.h"

static volatile uint64_t handover = SS_SELF_COPY_NONE;
// gcc lays thread-local variables out from the last to the first.
static __thread uint64_t second[32] __attribute__((tls_model("initial-exec")));
static __thread uint64_t first __attribute__((tls_model("initial-exec")));  // the 8 bytes that a copy has
static int calls, shared;

__attribute__((visibility("default"))) int copy_shared(void) { return ++shared; }

SS_CALLED_FROM_GO(copy_shared);

// Delays loading as COPY_DELAY says: by more processor time than the loader's patience, or for ever, asleep.
__attribute__((constructor)) static void delay(void) {
  const char* kind = getenv("COPY_DELAY");
  if (kind == NULL) return;
  if (strcmp(kind, "lock") == 0) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
  }
  struct timespec used;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (used.tv_sec < 3);
}

// An even value makes a copy without C code of its own.
__attribute__((visibility("default"))) void* copy_load(uint64_t value, char* message, size_t message_size) {
  if (value & 1) return ss_self_copy_load(&handover, value, message, message_size);
  return ss_self_copy_load_go(&handover, value, ss_called_begin, (size_t)(ss_called_end - ss_called_begin), message,
                              message_size);
}

__attribute__((visibility("default"))) uint64_t copy_handover(void) { return handover; }
__attribute__((visibility("default"))) int copy_count(void) { return ++calls; }

__attribute__((visibility("default"))) uint64_t copy_first(uint64_t add) { return first += add; }
__attribute__((visibility("default"))) uint64_t copy_second(uint64_t add) { return second[5] += add; }
