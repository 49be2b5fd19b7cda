// The begin and the end of a thread's spare records; see spare_records.h.
#include "spare_records.h"

#ifndef SELFSAME_NO_SPARE_RECORDS

#include <pthread.h>
#include <stdlib.h>

__thread SsSpareRecords* ss_spare_own SS_STATIC_TLS;

// The list of a thread that ends: always busy, so that the thread neither gives nor takes. Objects may die on the
// thread after `leave`, in exit functions that run later.
static SsSpareRecords none = {.busy = 1};

static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static int exit_key_made;

static void empty(SsSpareRecords* records) {
  while (records->count > 0) {
    records->count--;
    ss_tie_free_record(records->spare[records->count].record, records->spare[records->count].number);
  }
}

static void leave(void* own) {
  ss_spare_own = &none;
  empty(own);
  free(own);
}

void ss_spare_give_back(void) {
  SsSpareRecords* own = ss_spare_own;
  if (own == NULL || own->busy) return;
  own->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  empty(own);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  own->busy = 0;
}

static void make_exit_key(void) { exit_key_made = pthread_key_create(&exit_key, leave) == 0; }

SsSpareRecords* ss_spare_join(void) {
  ss_spare_own = &none;  // for a signal handler that interrupts this, and when it fails
  pthread_once(&exit_once, make_exit_key);
  if (!exit_key_made) return NULL;
  SsSpareRecords* own = calloc(1, sizeof(SsSpareRecords));
  if (own == NULL) return NULL;
  if (pthread_setspecific(exit_key, own) != 0) {
    free(own);
    return NULL;
  }
  return ss_spare_own = own;
}

#endif  // SELFSAME_NO_SPARE_RECORDS
