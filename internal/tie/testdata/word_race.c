// Drives the transitions of the wrapper word from many threads at once. The transitions are the code that ships
// (tie_word.h, word_lock.c, tie.c); native objects are memory and no more, and the interpreter is stand_in.h.
//
// Each thread owns one reference to each of a few native objects and does random things with them: fetch, drop (which
// holds a stateful wrapper), refetch, use, move away and take back, register another class, fetch inside a dealloc. It also
// takes a wrapper as code does that makes a strong reference from a weak one. Then it releases its reference to each, sometimes without being attached. The harness
// checks that a native object has one wrapper at a time, that each reference is released once and each block freed
// once, and that nothing is left. It also checks that each row of the table was taken from the state that it names.
//
// Usage: word_race [rounds [seed]]
#include <time.h>
#include <unistd.h>

#include "tie.h"
#include "tie/tie_word.h"

enum { THREADS = 8, NATIVES = 6, STEPS = 40, KEPT = 4 };

typedef struct {
  TVMFFIObject object;
  int stateful;
  int stays;         // no thread takes its handle out of its wrapper
  SsWrapper* first;  // its first wrapper, which is compared and not used
} Native;

static const SelfsameTieTable* table;
static PyTypeObject plain = {sizeof(SsWrapper), NULL, 0}, derived = {sizeof(SsWrapper) + 16, &plain, 0},
                    stateful = {sizeof(SsWrapper) + 32, NULL, 1};
static PyTypeObject* registered = &plain;
static int64_t live_natives, live_wrappers;
static Native* natives[NATIVES];
static pthread_barrier_t barrier;

static __thread uint64_t random_state;
__thread int stand_in_attached;
int64_t transitions[SS_TRANSITION_COUNT];

