// A hash table with chains through the owners themselves: see python_owner.h. Only attached threads come here, so the GIL
// guards it. Without a GIL it has a mutex, under which it uses malloc alone.
#include "tie/python_owner.h"

#include <pthread.h>
#include <stdlib.h>

#if SS_FREE_THREADED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // guards what follows, and the owners' `next`
#define LOCK() pthread_mutex_lock(&mutex)
#define UNLOCK() pthread_mutex_unlock(&mutex)
#else
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
#endif
static SsPythonOwner* first_chain;  // the only one, until there is memory for more
static struct {
  SsPythonOwner** chains;  // by a hash of the Python object
  size_t room, count;      // room is a power of two
} table = {&first_chain, 1, 0};

static SsPythonOwner** chain_locked(const PyObject* object) {
  return &table.chains[((uintptr_t)object >> 4) * (size_t)UINT64_C(0x9E3779B97F4A7C15) >> 20 & (table.room - 1)];
}

// Doubles the number of chains when there are as many owners. Without memory the chains get longer.
static void grow_locked(void) {
  if (table.count < table.room) return;
  size_t old_room = table.room, room = old_room == 1 ? 64 : 2 * old_room;
  SsPythonOwner **chains = calloc(room, sizeof(SsPythonOwner*)), **old = table.chains;
  if (chains == NULL) return;
  table.chains = chains;
  table.room = room;
  for (size_t i = 0; i < old_room; i++) {
    for (SsPythonOwner *owner = old[i], *next; owner != NULL; owner = next) {
      next = owner->next;
      SsPythonOwner** chain = chain_locked(owner->object);
      owner->next = *chain;
      *chain = owner;
    }
  }
  if (old != &first_chain) free(old);
}

static TVMFFIObject* find_locked(const PyObject* object, int32_t type_index) {
  for (SsPythonOwner* known = *chain_locked(object); known != NULL; known = known->next) {
    // An owner that is dying is in the table until its release has run; until then its memory is there.
    if (known->object == object && known->native->type_index == type_index && ss_promote(known->native)) {
      return known->native;
    }
  }
  return NULL;
}

TVMFFIObject* ss_same_owner_find(const PyObject* object, int32_t type_index) {
  LOCK();
  TVMFFIObject* found = find_locked(object, type_index);
  UNLOCK();
  return found;
}

TVMFFIObject* ss_same_owner(TVMFFIObject* native, SsPythonOwner* owner) {
  LOCK();
  TVMFFIObject* same = find_locked(owner->object, native->type_index);
  if (same == NULL) {
    grow_locked();
    SsPythonOwner** chain = chain_locked(owner->object);
    owner->native = native;
    owner->listed = 1;
    owner->next = *chain;
    *chain = owner;
    table.count++;
  }
  UNLOCK();
  if (same == NULL) return native;
  ss_decref(native);
  return same;
}

void ss_same_owner_forget(SsPythonOwner* owner) {
  if (!owner->listed) return;
  LOCK();
  SsPythonOwner** at = chain_locked(owner->object);
  while (*at != owner) at = &(*at)->next;
  *at = owner->next;
  owner->listed = 0;
  table.count--;
  UNLOCK();
}

void ss_same_owner_before_fork(void) { LOCK(); }
void ss_same_owner_after_fork(void) { UNLOCK(); }
