// Tie records: the memory that lets every frontend of a process agree on one face per native object.
//
// A native object that no frontend has wrapped has 0 in TVMFFIObject.__padding and costs nothing. The first wrapper
// gives it a record and writes the record's number there. The record then stays with the object until it dies.
//
// There is one table of records per process. Whoever comes first registers it in the runtime's global function table as
// SELFSAME_TIE_TABLE_NAME, a function without arguments that returns the table's address as an opaque pointer;
// everyone else finds it there, checks its version, and uses it through the functions it carries.
#ifndef SELFSAME_TIE_H_
#define SELFSAME_TIE_H_

#include "selfsame/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SELFSAME_TIE_TABLE_NAME "selfsame.tie_table.v1"
#define SELFSAME_TIE_VERSION 3u
#define SELFSAME_RESTING_BITS 10u  // of a word that counts objects at rest
#define SELFSAME_TIE_CHUNK_BITS 16u
#define SELFSAME_TIE_CHUNK_RECORDS (1u << SELFSAME_TIE_CHUNK_BITS)
#define SELFSAME_TIE_MAX_CHUNKS (1u << (32u - SELFSAME_TIE_CHUNK_BITS))

// Reserved value of __padding for objects whose tie word would stand in their allocation prefix. Never a record number.
#define SELFSAME_TIE_PREFIX_MARK 0xFFFFFFFFu

// Tags of the wrapper word. The states and every transition: python/src/selfsame_ffi/_core/tie/tie_table.h.
#define SELFSAME_TIE_INACTIVE ((uintptr_t)1)  // the block is kept, its Python life is over
// With a free-threaded interpreter the word is also its own lock. Whoever holds it, or waits for it, owns a reference
// to the native, so a dying native never meets these two.
#define SELFSAME_TIE_LOCKED ((uintptr_t)2)
#define SELFSAME_TIE_PARKED ((uintptr_t)4)  // somebody sleeps until the word changes
#define SELFSAME_TIE_TAGS ((uintptr_t)7)

// 32 bytes.
typedef struct SelfsameTieRecord {
  TVMFFIObject* object;              // the native this record belongs to; NULL while the record is free
  uintptr_t wrapper;                 // the Python wrapper's address and tags; 0: Detached
  void (*deleter)(void* self, int);  // the native's own deleter, may be NULL
  uint64_t go;  // Go handle: owner << 48 | slot; 0: none. While free: number of the next free record
} SelfsameTieRecord;

typedef struct SelfsameTieTable {
  uint32_t version;  // SELFSAME_TIE_VERSION
  uint32_t size;     // sizeof(SelfsameTieTable) of whoever made it
  // Chunk k holds records k << CHUNK_BITS and on. A chunk never moves and is never freed.
  SelfsameTieRecord* const* chunks;

  // The record of `object`, made when it has none. The caller holds a strong reference to object across the call.
  // Returns NULL when out of memory. Any thread, no lock.
  SelfsameTieRecord* (*acquire)(TVMFFIObject* object);

  // Installs the function that takes over a kept block when its native dies. It may be called on any thread, with or
  // without the interpreter. NULL: kept blocks are leaked. Returns the function installed before.
  void (*(*set_reclaim)(void (*reclaim)(void* block)))(void* block);

  // A number for one Go frontend (1 to 65535), 0 when none is left.
  uint32_t (*new_go_owner)(void);

  // Takes the lock bits off every word: for a forked child, whose other threads are gone. No other thread may run.
  void (*after_fork)(void);

  // Records in use now. Walks the whole table: for reports and tests.
  int64_t (*live_records)(void);

  // One more than the highest number that a record ever had.
  uint32_t (*record_end)(void);

  // With on = 1, the deaths of natives with a record are postponed until it was called with on = 0 as often: a native
  // whose word was seen with a kept block or a wrapper in it after the first such call is not freed, on whatever thread
  // its last reference is dropped. The caller reads only, and soon calls with on = 0. That answers 1 when deaths wait,
  // which run_postponed then lets happen, on the caller's thread. Any thread, no lock.
  int (*postpone_deaths)(int on);
  void (*run_postponed)(void);

  // From now on live_records leaves out as many records as the low SELFSAME_RESTING_BITS bits of *word say: those of
  // objects that rest (see SelfsameCountResting in selfsame.h). 0, or -1 when out of memory. Any thread, no lock.
  int (*count_resting)(const uint64_t* word);
} SelfsameTieTable;

// The record of `object`, or NULL. Three loads when there is one. The caller holds a strong reference, or otherwise
// knows that the object is alive.
static inline SelfsameTieRecord* SelfsameTieFind(const SelfsameTieTable* table, const TVMFFIObject* object) {
  uint32_t n = __atomic_load_n(&object->__padding, __ATOMIC_ACQUIRE);
  if (n == 0) return NULL;
  SelfsameTieRecord* chunk = __atomic_load_n(&table->chunks[n >> SELFSAME_TIE_CHUNK_BITS], __ATOMIC_ACQUIRE);
  if (chunk == NULL) return NULL;
  SelfsameTieRecord* record = &chunk[n & (SELFSAME_TIE_CHUNK_RECORDS - 1u)];
  // A number that somebody else left in __padding names a record of another object, or none.
  return __atomic_load_n(&record->object, __ATOMIC_RELAXED) == object ? record : NULL;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SELFSAME_TIE_H_