static uint32_t chance(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

// ---- the interpreter ----

// Releases that wait for an attached thread: of blocks, and of native objects that handed themselves back.
typedef struct {
  PyObject* block;
  TVMFFIObject* object;
} Deferred;
static pthread_mutex_t deferred_mutex = PTHREAD_MUTEX_INITIALIZER;
static Deferred deferred[1 << 16];
static int deferred_count;

static void defer(PyObject* block, TVMFFIObject* object) {
  pthread_mutex_lock(&deferred_mutex);
  deferred[deferred_count++] = (Deferred){block, object};
  pthread_mutex_unlock(&deferred_mutex);
}

static void drain(void) {
  for (;;) {
    pthread_mutex_lock(&deferred_mutex);
    Deferred item = deferred_count > 0 ? deferred[--deferred_count] : (Deferred){NULL, NULL};
    pthread_mutex_unlock(&deferred_mutex);
    if (item.block != NULL) {
      ss_block_free(item.block);
    } else if (item.object != NULL) {
      ss_decref(item.object);
    } else {
      return;
    }
  }
}

#if SS_FREE_THREADED
static void enter(void) {
  stand_in_attached = 1;
  drain();
}
static void leave(void) { stand_in_attached = 0; }
#else
static pthread_mutex_t interpreter = PTHREAD_MUTEX_INITIALIZER;
static void enter(void) {
  pthread_mutex_lock(&interpreter);
  stand_in_attached = 1;
  drain();
}
static void leave(void) {
  stand_in_attached = 0;
  pthread_mutex_unlock(&interpreter);
}
#endif

// Lets other threads run in the middle of an operation, as a call of Python code does.
static void let_others_run(void) {
  leave();
  if (chance(2)) sched_yield();
  enter();
}

static const char* const row_from[] = {
#define FROM(name, from, to, when) #from,
    SS_TIE_TRANSITIONS(FROM)
#undef FROM
};
static const char* const row_name[] = {
#define NAME(name, from, to, when) #name,
    SS_TIE_TRANSITIONS(NAME)
#undef NAME
};

void stand_in_transition(int transition, uintptr_t seen) {
  const char* from = row_from[transition];
  uintptr_t tags = seen & SELFSAME_TIE_TAGS;
  if (strcmp(from, "Detached") == 0) EXPECT(seen == 0);
  if (strcmp(from, "Active") == 0) EXPECT(seen != 0 && tags == 0);
  if (strcmp(from, "Held") == 0) EXPECT(seen > SELFSAME_TIE_TAGS && tags == SELFSAME_TIE_HELD);
  if (strcmp(from, "Inactive") == 0) EXPECT(seen > SELFSAME_TIE_TAGS && tags == SELFSAME_TIE_INACTIVE);
  __atomic_fetch_add(&transitions[transition], 1, __ATOMIC_RELAXED);
}

static void note(SsTieTransition transition) { __atomic_fetch_add(&transitions[transition], 1, __ATOMIC_RELAXED); }

static PyObject* new_wrapper(PyTypeObject* type) {
  SsWrapper* wrapper = calloc(1, (size_t)type->tp_basicsize);
  wrapper->ob_base.references = 1;
  wrapper->ob_base.type = type;
  wrapper->ob_base.tracked = 1;
  wrapper->flags = type->stateful ? SS_STATEFUL : 0;
  __atomic_fetch_add(&live_wrappers, 1, __ATOMIC_RELAXED);
  ss_count(SS_COUNT_LIVE, 1);
  ss_count(SS_COUNT_BLOCKS, 1);
  return &wrapper->ob_base;
}

static void free_memory(PyObject* o) {
  __atomic_fetch_sub(&live_wrappers, 1, __ATOMIC_RELAXED);
  free(o);
}

int ss_block_fits(PyObject* block, PyTypeObject* wanted) {
  return Py_TYPE(block) == wanted || Py_TYPE(block)->base == wanted;
}

void ss_block_free(PyObject* block) {
  EXPECT(__atomic_load_n(&block->references, __ATOMIC_ACQUIRE) == 0 && !block->tracked);
  ss_count(SS_COUNT_BLOCKS, -1);
  free_memory(block);
}

static void reclaim(void* block) {
  note(SS_reclaim);
  if (SS_FREE_THREADED || stand_in_attached) {
    ss_block_free(block);
  } else {
    defer(block, NULL);
  }
}

static void hand_back(TVMFFIObject* object) {
  if (stand_in_attached) {
    ss_word_take_over(SelfsameTieFind(table, object), object);
  } else {
    defer(NULL, object);
  }
}

void ss_own_native(SsWrapper* wrapper) {
  TVMFFIObject* object = wrapper->handle;
  while (!ss_promote(object)) sched_yield();  // another thread is about to give it a reference again
  ss_word_own_native(SelfsameTieFind(table, object), wrapper, object);
}

static PyTypeObject* class_of(const Native* native) {
  return native->stateful ? &stateful : __atomic_load_n(&registered, __ATOMIC_RELAXED);
}

// As ss_fetch: takes over the reference to the native object.
static SsWrapper* fetch(Native* native) {
  TVMFFIObject* object = &native->object;
  SelfsameTieRecord* record = table->acquire(object);
  EXPECT(record != NULL);
  PyObject* found = ss_word_fetch(record, object, class_of(native), NULL);
  if (found == NULL) {
    PyObject* fresh = new_wrapper(class_of(native));
    if (chance(4) == 0) let_others_run();
    ss_enable_try_incref(fresh);
    found = ss_word_fetch(record, object, class_of(native), ss_wrapper(fresh));
    EXPECT(found != NULL);
    if (found != fresh) Py_DECREF(fresh);
  }
  return ss_wrapper(found);
}

// Promotes a weak reference: returns a new strong one, or NULL.
static Native* promote(Native* native) {
  uint64_t now = __atomic_load_n(&native->object.combined_ref_count, __ATOMIC_RELAXED);
  do {
    if ((uint32_t)now == 0) return NULL;
  } while (!__atomic_compare_exchange_n(&native->object.combined_ref_count, &now, now + 1, 1, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  return native;
}

// The dealloc of lean and stateful wrappers, as wrapper/tp_slots.c and CPython do it together.
void stand_in_dealloc(PyObject* self) {
  SsWrapper* wrapper = ss_wrapper(self);
  EXPECT(stand_in_attached);
  if (Py_TYPE(self)->stateful) {
    do {
      ss_resurrect(self);  // the finalizer sees a living object
      if (chance(4) == 0) sched_yield();
      while (ss_references(self) == 1) {
        // From the store on another thread may fetch it, and move its handle away.
        TVMFFIObject* handle = ss_pin_as_is(wrapper);
        if (handle == NULL) break;
        if (chance(4) == 0) sched_yield();
        int lives = ss_word_survives(SelfsameTieFind(table, handle), wrapper, 1, 1);
        ss_unpin_as_is(wrapper);
        if (!lives || (ss_flags(wrapper) & SS_HELD)) break;
      }
      if (chance(4) == 0) sched_yield();
      if (!ss_drop_resurrected(self)) return;  // it lives on
    } while (wrapper->handle != NULL && !ss_word_ends(SelfsameTieFind(table, wrapper->handle), wrapper));
  }
  stand_in_untrack(self);
  if (Py_TYPE(self)->stateful && wrapper->handle != NULL && chance(3) == 0) {
    // Python code: a weak reference's callback.
    Native* native = promote((Native*)wrapper->handle);
    if (native != NULL) {
      let_others_run();
      SsWrapper* other = fetch(native);
      EXPECT(other != wrapper);
      Py_DECREF(&other->ob_base);
    }
  }
  ss_count(SS_COUNT_LIVE, -1);
  TVMFFIObject* object = NULL;
  SelfsameTieRecord* record = NULL;
  SsDropped dropped = SS_DROPPED;
  if (wrapper->handle != NULL) {
    record = SelfsameTieFind(table, wrapper->handle);
    dropped = ss_word_drop(record, wrapper, 1, &object);
  }
  int kept = dropped == SS_KEPT;
  int64_t reclaimed = __atomic_load_n(&transitions[SS_reclaim], __ATOMIC_RELAXED);
  if (dropped == SS_DROPPED_ALONE) {
    ss_word_settle_alone(table, record, object);
  } else if (object != NULL) {
    ss_word_settle(object);
  }
  // Another thread may have reclaimed its own block between the two loads; the numbers need not be exact.
  if (kept) note(__atomic_load_n(&transitions[SS_reclaim], __ATOMIC_RELAXED) == reclaimed ? SS_settle : SS_settle_last);
  if (kept) return;
  ss_count(SS_COUNT_BLOCKS, -1);
  free_memory(self);
}

// ---- natives ----

static void delete_native(void* self, int flags) {
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    EXPECT(((TVMFFIObject*)self)->__padding == 0);
    note(SS_die);
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) {
    __atomic_fetch_sub(&live_natives, 1, __ATOMIC_RELAXED);
    free(self);
  }
}

// Has one strong reference for each thread and, with `with_weak`, a weak one for the thread that ends the round.
static Native* make_native(int is_stateful, int with_weak) {
  Native* native = calloc(1, sizeof(Native));
  native->object.combined_ref_count = (with_weak ? 2ull << 32 : 1ull << 32) | THREADS;
  native->object.type_index = kTVMFFIDynObjectBegin;
  native->object.deleter = delete_native;
  native->stateful = is_stateful;
  __atomic_fetch_add(&live_natives, 1, __ATOMIC_RELAXED);
  return native;
}

static void release_weak(Native* native) {
  uint64_t before = __atomic_fetch_sub(&native->object.combined_ref_count, 1ull << 32, __ATOMIC_ACQ_REL);
  EXPECT(before == 1ull << 32);
  native->object.deleter(native, kTVMFFIObjectDeleterFlagBitMaskWeak);
}

// ---- the operations of a thread on a native object ----

static SsWrapper* take(Native* native) {
  ss_incref(&native->object);
  return fetch(native);
}

// Native code counts Python: each of a wrapper that was fetched, unless another thread has moved its handle away, and of
// this thread's own reference.
static void expect_counted(SsWrapper* wrapper) {
  TVMFFIObject* handle = ss_pin_as_is(wrapper);
  if (handle == NULL) return;
  EXPECT(!(ss_flags(wrapper) & SS_HELD) && ss_strong(handle) >= 2);
  ss_unpin_as_is(wrapper);
}

// A stateful object that each thread has a reference to keeps its first wrapper, and so its state, unless a thread moves it.
static void expect_kept(Native* native, SsWrapper* wrapper) {
  SsWrapper* none = NULL;
  if (!native->stays) return;
  if (!__atomic_compare_exchange_n(&native->first, &none, wrapper, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    EXPECT(none == wrapper);
  }
}

static void fetch_twice(Native* native) {
  SsWrapper* first = take(native);
  expect_counted(first);
  expect_kept(native, first);
  if (chance(8) == 0) let_others_run();
  SsWrapper* second = take(native);
  // One wrapper per native object, unless another thread moved the first one away before the second fetch.
  EXPECT(second == first || (ss_flags(first) & SS_MOVED));
  Py_DECREF(&second->ob_base);
  Py_DECREF(&first->ob_base);
}

// As code that makes a strong reference from a weak one, which nobody sees: the wrapper may be held, and own no reference to
// the native object, of which the other threads' are released at the same time. The end of the round uses it.
static __thread SsWrapper* remembered;
static void remember(Native* native) {
  SelfsameTieRecord* record = SelfsameTieFind(table, &native->object);
  if (remembered != NULL || !native->stateful || record == NULL) return;
  uintptr_t word = ss_word_lock(record);
  if (ss_word_is_active(word) && ss_try_incref(ss_word_block(word))) remembered = ss_wrapper(ss_word_block(word));
  ss_word_unlock(record, word);
}

static void use_remembered(void) {
  if (remembered == NULL) return;
  TVMFFIObject* handle = ss_pin(remembered);
  if (handle != NULL) {
    ss_incref(handle);  // a callee that copies a reference and drops it
    if (chance(4) == 0) let_others_run();
    ss_decref(handle);
    ss_unpin(remembered);
  }
  Py_DECREF(&remembered->ob_base);
  remembered = NULL;
}

static void use(Native* native) {
  SsWrapper* wrapper = take(native);
  TVMFFIObject* handle = ss_pin(wrapper);
  if (handle != NULL) {
    if (chance(4) == 0) let_others_run();
    EXPECT(handle == &native->object && __atomic_load_n(&wrapper->handle, __ATOMIC_ACQUIRE) == handle);
    ss_unpin(wrapper);
  }
  Py_DECREF(&wrapper->ob_base);
}

// Moves the handle out of the wrapper, and then sometimes constructs it again.
static void move(Native* native) {
  SsWrapper* wrapper = take(native);
  if (ss_pin(wrapper) == NULL) {
    // Another thread has moved it away.
  } else if (!ss_claim(wrapper)) {
    ss_unpin(wrapper);
  } else {
    SelfsameTieRecord* record = SelfsameTieFind(table, wrapper->handle);
    TVMFFIObject* object = ss_word_unbind(record, wrapper);
    EXPECT(object == &native->object);
    if (chance(3) == 0) let_others_run();
    if (chance(2) == 0 || ss_word_construct(record, wrapper, object) != 0) ss_decref(object);
  }
  Py_DECREF(&wrapper->ob_base);
}

static void step(Native* native) {
  switch (chance(10)) {
    case 0:
      if (!native->stays) move(native);
      break;
    case 1:
      __atomic_store_n(&registered, chance(2) ? &plain : &derived, __ATOMIC_RELAXED);
      break;
    case 2:
    case 3:
      use(native);
      break;
    case 4:
      remember(native);
      break;
    default:
      fetch_twice(native);
  }
}

static void* run(void* argument) {
  int64_t* options = argument;
  random_state = (uint64_t)options[1] * 2654435761u + (uintptr_t)&random_state;
  for (int64_t round = 0; round < options[0]; round++) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      for (int i = 0; i < NATIVES; i++) {
        natives[i] = make_native(i % 2, i % 3 == 0);
        natives[i]->stays = i == 1 || i == 3;
      }
    }
    pthread_barrier_wait(&barrier);
    enter();
    for (int i = 0; i < STEPS; i++) {
      step(natives[chance(NATIVES)]);
      if (chance(4) == 0) let_others_run();
    }
    int as_native = chance(2) == 0;
    if (as_native) leave();
    for (int i = 0; i < NATIVES; i++) {
      // This thread's reference goes to a wrapper or is released, so either may be the last one.
      if (!as_native && chance(2) == 0) {
        Py_DECREF(&fetch(natives[i])->ob_base);
      } else {
        ss_decref(&natives[i]->object);
      }
    }
    if (as_native) enter();
    use_remembered();
    leave();
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
      enter();  // drains the deferred releases
      leave();
      for (int i = 0; i < NATIVES; i += 3) release_weak(natives[i]);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  int64_t options[2] = {argc > 1 ? atoll(argv[1]) : 300, argc > 2 ? atoll(argv[2]) : (int64_t)time(NULL)};
  printf("rounds %lld seed %lld\n", (long long)options[0], (long long)options[1]);
  table = ss_tie_own_table();
  table->set_reclaim(reclaim);
  table->set_hand_back(hand_back);
  pthread_barrier_init(&barrier, NULL, THREADS);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, run, options);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  enter();
  leave();
  int wrong = 0;
  for (int i = 0; i < SS_TRANSITION_COUNT; i++) {
    printf("%-13s %lld\n", row_name[i], (long long)transitions[i]);
    wrong += transitions[i] == 0;
  }
  int64_t left[] = {
      live_natives,     live_wrappers, table->live_records(), ss_counted(SS_COUNT_LIVE), ss_counted(SS_COUNT_HELD),
      ss_counted_kept()};
  static const char* const names[] = {"natives", "wrappers", "records", "live", "held", "kept"};
  for (int i = 0; i < 6; i++) {
    printf("%-13s %lld\n", names[i], (long long)left[i]);
    wrong += left[i] != 0;
  }
  return wrong != 0;
}
