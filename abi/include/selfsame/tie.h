// The tie table: one record per wrapped native object, so that every frontend of a process finds the same wrapper.
//
// A native object that no frontend has wrapped has 0 in TVMFFIObject.__padding and costs nothing. The first wrapper
// gives it a record and writes the record's number there. The record then stays with the object until it dies.
//
// There is one table per process. The first frontend registers its table as the global function
// SELFSAME_TIE_TABLE_NAME, which takes no arguments and returns the table's address as an opaque pointer. The other
// frontends find it there, check its version, and use it through the function pointers in it.
#ifndef SELFSAME_TIE_H_
#define SELFSAME_TIE_H_

#include "selfsame/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SELFSAME_TIE_TABLE_NAME "selfsame.tie_table.v1"
// A global function without arguments that runs every collector of the process once, on the calling thread, and returns
// how many objects they gave back. It is there as soon as a frontend has joined the table.
#define SELFSAME_COLLECT_NAME "selfsame.collect"
#define SELFSAME_TIE_VERSION 5u
#define SELFSAME_FREE_LIST_BITS 10u  // of a word that counts the objects on a free list
#define SELFSAME_TIE_CHUNK_BITS 16u
#define SELFSAME_TIE_CHUNK_RECORDS (1u << SELFSAME_TIE_CHUNK_BITS)
#define SELFSAME_TIE_MAX_CHUNKS (1u << (32u - SELFSAME_TIE_CHUNK_BITS))

// Reserved value of __padding, for objects with their tie word in the allocation prefix. Never a record number.
#define SELFSAME_TIE_PREFIX_MARK 0xFFFFFFFFu

// Tags of the wrapper word. The states and every transition: python/src/selfsame_ffi/_core/tie/tie_table.h.
#define SELFSAME_TIE_INACTIVE ((uintptr_t)1)  // a kept block: the wrapper was finalized
// With a free-threaded interpreter the word is also a lock. A thread that holds it or waits for it owns a reference to
// the native, so these bits are clear when the native dies.
#define SELFSAME_TIE_LOCKED ((uintptr_t)2)
#define SELFSAME_TIE_PARKED ((uintptr_t)4)  // a thread sleeps until the word changes
#define SELFSAME_TIE_HELD ((uintptr_t)8)    // the native owns the wrapper, and the wrapper owns nothing
#define SELFSAME_TIE_TAGS ((uintptr_t)15)

// 32 bytes.
typedef struct SelfsameTieRecord {
  TVMFFIObject* object;              // the native this record belongs to; NULL while the record is free
  uintptr_t wrapper;                 // the Python wrapper's address and tags; 0: Detached
  void (*deleter)(void* self, int);  // the native's own deleter, may be NULL
  uint64_t go;  // Go handle id: owner << 48 | table entry; 0: none. While free: number of the next free record
} SelfsameTieRecord;

// The calls from C into Go that are open on one thread, of all Go libraries of the process. Go's runtime keeps them as
// a stack: a call that Go made into C must return to Go before those into which the thread entered Go later have. Code
// that switches stacks (Python's greenlets) can break that order, and Go then ends the process. So every entry into Go
// gets a number, and a frontend that runs foreign code under one compares, before it returns: `innermost` must not be
// higher than it was when the foreign code began. Written by the thread itself alone.
typedef struct SelfsameGoCalls {
  uint64_t innermost;  // number of the last call begun that has not returned; 0: none
  uint64_t last;       // number of the last call begun
} SelfsameGoCalls;

// A garbage collector of the process whose unreachable objects own native objects: one per library with a Go runtime,
// and one of the Python frontend. The frontend makes it and never frees it.
typedef struct SelfsameCollector {
  struct SelfsameCollector* next;  // set by add_collector
  const char* name;                // of the language
  // Runs the collector until it finds nothing more, drops what its unreachable objects own, and returns how many there
  // were. It calls no other collector of the list. Any thread; the caller must hold no lock that a deleter may take,
  // and must not hold the GIL, except that the Python frontend's own collector takes it.
  int64_t (*collect)(struct SelfsameCollector* self);
  // Bytes of native memory that its objects keep, reachable or not, and how many they were when it ran last. Estimates.
  // They are read atomically. NULL: not known.
  const int64_t* kept;
  const int64_t* settled;
  // How many cleanups of dead objects have not ended, which run on threads of their own. Code that collects because a
  // user asked for it waits for them, at most SELFSAME_DROP_SECONDS. It is read atomically. NULL: there never are any.
  const int64_t* pending;
} SelfsameCollector;

// How long the end of a program, and a collection that a user asked for, wait for the cleanups of dead objects.
#define SELFSAME_DROP_SECONDS 5.0

