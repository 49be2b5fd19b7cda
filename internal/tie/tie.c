// The tie table: making records, finding them, and releasing them when their native dies. See selfsame/tie.h.
//
// Nothing in this file takes a lock, so a forked child and a signal handler may use the table.
#include "tie.h"

#include <stdlib.h>

#include "registration_lock.h"
#include "selfsame/internal/free_list.h"
#include "selfsame/internal/refcount.h"
#include "spare_records.h"

static SelfsameTieRecord* chunks[SELFSAME_TIE_MAX_CHUNKS];
static uint32_t next_number = 1;  // no record has this number or a higher one; 0 means "no record"
static uint64_t free_head;        // change counter << 32 | number of the first free record, 0: none
static uint32_t go_owners;
static void (*reclaim_block)(void* block);
static void (*hand_back)(TVMFFIObject* object);

static SelfsameTieRecord* record_at(uint32_t number) {
  SelfsameTieRecord* chunk = __atomic_load_n(&chunks[number >> SELFSAME_TIE_CHUNK_BITS], __ATOMIC_ACQUIRE);
  return chunk == NULL ? NULL : &chunk[number & (SELFSAME_TIE_CHUNK_RECORDS - 1u)];
}

// Pops a free record. The counter in the upper half of the head makes a pop fail that has read a stale successor.
static SelfsameTieRecord* pop_free(uint32_t* number) {
  uint64_t head = __atomic_load_n(&free_head, __ATOMIC_ACQUIRE);
  for (;;) {
    uint32_t first = (uint32_t)head;
    if (first == 0) return NULL;
    SelfsameTieRecord* record = record_at(first);
    uint64_t next = __atomic_load_n(&record->go, __ATOMIC_RELAXED) & 0xFFFFFFFFu;
    uint64_t wanted = (((head >> 32) + 1) << 32) | next;
    if (__atomic_compare_exchange_n(&free_head, &head, wanted, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      *number = first;
      return record;
    }
  }
}

// Puts free records on the list, each of which leads to the next by `go`: from the one with the number `first` on to the
// record `last`.
static __attribute__((noinline)) void push_free(SelfsameTieRecord* last, uint32_t first) {
  uint64_t head = __atomic_load_n(&free_head, __ATOMIC_RELAXED);
  uint64_t wanted;
  do {
    __atomic_store_n(&last->go, head & 0xFFFFFFFFu, __ATOMIC_RELAXED);
    wanted = (((head >> 32) + 1) << 32) | first;
  } while (!__atomic_compare_exchange_n(&free_head, &head, wanted, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
}

// ---- the order of the free list ----
//
// Records that die together come back in the order of the deaths. Objects that then get them one after another would have
// numbers in that order, and each walk over many objects, as a collection is, would jump about in the table and in all
// that is ordered by numbers. So the list is sorted now and then. RATIONALE.md, "Why free records are sorted".
//
// A walk also visits the free records below next_number. So those at the end of the table leave the list when it is
// sorted, and next_number goes back to the first of them. What a walk costs then follows from the objects of now, not from
// the most at once before. Low numbers are taken first, so the end of the table becomes free again.

enum { SORTED_AFTER = 1024 };  // changes of the free list, at least

static uint32_t sorted_at;  // the change counter when the list was last sorted

// Sorts the free records by their numbers, when so many were given and taken since the last time that the work is a few
// loads for each. Does nothing without memory. Other threads may find the list empty, and make records. Any thread,
// no lock; records on the way are lost to a child that another thread forks.
static void sort_free(void) {
  uint32_t end = __atomic_load_n(&next_number, __ATOMIC_ACQUIRE);
  uint32_t changes = (uint32_t)(__atomic_load_n(&free_head, __ATOMIC_RELAXED) >> 32);
  uint32_t before = __atomic_load_n(&sorted_at, __ATOMIC_RELAXED);
  if (changes - before < SORTED_AFTER || changes - before < end / 4) return;
  if (!__atomic_compare_exchange_n(&sorted_at, &before, changes, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  ss_spare_give_back();  // the records freed first, often the last of the table, are among them
  uint64_t* is_free = calloc(end / 64 + 1, sizeof(uint64_t));
  if (is_free == NULL) return;
  uint64_t head = __atomic_load_n(&free_head, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&free_head, &head, ((head >> 32) + 1) << 32, 1, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
  }
  uint32_t first = 0, last = 0;
  for (uint32_t n = (uint32_t)head; n != 0;) {
    SelfsameTieRecord* record = record_at(n);
    uint32_t next = (uint32_t)__atomic_load_n(&record->go, __ATOMIC_RELAXED);
    if (n < end) {
      is_free[n / 64] |= (uint64_t)1 << (n % 64);
    } else {
      push_free(record, n);  // made after `end` was read
    }
    n = next;
  }
  uint32_t used = end;  // the records from here on are free
  while (used > 1 && (is_free[(used - 1) / 64] >> ((used - 1) % 64) & 1) != 0) used--;
  uint32_t seen = end;
  if (used == end || !__atomic_compare_exchange_n(&next_number, &seen, used, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    used = end;  // another thread has made a record
  for (uint32_t number = used; number-- > 1;) {
    if ((is_free[number / 64] >> (number % 64) & 1) == 0) continue;
    __atomic_store_n(&record_at(number)->go, first, __ATOMIC_RELAXED);
    if (last == 0) last = number;
    first = number;
  }
  free(is_free);
  if (first == 0) return;
  push_free(record_at(last), first);
}

// Records that lie in the same lines of the processors' caches. Threads that change two of them wait for each other, so a thread
// that has none takes as many.
#ifdef SELFSAME_NO_SPARE_RECORDS
enum { GROUP = 1 };
#else
enum { GROUP = 4 };
#endif
enum { LINES = GROUP * sizeof(SelfsameTieRecord) };

// Makes the chunk at *place, unless another thread does. Returns 0 when out of memory.
static int make_chunk(SelfsameTieRecord** place) {
  void* memory = calloc(1, SELFSAME_TIE_CHUNK_RECORDS * sizeof(SelfsameTieRecord) + LINES);
  if (memory == NULL) return 0;
  SelfsameTieRecord* chunk = (void*)(((uintptr_t)memory + LINES - 1) & ~(uintptr_t)(LINES - 1));
  SelfsameTieRecord* expected = NULL;
  if (!__atomic_compare_exchange_n(place, &expected, chunk, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) free(memory);
  return 1;
}

// The records after all others, up to the end of their group: *number is the first one's, *end that behind the last one. NULL
// when out of memory or out of numbers.
static SelfsameTieRecord* fresh_records(uint32_t* number, uint32_t* end) {
  uint32_t n = __atomic_load_n(&next_number, __ATOMIC_RELAXED);
  do {
    if (n >= SELFSAME_TIE_PREFIX_MARK - SELFSAME_TIE_CHUNK_RECORDS) return NULL;
    SelfsameTieRecord** place = &chunks[n >> SELFSAME_TIE_CHUNK_BITS];
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == NULL && !make_chunk(place)) return NULL;
    *end = (n | (GROUP - 1)) + 1;
  } while (!__atomic_compare_exchange_n(&next_number, &n, *end, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  *number = n;
  return record_at(n);
}

static inline void keep_spare(SelfsameTieRecord* record, uint32_t number) {
  if (!ss_spare_put(record, number)) push_free(record, number);
}

static inline __attribute__((always_inline)) void free_record(SelfsameTieRecord* record, uint32_t number) {
  __atomic_store_n(&record->object, NULL, __ATOMIC_RELAXED);
  __atomic_store_n(&record->wrapper, 0, __ATOMIC_RELAXED);
  record->deleter = NULL;
  keep_spare(record, number);
}

void ss_tie_free_record(SelfsameTieRecord* record, uint32_t number) { push_free(record, number); }

// A record for a thread that has no spare one, which gets some: the next ones are taken in the order of their numbers. NULL when
// out of memory or out of numbers.
static __attribute__((noinline)) SelfsameTieRecord* take_shared(uint32_t* number) {
  uint32_t more[GROUP], count = 0, end;
  SelfsameTieRecord* record = pop_free(number);
  if (record == NULL) {
    if ((record = fresh_records(number, &end)) == NULL) return NULL;
    for (uint32_t n = *number + 1; n < end; n++) more[count++] = n;
  } else {
    while (count + 1 < GROUP && pop_free(&more[count]) != NULL) count++;
  }
  while (count-- > 0) keep_spare(record_at(more[count]), more[count]);
  return record;
}

// A free record for a new object, whose fields are set. NULL when out of memory or out of numbers.
static inline SelfsameTieRecord* take_record(TVMFFIObject* object, uint32_t* number) {
  SelfsameTieRecord* record = ss_spare_take(number);
  if (SS_UNLIKELY(record == NULL) && (record = take_shared(number)) == NULL) return NULL;
  __atomic_store_n(&record->wrapper, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&record->go, 0, __ATOMIC_RELAXED);
  record->deleter = __atomic_load_n(&object->deleter, __ATOMIC_RELAXED);
  __atomic_store_n(&record->object, object, __ATOMIC_RELAXED);
  return record;
}

static int readers;              // calls of postpone_deaths(1) that no postpone_deaths(0) has ended
static uint64_t postponed_head;  // change counter << 32 | number of the first record whose native's death is postponed

// The field `go` of a record whose native's death is postponed: the deleter's flags, and the number of the next one.
static uint64_t postponed_go(uint32_t next, int flags) { return (uint64_t)(uint32_t)flags << 32 | next; }

// Queues the work of tied_delete. For the strong phase alone it takes a weak reference, which keeps the memory until
// run_postponed. The record's word stays zero, so that readers that come later do not look at the native. The word
// waits in the place of the deleter, which goes back to the native: nobody calls it before run_postponed.
static void postpone(SelfsameTieRecord* record, uint32_t number, uintptr_t word, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) ss_weak_incref(record->object);
  __atomic_store_n(&record->object->deleter, record->deleter, __ATOMIC_RELAXED);
  record->deleter = (void (*)(void*, int))word;
  uint64_t head = __atomic_load_n(&postponed_head, __ATOMIC_RELAXED);
  uint64_t wanted;
  do {
    __atomic_store_n(&record->go, postponed_go((uint32_t)head, flags), __ATOMIC_RELAXED);
    wanted = (((head >> 32) + 1) << 32) | number;
  } while (!__atomic_compare_exchange_n(&postponed_head, &head, wanted, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

static void call_deleter(TVMFFIObject* object, void (*deleter)(void*, int), int flags) { deleter(object, flags); }

static void (*end_native)(TVMFFIObject*, void (*)(void*, int), int) = call_deleter;

void ss_tie_set_end(void (*end)(TVMFFIObject*, void (*)(void*, int), int)) {
  __atomic_store_n(&end_native, end, __ATOMIC_RELEASE);
}

// Frees the record, restores the native's deleter and calls it. So a weak phase that comes later goes to that deleter
// alone.
static void finish(SelfsameTieRecord* record, uint32_t number, uintptr_t word, int flags) {
  TVMFFIObject* object = record->object;
  void (*deleter)(void*, int) = record->deleter;
  __atomic_store_n(&object->deleter, deleter, __ATOMIC_RELAXED);
  __atomic_store_n(&object->__padding, 0, __ATOMIC_RELAXED);
  // Detached, or a kept block that no thread can fetch any more. Not Active: such a wrapper owns a reference.
  if (word & SELFSAME_TIE_INACTIVE) {
    void (*reclaim)(void*) = __atomic_load_n(&reclaim_block, __ATOMIC_ACQUIRE);
    if (reclaim != NULL) reclaim((void*)(word & ~SELFSAME_TIE_TAGS));
  }
  free_record(record, number);
  if (deleter != NULL) __atomic_load_n(&end_native, __ATOMIC_ACQUIRE)(object, deleter, flags);
}

// Leaves the list to the last reader while there are readers: any of them may be looking at a native in it. A reader
// that the load of `readers` does not see begins after the deaths in the list took their words, and so finds none of
// them.
static void run_postponed(void) {
  uint64_t head = __atomic_load_n(&postponed_head, __ATOMIC_SEQ_CST);
  do {
    if ((uint32_t)head == 0 || __atomic_load_n(&readers, __ATOMIC_SEQ_CST) != 0) return;
  } while (!__atomic_compare_exchange_n(&postponed_head, &head, ((head >> 32) + 1) << 32, 1, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
  uint32_t number = (uint32_t)head;
  while (number != 0) {
    SelfsameTieRecord* record = record_at(number);
    if (record == NULL) return;  // cannot happen: every number in the list has a record
    uint64_t waits = __atomic_load_n(&record->go, __ATOMIC_RELAXED);
    uint32_t next = (uint32_t)waits;
    int flags = (int)(waits >> 32);
    TVMFFIObject* object = record->object;
    uintptr_t word = (uintptr_t)record->deleter;
    record->deleter = __atomic_load_n(&object->deleter, __ATOMIC_RELAXED);
    finish(record, number, word, flags);
    if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) ss_weak_decref(object);
    number = next;
  }
}

static void run_postponed_and_sort(void) {
  run_postponed();
  sort_free();
}

static int postpone_deaths(int on) {
  if (on) {
    __atomic_fetch_add(&readers, 1, __ATOMIC_SEQ_CST);
    return 0;
  }
  __atomic_fetch_sub(&readers, 1, __ATOMIC_SEQ_CST);
  return (uint32_t)__atomic_load_n(&postponed_head, __ATOMIC_SEQ_CST) != 0;
}

// Replaces the native's own deleter from its first record on. Runs on the thread that releases the last reference,
// attached or not, and never waits.
static void tied_delete(void* self, int flags) {
  TVMFFIObject* object = self;
  uint32_t number = object->__padding;
  SelfsameTieRecord* record = record_at(number);
  // A native that owns its wrapper passes its last reference on to it. The word cannot change here: only a thread with
  // a reference to the native changes a word with SELFSAME_TIE_HELD.
  if (SS_UNLIKELY(__atomic_load_n(&record->wrapper, __ATOMIC_RELAXED) & SELFSAME_TIE_HELD)) {
    // The caller releases the weak reference that the strong ones share, unless it asks for that phase too.
    int both = (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0;
    __atomic_fetch_add(&object->combined_ref_count, both ? SS_STRONG_ONE : SS_BOTH_ONE, __ATOMIC_SEQ_CST);
    __atomic_load_n(&hand_back, __ATOMIC_ACQUIRE)(object);
    return;
  }
  // The word before `readers`: a reader that this load does not see finds no wrapper in the word.
  uintptr_t word = __atomic_exchange_n(&record->wrapper, 0, __ATOMIC_SEQ_CST);
  if (__builtin_expect(__atomic_load_n(&readers, __ATOMIC_SEQ_CST) != 0, 0)) {
    postpone(record, number, word, flags);
    if (__atomic_load_n(&readers, __ATOMIC_SEQ_CST) == 0)
      run_postponed();  // the last reader left after the check above; no other thread will run the list
    return;
  }
  finish(record, number, word, flags);
}

static SelfsameTieRecord* find_own(const TVMFFIObject* object, uint32_t number) {
  if (number == 0 || number == SELFSAME_TIE_PREFIX_MARK) return NULL;
  SelfsameTieRecord* record = record_at(number);
  if (record == NULL || __atomic_load_n(&record->object, __ATOMIC_RELAXED) != object) return NULL;
  return record;
}

static SelfsameTieRecord* acquire(TVMFFIObject* object) {
  uint32_t seen = __atomic_load_n(&object->__padding, __ATOMIC_ACQUIRE);
  SelfsameTieRecord* record = find_own(object, seen);
  if (record != NULL) return record;
  uint32_t number = 0;
  SelfsameTieRecord* mine = take_record(object, &number);
  if (mine == NULL) return NULL;
  while (!__atomic_compare_exchange_n(&object->__padding, &seen, number, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    record = find_own(object, seen);
    if (record != NULL) {  // another thread was first
      free_record(mine, number);
      return record;
    }
  }
  // Only a count that reaches zero reads the deleter, and the caller's reference prevents that.
  __atomic_store_n(&object->deleter, tied_delete, __ATOMIC_RELAXED);
  return mine;
}

static SelfsameTieRecord* acquire_alone(TVMFFIObject* object) {
  uint32_t number = __atomic_load_n(&object->__padding, __ATOMIC_RELAXED);
  SelfsameTieRecord* record;
  if (SS_UNLIKELY(number != 0) && (record = find_own(object, number)) != NULL) return record;
  record = take_record(object, &number);
  if (record == NULL) return NULL;
  __atomic_store_n(&object->__padding, number, __ATOMIC_RELEASE);
  __atomic_store_n(&object->deleter, tied_delete, __ATOMIC_RELAXED);
  return record;
}

// As tied_delete for a zero word. With readers the death takes the usual way, which postpones it.
static void release_alone(TVMFFIObject* object, SelfsameTieRecord* record) {
  if (SS_UNLIKELY(__atomic_load_n(&object->deleter, __ATOMIC_RELAXED) != tied_delete ||
                  __atomic_load_n(&readers, __ATOMIC_RELAXED) != 0)) {
    ss_decref(object);
    return;
  }
  // As the release of the last strong reference does, leave the weak reference that the strong ones share.
  __atomic_store_n(&object->combined_ref_count, SS_WEAK_ONE, __ATOMIC_RELAXED);
  finish(record, object->__padding, 0, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

static void (*set_reclaim(void (*reclaim)(void*)))(void*) {
  return __atomic_exchange_n(&reclaim_block, reclaim, __ATOMIC_ACQ_REL);
}

static void (*set_hand_back(void (*function)(TVMFFIObject*)))(TVMFFIObject*) {
  return __atomic_exchange_n(&hand_back, function, __ATOMIC_ACQ_REL);
}

static uint32_t new_go_owner(void) {
  uint32_t owner = __atomic_add_fetch(&go_owners, 1, __ATOMIC_RELAXED);
  return owner <= 0xFFFFu ? owner : 0;
}

static const SsFreeListCounter* free_lists;  // only grows

static int count_free_list(const uint64_t* word) { return ss_free_list_add(&free_lists, 0, word); }

// Walks the table: a running count would cost two more atomic operations for each record.
static int64_t count_live_records(void) {
  int64_t live = 0;
  uint32_t end = __atomic_load_n(&next_number, __ATOMIC_ACQUIRE);
  for (uint32_t n = 1; n < end; n++) live += __atomic_load_n(&record_at(n)->object, __ATOMIC_RELAXED) != NULL;
  return live - ss_free_list_sum(&free_lists, -1);
}

static uint32_t record_end(void) { return __atomic_load_n(&next_number, __ATOMIC_ACQUIRE); }

static void after_fork(void) {
  uint32_t end = __atomic_load_n(&next_number, __ATOMIC_ACQUIRE);
  for (uint32_t n = 1; n < end; n++) {
    SelfsameTieRecord* record = record_at(n);
    const uintptr_t bits = SELFSAME_TIE_LOCKED | SELFSAME_TIE_PARKED;
    if (record->object != NULL && (record->wrapper & bits) != 0) record->wrapper &= ~bits;
  }
  readers = 0;
}

static SelfsameGoCalls* go_calls(void) {
  static __thread SelfsameGoCalls calls SS_STATIC_TLS;
  return &calls;
}

static SelfsameCollector* last_collector;  // atomic; a list that only grows

static void add_collector(SelfsameCollector* collector) {
  collector->next = __atomic_load_n(&last_collector, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&last_collector, &collector->next, collector, 1, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

static SelfsameCollector* collectors(void) { return __atomic_load_n(&last_collector, __ATOMIC_ACQUIRE); }

static const SelfsameTieTable own_table = {
    .version = SELFSAME_TIE_VERSION,
    .size = sizeof(SelfsameTieTable),
    .chunks = chunks,
    .acquire = acquire,
    .set_reclaim = set_reclaim,
    .new_go_owner = new_go_owner,
    .after_fork = after_fork,
    .live_records = count_live_records,
    .record_end = record_end,
    .postpone_deaths = postpone_deaths,
    .run_postponed = run_postponed_and_sort,
    .count_free_list = count_free_list,
    .go_calls = go_calls,
    .add_collector = add_collector,
    .collectors = collectors,
    .acquire_alone = acquire_alone,
    .release_alone = release_alone,
    .registration_lock = ss_registration_lock,
    .set_hand_back = set_hand_back,
};

const SelfsameTieTable* ss_tie_own_table(void) { return &own_table; }
