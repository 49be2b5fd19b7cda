// Waiting for a word: 64 pairs of a mutex and a condition variable, chosen by the word's address.
#include "tie/word_lock.h"

#if SS_FREE_THREADED

#include <pthread.h>

typedef struct {
  pthread_mutex_t mutex;   // guards the waiting, not the words
  pthread_cond_t changed;  // signalled when a word of the bucket is given back
} Bucket;

#define EMPTY_BUCKET {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}
#define FOUR(x) x, x, x, x
enum { BUCKETS = 64 };
static Bucket buckets[BUCKETS] = {FOUR(FOUR(FOUR(EMPTY_BUCKET)))};

// Tie records have 32 bytes.
static Bucket* bucket_of(const uintptr_t* word) {
  uintptr_t n = (uintptr_t)word >> 5;
  return &buckets[(n ^ (n >> 6) ^ (n >> 16)) % BUCKETS];
}

// Wakes the threads that sleep because of a word. The caller has written the word before, and a sleeper compares the
// word while it holds the bucket's mutex, so no wake-up is lost.
void ss_word_wake(const uintptr_t* word) {
  Bucket* bucket = bucket_of(word);
  pthread_mutex_lock(&bucket->mutex);
  pthread_cond_broadcast(&bucket->changed);
  pthread_mutex_unlock(&bucket->mutex);
}

// Sleeps while the word is `parked`, a value with SELFSAME_TIE_PARKED.
static void park(const uintptr_t* word, uintptr_t parked) {
  Bucket* bucket = bucket_of(word);
  pthread_mutex_lock(&bucket->mutex);
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == parked) pthread_cond_wait(&bucket->changed, &bucket->mutex);
  pthread_mutex_unlock(&bucket->mutex);
}

uintptr_t ss_word_lock_slow(SelfsameTieRecord* record) {
  uintptr_t* word = &record->wrapper;
  uintptr_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    uintptr_t wanted = seen | ((seen & SELFSAME_TIE_LOCKED) ? SELFSAME_TIE_PARKED : SELFSAME_TIE_LOCKED);
    if (wanted != seen && !__atomic_compare_exchange_n(word, &seen, wanted, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    if ((seen & SELFSAME_TIE_LOCKED) == 0) return seen & ~SS_WORD_LOCK_BITS;
    park(word, wanted);
    seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  }
}

void ss_word_await(SelfsameTieRecord* record, uintptr_t word) {
  uintptr_t parked = word | SELFSAME_TIE_PARKED;
  uintptr_t old = __atomic_exchange_n(&record->wrapper, parked, __ATOMIC_ACQ_REL);
  if (old & SELFSAME_TIE_PARKED) ss_word_wake(&record->wrapper);  // threads that waited for the lock
  SsDetached state = ss_detach();
  park(&record->wrapper, parked);
  ss_attach(state);  // once the interpreter shuts down this may not return
}

int ss_word_try_look(SelfsameTieRecord* record, uintptr_t* word) {
  *word = __atomic_load_n(&record->wrapper, __ATOMIC_SEQ_CST);
  do {
    if ((*word & ~SELFSAME_TIE_TAGS) == 0 || (*word & SS_WORD_LOCK_BITS) != 0) return 0;
  } while (!__atomic_compare_exchange_n(&record->wrapper, word, *word | SELFSAME_TIE_LOCKED, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE));
  return 1;
}

void ss_word_looked(SelfsameTieRecord* record, uintptr_t word) {
  uintptr_t locked = __atomic_load_n(&record->wrapper, __ATOMIC_RELAXED);
  while ((locked & SELFSAME_TIE_LOCKED) != 0 &&
         !__atomic_compare_exchange_n(&record->wrapper, &locked, word, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  if (locked & SELFSAME_TIE_PARKED) ss_word_wake(&record->wrapper);
}

void ss_word_lock_after_fork(void) {
  for (int i = 0; i < BUCKETS; i++) buckets[i] = (Bucket)EMPTY_BUCKET;
}

#else

typedef int ss_word_lock_is_not_needed;

#endif  // SS_FREE_THREADED
