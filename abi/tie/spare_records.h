// Spare records: the numbers of a few free tie records that a thread keeps for itself, so that an object which is made,
// wrapped and dropped takes and gives back its record without a locked instruction. When the thread ends, they return
// to the table's list.
#ifndef SELFSAME_ABI_TIE_SPARE_RECORDS_H_
#define SELFSAME_ABI_TIE_SPARE_RECORDS_H_

#include <stdint.h>

enum { SS_SPARE_RECORDS = 8 };

// `busy` is set while the thread changes the rest: a signal handler that interrupts it uses the table's list.
typedef struct {
  int busy;
  int limit;  // 0: before the first use, and when the thread ends
  int count;
  uint32_t numbers[SS_SPARE_RECORDS];
} SsSpareRecords;

extern __attribute__((visibility("hidden"))) __thread SsSpareRecords ss_spare_records
    __attribute__((tls_model("initial-exec")));

// Lets the calling thread keep spare records. 0: it cannot, or no longer.
int ss_spare_join(void);

// Gives a number to the table's list; tie.c.
void ss_tie_free_number(uint32_t number);

// Takes over the number of a free record: 1, or 0 when the caller keeps it.
static inline int ss_spare_put(uint32_t number) {
  SsSpareRecords* own = &ss_spare_records;
  if (own->busy) return 0;
  own->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  int taken = own->count < own->limit || (own->limit == 0 && ss_spare_join());
  if (taken) own->numbers[own->count++] = number;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  own->busy = 0;
  return taken;
}

// Takes a spare record of the calling thread: 1 and its number, or 0.
static inline int ss_spare_take(uint32_t* number) {
  SsSpareRecords* own = &ss_spare_records;
  if (own->busy) return 0;
  own->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  int taken = own->count > 0;
  if (taken) *number = own->numbers[--own->count];
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  own->busy = 0;
  return taken;
}

#endif  // SELFSAME_ABI_TIE_SPARE_RECORDS_H_
