// Spare records: a few free tie records that a thread keeps for itself, with their numbers, so that an object which is
// made, wrapped and dropped takes and gives back its record without a locked instruction. When the thread ends, they
// return to the table's list.
#ifndef SELFSAME_INTERNAL_TIE_SPARE_RECORDS_H_
#define SELFSAME_INTERNAL_TIE_SPARE_RECORDS_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/internal/attributes.h"
#include "selfsame/tie.h"

enum { SS_SPARE_RECORDS = 8 };

// `busy` is set while the thread changes the rest: a signal handler that interrupts it uses the table's list.
typedef struct {
  int busy;
  int count;
  struct {
    SelfsameTieRecord* record;
    uint32_t number;
  } spare[SS_SPARE_RECORDS];
} SsSpareRecords;

// Gives a record to the table's list; tie.c.
void ss_tie_free_record(SelfsameTieRecord* record, uint32_t number);

// Not in the library of a Go package, whose own table serves only where no other frontend is: each copy of it that a
// forked child loads takes as much of the static thread-local memory, which is scarce.
#ifdef SELFSAME_NO_SPARE_RECORDS

static inline int ss_spare_put(SelfsameTieRecord* record, uint32_t number) {
  (void)record;
  (void)number;
  return 0;
}
static inline SelfsameTieRecord* ss_spare_take(uint32_t* number) {
  (void)number;
  return NULL;
}
static inline void ss_spare_give_back(void) {}

#else

// NULL before the thread's first use.
extern __attribute__((visibility("hidden"))) __thread SsSpareRecords* ss_spare_own SS_STATIC_TLS;

// Lets the calling thread keep spare records, and returns them. NULL: it cannot, or no longer.
SsSpareRecords* ss_spare_join(void);

// Gives the calling thread's spare records to the table's list.
void ss_spare_give_back(void);

// Takes over a free record: 1, or 0 when the caller keeps it.
static inline int ss_spare_put(SelfsameTieRecord* record, uint32_t number) {
  SsSpareRecords* own = ss_spare_own;
  if (SS_UNLIKELY(own == NULL) && (own = ss_spare_join()) == NULL) return 0;
  if (SS_UNLIKELY(own->busy)) return 0;
  own->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  int count = own->count, taken = count < SS_SPARE_RECORDS;
  if (SS_LIKELY(taken)) {
    own->spare[count].record = record;
    own->spare[count].number = number;
    own->count = count + 1;
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  own->busy = 0;
  return taken;
}

// A spare record of the calling thread, with its number, or NULL.
static inline SelfsameTieRecord* ss_spare_take(uint32_t* number) {
  SsSpareRecords* own = ss_spare_own;
  if (SS_UNLIKELY(own == NULL || own->busy)) return NULL;
  own->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  SelfsameTieRecord* record = NULL;
  int count = own->count;
  if (SS_LIKELY(count > 0)) {
    own->count = --count;
    record = own->spare[count].record;
    *number = own->spare[count].number;
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  own->busy = 0;
  return record;
}

#endif  // SELFSAME_NO_SPARE_RECORDS
#endif  // SELFSAME_INTERNAL_TIE_SPARE_RECORDS_H_
