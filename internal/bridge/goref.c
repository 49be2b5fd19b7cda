// What C keeps of Go: a number. When the object that keeps it dies, on whatever thread, the number goes into a list
// that Go empties later; no death waits for Go.
#include <pthread.h>
#include <stdlib.h>

#include "bridge.h"
#include "selfsame/internal/refcount.h"

struct ss_front_token {
  struct ss_front_token* next;
  uint64_t id;
};

typedef ss_front_token token;

static token* dead;
static int forked;

static void after_fork_in_child(void) { __atomic_store_n(&forked, 1, __ATOMIC_RELAXED); }

__attribute__((constructor)) static void watch_fork(void) { pthread_atfork(NULL, NULL, after_fork_in_child); }

ss_front_token* ss_front_new_token(uint64_t id) {
  token* made = malloc(sizeof(token));
  if (made == NULL) {
    ss_front_raise("MemoryError", "No memory to keep a Go value");
  } else {
    made->id = id;
  }
  return made;
}

void ss_front_bury(void* self) {
  token* gone = self;
  gone->next = __atomic_load_n(&dead, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&dead, &gone->next, gone, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

int ss_front_has_dead(void) { return __atomic_load_n(&dead, __ATOMIC_RELAXED) != NULL; }

int32_t ss_front_take_dead(uint64_t* ids, int32_t n) {
  token* list = __atomic_exchange_n(&dead, NULL, __ATOMIC_ACQUIRE);
  int32_t taken = 0;
  while (list != NULL && taken < n) {
    token* next = list->next;
    ids[taken++] = list->id;
    free(list);
    list = next;
  }
  while (list != NULL) {  // more than asked for: back into the list
    token* next = list->next;
    ss_front_bury(list);
    list = next;
  }
  return taken;
}

static int invoke(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (__atomic_load_n(&forked, __ATOMIC_RELAXED)) {
    return ss_front_raise(
        "RuntimeError",
        "A Go function was called in a forked child, where Go cannot run: use the spawn or forkserver "
        "start method");
  }
  if (num_args < 0 || (num_args > 0 && args == NULL) || result == NULL) {
    return ss_front_raise("ValueError", "A Go function was called with %s",
                          result == NULL ? "no place for its result" : "a wrong array of arguments");
  }
  return ssgo_front_invoke(((token*)self)->id, (TVMFFIAny*)args, num_args, result);
}

int ss_front_function(uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  token* self = ss_front_new_token(id);
  if (self == NULL) return ss_front_fail(error);
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(self, invoke, ss_front_bury, &function) != 0) {
    free(self);
    return ss_front_fail(error);
  }
  *out = function;
  return 0;
}

typedef struct {
  TVMFFIObject header;
  const void* owner;  // &dead of the library that made it: several Go libraries share one class
  token* kept;
} keeper;

static void delete_keeper(void* self, int flags) {
  keeper* object = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) ss_front_bury(object->kept);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

int ss_front_keeper(int32_t type_index, uint64_t id, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  token* kept = ss_front_new_token(id);
  if (kept == NULL) return ss_front_fail(error);
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  keeper* object = allocator->allocate(sizeof(keeper), _Alignof(keeper), type_index, allocator->context);
  if (object == NULL) {
    free(kept);
    ss_front_raise("MemoryError", "No memory to keep a Go value");
    return ss_front_fail(error);
  }
  ss_object_init(object, type_index, delete_keeper);
  object->owner = &dead;
  object->kept = kept;
  *out = object;
  return 0;
}

uint64_t ss_front_keeper_id(const TVMFFIObject* object, int32_t type_index) {
  if (object == NULL || object->type_index != type_index) return 0;
  const keeper* kept = (const keeper*)object;
  return kept->owner == &dead ? kept->kept->id : 0;
}
