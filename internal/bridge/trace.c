// The table of living native objects that Go code made, for the build tag debug. Each object's deleter is replaced by
// traced_delete, which removes the object from the table before its memory can be freed, on the thread that drops the
// last reference. `lock` guards the table; no other lock is taken under it.
#ifdef SS_BRIDGE_DEBUG

#include "trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

typedef struct Traced {
  TVMFFIObject* object;                    // borrowed: its deleter removes the entry
  void (*deleter)(void* self, int flags);  // the object's own
  struct Traced* next;                     // in its bucket
  int32_t depth;                           // of `stack`
  uint64_t stack[];                        // return addresses, the innermost first
} Traced;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Traced** buckets;
static size_t num_buckets;  // a power of two
static size_t count;

static Traced** bucket_of(const void* object) {
  return &buckets[((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15u >> 20 & (num_buckets - 1)];
}

// Makes room for one more entry. Without memory for a larger table the old one is kept; -1 only if there is none. The
// caller must hold `lock`.
static int grow_locked(void) {
  if (count < num_buckets) return 0;
  size_t wanted = num_buckets == 0 ? 1024 : num_buckets * 2;
  Traced** larger = calloc(wanted, sizeof(*larger));
  if (larger == NULL) return num_buckets == 0 ? -1 : 0;
  Traced** old = buckets;
  size_t end = num_buckets;
  buckets = larger;
  num_buckets = wanted;
  for (size_t i = 0; i < end; i++) {
    for (Traced *traced = old[i], *next; traced != NULL; traced = next) {
      next = traced->next;
      Traced** bucket = bucket_of(traced->object);
      traced->next = *bucket;
      *bucket = traced;
    }
  }
  free(old);
  return 0;
}

static void traced_delete(void* self, int flags) {
  pthread_mutex_lock(&lock);
  Traced** link = bucket_of(self);
  while ((*link)->object != self) link = &(*link)->next;  // present: only this function removes entries
  Traced* traced = *link;
  *link = traced->next;
  count--;
  pthread_mutex_unlock(&lock);
  TVMFFIObject* object = self;
  void (*deleter)(void*, int) = traced->deleter;
  free(traced);
  object->deleter = deleter;  // a later call for the weak count goes to the object's own deleter
  deleter(self, flags);
}

int ss_bridge_trace(TVMFFIObjectHandle handle, const uint64_t* stack, int32_t depth) {
  TVMFFIObject* object = handle;
  Traced* traced = malloc(sizeof(*traced) + (size_t)depth * sizeof(*stack));
  if (traced == NULL) return -1;
  traced->object = object;
  traced->deleter = object->deleter;
  traced->depth = depth;
  memcpy(traced->stack, stack, (size_t)depth * sizeof(*stack));
  pthread_mutex_lock(&lock);
  if (traced->deleter == NULL || grow_locked() != 0) {
    pthread_mutex_unlock(&lock);
    free(traced);
    return -1;
  }
  Traced** bucket = bucket_of(object);
  traced->next = *bucket;
  *bucket = traced;
  count++;
  object->deleter = traced_delete;
  pthread_mutex_unlock(&lock);
  return 0;
}

size_t ss_bridge_traced(SsTracedNative* out, size_t room) {
  pthread_mutex_lock(&lock);
  size_t found = 0;
  for (size_t i = 0; i < num_buckets; i++) {
    for (Traced* traced = buckets[i]; traced != NULL; traced = traced->next, found++) {
      if (found >= room) continue;
      SsTracedNative* native = &out[found];
      native->address = (uint64_t)(uintptr_t)traced->object;
      native->counts = __atomic_load_n(&traced->object->combined_ref_count, __ATOMIC_RELAXED);
      native->type_index = traced->object->type_index;
      native->depth = traced->depth < SS_BRIDGE_TRACE_DEPTH ? traced->depth : SS_BRIDGE_TRACE_DEPTH;
      memcpy(native->stack, traced->stack, (size_t)native->depth * sizeof(uint64_t));
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

#endif  // SS_BRIDGE_DEBUG
