// Drives the tie table from many threads at once, for the thread sanitizer. The threads share objects: the first
// `acquire` makes an object's record, the others find it, and the object dies on the thread that releases the last
// reference. Objects and kept blocks are memory and no more; the table's code is the code that ships.
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spare_records.h"
#include "../tie.h"

enum { THREADS = 8, ROUNDS = 2000, SHARED = 16, SPARE = SS_SPARE_RECORDS };

static int64_t live_objects, live_blocks, wrong;

static void expect(int ok) {
  if (!ok) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void delete_object(void* self, int flags) {
  expect((uint32_t)__atomic_load_n(&((TVMFFIObject*)self)->combined_ref_count, __ATOMIC_RELAXED) == 0);
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) {
    expect(((TVMFFIObject*)self)->__padding == 0);
    __atomic_fetch_sub(&live_objects, 1, __ATOMIC_RELAXED);
    free(self);
  }
}

static TVMFFIObject* make_object(uint32_t references) {
  TVMFFIObject* object = calloc(1, sizeof(TVMFFIObject) + 8);
  object->combined_ref_count = (1ull << 32) | references;
  object->type_index = kTVMFFIDynObjectBegin;
  object->deleter = delete_object;
  __atomic_fetch_add(&live_objects, 1, __ATOMIC_RELAXED);
  return object;
}

static void drop(TVMFFIObject* object) {
  uint64_t old = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_RELEASE);
  if (old != 0x100000001ull) return;
  // The thread sanitizer does not understand fences; an acquire load has the same effect.
  (void)__atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
  object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

static void reclaim(void* block) {
  free(block);
  __atomic_fetch_sub(&live_blocks, 1, __ATOMIC_RELAXED);
}

static TVMFFIObject* shared[SHARED];
static pthread_barrier_t barrier;

// A lean wrapper of `object` lives and dies: it leaves a kept block, unless another thread's block is there.
static void wrap_and_keep(const SelfsameTieTable* table, TVMFFIObject* object) {
  SelfsameTieRecord* record = table->acquire(object);
  expect(record != NULL && SelfsameTieFind(table, object) == record);
  uintptr_t word = 0;
  uintptr_t block = (uintptr_t)malloc(32);
  __atomic_fetch_add(&live_blocks, 1, __ATOMIC_RELAXED);
  if (!__atomic_compare_exchange_n(&record->wrapper, &word, block | SELFSAME_TIE_INACTIVE, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    reclaim((void*)block);
  }
  drop(object);  // may be the last reference: then the deleter frees the block
}

// Reads each object that has a word, as a report does. None is freed before all threads that look have ended.
static void look(const SelfsameTieTable* table) {
  table->postpone_deaths(1);
  uint32_t end = table->record_end();
  for (uint32_t n = 1; n < end; n++) {
    SelfsameTieRecord* record = SelfsameTieRecordAt(table, n);
    if (record == NULL) continue;
    if (__atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST) == 0) continue;
    const TVMFFIObject* object = __atomic_load_n(&record->object, __ATOMIC_ACQUIRE);
    sched_yield();  // other threads release the object, and end their looks
    expect(object == NULL || object->type_index == kTVMFFIDynObjectBegin);
  }
  table->postpone_deaths(0);
  table->run_postponed();  // also sorts the free records
}

static void* run(void* argument) {
  const SelfsameTieTable* table = argument;
  for (int round = 0; round < ROUNDS; round++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      for (int i = 0; i < SHARED; i++) shared[i] = make_object(THREADS);
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < SHARED; i++) {
      wrap_and_keep(table, shared[i]);
      if (i % 4 == 0) look(table);
    }
    TVMFFIObject* own = make_object(1);
    // Nobody else knows this object.
    SelfsameTieRecord* record = round % 2 == 0 ? table->acquire(own) : table->acquire_alone(own);
    expect(record != NULL && record == SelfsameTieFind(table, own) && table->acquire_alone(own) == record);
    // Its word is zero, so no look reads it.
    if (round % 3 == 0) {
      table->release_alone(own, record);
    } else {
      drop(own);
    }
  }
  return NULL;
}

// Objects that die in any order leave their records to the objects that are made next in the order of their numbers, and
// walks over the table end where the records in use do.
static void check_order(const SelfsameTieTable* table) {
  enum { MANY = 5003, STEP = 1999 };
  static TVMFFIObject* objects[MANY];
  for (int round = 0; round < 3; round++) {
    uint32_t last = 0, descents = 0;
    for (int i = 0; i < MANY; i++) {
      objects[i] = make_object(1);
      expect(table->acquire(objects[i]) != NULL);
      descents += objects[i]->__padding < last;
      last = objects[i]->__padding;
    }
    expect(round == 0 || descents <= SPARE + 1);  // the thread's spare records come first
    uint32_t end = table->record_end();
    for (uint64_t i = 0; i < MANY; i++) drop(objects[i * STEP % MANY]);
    table->run_postponed();
    expect(table->record_end() + MANY / 2 < end);  // the free records at the end of the table are given back
  }
}

int main(void) {
  const SelfsameTieTable* table = ss_tie_own_table();
  table->set_reclaim(reclaim);
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, (void*)table);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  check_order(table);
  printf("wrong %lld objects %lld blocks %lld records %lld\n", (long long)wrong, (long long)live_objects,
         (long long)live_blocks, (long long)table->live_records());
  static uint64_t free_list;
  expect(table->count_free_list(&free_list) == 0);
  int64_t records = table->live_records();
  free_list = ((uint64_t)7 << 10) + 3;
  expect(table->live_records() == records - 3);
  free_list = 0;
  return wrong != 0 || live_objects != 0 || live_blocks != 0 || table->live_records() != 0;
}