typedef struct SelfsameTieTable {
  uint32_t version;  // SELFSAME_TIE_VERSION
  uint32_t size;     // sizeof(SelfsameTieTable) of the library that made it
  // Chunk k holds records k << CHUNK_BITS and on. A chunk never moves and is never freed.
  SelfsameTieRecord* const* chunks;

  // The record of `object`, made when it has none. The caller holds a strong reference to object across the call.
  // Returns NULL when out of memory. Any thread, no lock.
  SelfsameTieRecord* (*acquire)(TVMFFIObject* object);

  // Installs the function that frees a kept block when its native dies. It is called on any thread, attached or not.
  // NULL: kept blocks are leaked. Returns the function installed before.
  void (*(*set_reclaim)(void (*reclaim)(void* block)))(void* block);

  // A number for one Go frontend (1 to 65535), 0 when none is left.
  uint32_t (*new_go_owner)(void);

  // Clears the lock bits of every word and ends the postponing of deaths: for a forked child, whose other threads are
  // gone. No other thread may run.
  void (*after_fork)(void);

  // Records in use now. Walks the whole table: for reports and tests.
  int64_t (*live_records)(void);

  // No record in use has this number or a higher one. It grows with the table, and goes back at the end of a collection
  // when the last records are free. What it has once passed can still be read.
  uint32_t (*record_end)(void);

  // postpone_deaths(1) postpones the deaths of natives with a record until postpone_deaths(0) was called as often: a
  // native whose word a thread sees non-zero after its call is not freed, whichever thread releases the last reference.
  // Between its calls the thread only reads, and not for long. postpone_deaths(0) returns 1 when deaths are postponed;
  // then the caller calls run_postponed, which runs them on its thread, unless other threads read still: the last of
  // these runs them. Any thread, no lock.
  int (*postpone_deaths)(int on);
  void (*run_postponed)(void);

  // Excludes from live_records, from now on, as many records as the low SELFSAME_FREE_LIST_BITS bits of *word say:
  // those of objects on a free list (see SelfsameCountFreeList in selfsame.h). 0, or -1 when out of memory. Any thread,
  // no lock.
  int (*count_free_list)(const uint64_t* word);

  // The calling thread's open calls into Go. The address is the thread's until it ends. Any thread, no lock.
  SelfsameGoCalls* (*go_calls)(void);

  // Adds a collector to the process's list, for the life of the process. Any thread, no lock.
  void (*add_collector)(SelfsameCollector* collector);

  // The collector added last; the others follow by `next`. NULL: none. Any thread, no lock.
  SelfsameCollector* (*collectors)(void);

  // acquire for a caller that owns the object's only reference, strong or weak, and has lent it to no other thread:
  // such an object has just been made. It costs no locked instruction.
  SelfsameTieRecord* (*acquire_alone)(TVMFFIObject* object);

  // Releases the only reference to `object`, strong or weak, which the caller owns. `record` is the object's, and its
  // word is zero. The caller knows that no other thread looks at the word or at the object during the call: with the
  // GIL, a caller that holds it does, because threads that postpone deaths hold it while they look. Such a release
  // costs no locked instruction.
  void (*release_alone)(TVMFFIObject* object, SelfsameTieRecord* record);

  // registration_lock(1) takes the lock under which one Go library at a time looks whether a class or a member of an
  // enum exists, and makes it; registration_lock(0) gives it back. It waits without a time limit, so the holder waits
  // for nothing else, calls no code of a user and does not fork. Any thread, and not always the same one. A forked
  // child begins with a free lock.
  void (*registration_lock)(int on);

  // Installs the function that gets a native whose last reference was released while its word has SELFSAME_TIE_HELD.
  // Such a native does not die: the table gives it a strong reference again, which the function takes over. It is
  // called on any thread, attached or not, and must not wait. Returns the function installed before.
  void (*(*set_hand_back)(void (*hand_back)(TVMFFIObject* object)))(TVMFFIObject* object);
} SelfsameTieTable;

// The record with a number below record_end(), from 1 on; NULL when there is none. It may be free.
static inline SelfsameTieRecord* SelfsameTieRecordAt(const SelfsameTieTable* table, uint32_t n) {
  SelfsameTieRecord* chunk = __atomic_load_n(&table->chunks[n >> SELFSAME_TIE_CHUNK_BITS], __ATOMIC_ACQUIRE);
  return chunk == NULL ? NULL : &chunk[n & (SELFSAME_TIE_CHUNK_RECORDS - 1u)];
}

// The record of `object`, or NULL. Three loads when there is one. The caller holds a strong reference, or otherwise
// knows that the object is alive.
static inline SelfsameTieRecord* SelfsameTieFind(const SelfsameTieTable* table, const TVMFFIObject* object) {
  uint32_t n = __atomic_load_n(&object->__padding, __ATOMIC_ACQUIRE);
  if (n == 0) return NULL;
  SelfsameTieRecord* record = SelfsameTieRecordAt(table, n);
  if (record == NULL) return NULL;
  // Other code may have left a number in __padding that names another object's record, or none.
  return __atomic_load_n(&record->object, __ATOMIC_RELAXED) == object ? record : NULL;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // SELFSAME_TIE_H_
