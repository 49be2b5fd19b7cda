// The end of a thread that keeps spare records; see spare_records.h.
#include "spare_records.h"

#include <pthread.h>
#include <stddef.h>

__thread SsSpareRecords ss_spare_records __attribute__((tls_model("initial-exec")));

static __thread int ended __attribute__((tls_model("initial-exec")));

static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static int exit_key_made;

// Objects may die on the thread after this, in exit functions that run later.
static void leave(void* own) {
  SsSpareRecords* records = own;
  ended = 1;
  records->limit = 0;
  while (records->count > 0) ss_tie_free_number(records->numbers[--records->count]);
}

static void make_exit_key(void) { exit_key_made = pthread_key_create(&exit_key, leave) == 0; }

int ss_spare_join(void) {
  if (ended) return 0;
  pthread_once(&exit_once, make_exit_key);
  if (!exit_key_made || pthread_setspecific(exit_key, &ss_spare_records) != 0) return 0;
  ss_spare_records.limit = SS_SPARE_RECORDS;
  return 1;
}
