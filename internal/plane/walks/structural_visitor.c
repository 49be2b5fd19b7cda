// The parts that structural visitors and mutators share: see structural_visitor.h.
#include "structural_visitor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/raise.h"
#include "core/reflected_object.h"
#include "selfsame/internal/error_links.h"
#include "selfsame/internal/thread_stack.h"
#include "collections/sequence.h"
#include "structural_callbacks.h"
#include "core/type_table.h"
#include "core/teardown.h"

const char* ss_walk_key(int32_t type_index) {
  const SsType* type = ss_type_at(type_index);
  return type == NULL ? "unregistered type" : type->info.type_key.data;
}

int32_t ss_walk_class(int32_t* cache, const char* type_key) {
  int32_t index = __atomic_load_n(cache, __ATOMIC_RELAXED);
  if (index != 0) return index;
  TVMFFIByteArray key = {type_key, strlen(type_key)};
  index = ss_type_by_key(&key);
  __atomic_store_n(cache, index, __ATOMIC_RELAXED);
  return index;
}

// ---- outcomes ----------------------------------------------------------------------------------------------

TVMFFIAny ss_raised_value(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIAny value = ss_none_value();
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) {
    ss_raise("InternalError", "a function failed without an error");
    TVMFFIErrorMoveFromRaised(&error);
  }
  ss_set_object(&value, error);
  return value;
}

int ss_outcome(TVMFFIAny outcome, TVMFFIAny* result) {
  if (!ss_is_error(outcome)) {
    *result = outcome;
    return 0;
  }
  TVMFFIErrorSetRaised(outcome.v_obj);
  ss_any_clear(&outcome);
  return -1;
}

TVMFFIAny ss_visit_outcome(TVMFFIAny result, const char* wanted) {
  static int32_t interrupt;
  if (result.type_index == kTVMFFINone || ss_is_error(result) ||
      result.type_index == ss_walk_class(&interrupt, "ffi.VisitInterrupt")) {
    return result;
  }
  ss_raise("TypeError", "CallExpected: result type mismatch, expected %s, but got %s", wanted,
           ss_walk_key(result.type_index));
  ss_any_clear(&result);
  return ss_raised_value();
}

// A VisitErrorContext: the objects on the path to the place of an error.
typedef struct {
  TVMFFIObject header;     // counts, type index and deleter
  TVMFFIObject* reversed;  // owned List, the innermost object first
  TVMFFIObject* previous;  // owned: the error's extra context before this one, or NULL
} ErrorContext;

// Returns the List of an Error's context, which it makes when there is none; NULL when memory runs out, raised, or when
// the context has no List, or the Error no place for one.
static TVMFFIObject* context_list(TVMFFIErrorCell* error) {
  static int32_t class;
  int32_t type_index = ss_walk_class(&class, "ffi.VisitErrorContext");
  if (!ss_error_has_links(error, error->kind.data)) return NULL;
  TVMFFIObject* extra = error->extra_context;
  if (extra != NULL && extra->type_index == type_index) return ((ErrorContext*)extra)->reversed;
  const SsType* type = ss_type_at(type_index);
  TVMFFIObject* list = type == NULL ? NULL : ss_list_new(4);
  if (list == NULL) return NULL;
  ErrorContext* made = ss_reflected_new(&type->info, sizeof(ErrorContext));
  if (made == NULL) {
    ss_xdecref(list);
    return NULL;
  }
  made->reversed = list;
  made->previous = extra;
  error->extra_context = &made->header;
  return list;
}

void ss_error_passes(TVMFFIAny error, TVMFFIAny value) {
  if (!ss_is_object_value(value)) return;
  TVMFFIObject* list = context_list((TVMFFIErrorCell*)(error.v_obj + 1));
  if (list != NULL) {
    ss_retain(value);
    if (ss_sequence_append(list, value) == 0) return;
  }
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  ss_xdecref(raised);
}

// ---- the stack ---------------------------------------------------------------------------------------------

// Where a walk must stop. Not in a thread-local variable: each copy of the library in a forked child would take room for
// it from the few that the loader has for such variables.
static pthread_key_t key;  // the calling thread's SsStackReserve, freed when the thread ends
static int has_key;

__attribute__((constructor)) static void make_key(void) { has_key = pthread_key_create(&key, free) == 0; }

// Returns the calling thread's reserve. NULL without memory.
static const SsStackReserve* find_reserve(void) {
  SsStackReserve* reserve = malloc(sizeof(SsStackReserve));
  if (reserve == NULL) return NULL;
  *reserve = ss_stack_reserve();
  if (pthread_setspecific(key, reserve) == 0) return reserve;
  free(reserve);
  return NULL;
}

int ss_walk_has_stack(const char* walk) {
  const SsStackReserve* reserve = has_key ? pthread_getspecific(key) : NULL;
  if (reserve == NULL && has_key) reserve = find_reserve();
  if (reserve == NULL || !ss_in_stack_reserve(reserve)) return 1;
  ss_raise("RecursionError", "%s: maximum depth exceeded: the values are nested too deep for the thread's stack", walk);
  return 0;
}

// ---- walks that run here -----------------------------------------------------------------------------------

static void clear(void* self) {
  SsOwnWalk* w = self;
  SsLink* links = w->links;
  TVMFFIAny* replacements = w->replacements;
  int32_t n = w->num_links;
  size_t replaced = w->variables.used;
  w->links = NULL;
  w->replacements = NULL;
  w->num_links = 0;
  ss_object_table_clear(&w->variables);
  for (int32_t i = 0; i < n; i++) ss_xdecref(links[i].function);
  for (size_t i = 0; i < replaced; i++) ss_any_clear(&replacements[i]);
  free(links);
  free(replacements);
}

static void delete_walk(void* self, int flags) { ss_delete_owner(self, flags, delete_walk, clear); }

SsOwnWalk* ss_walk_new(const char* type_key, const void* table, const char* walk, const char* class) {
  TVMFFIByteArray key = {type_key, strlen(type_key)};
  int32_t type_index = ss_type_by_key(&key);
  SsOwnWalk* w = ss_object_space(sizeof(SsOwnWalk), _Alignof(SsOwnWalk), type_index);
  if (w == NULL) return NULL;
  memset(w, 0, sizeof(*w));
  ss_object_init(w, type_index, delete_walk);
  w->base.table = table;
  w->walk = walk;
  w->class = class;
  w->use = SS_USE_RUNNING;
  return w;
}

void ss_walk_end(SsOwnWalk* w) {
  // A thread that still uses the walk holds a reference to it, and reads what `clear` would free.
  if (__atomic_exchange_n(&w->use, SS_USE_ENDED, __ATOMIC_ACQ_REL) != SS_USE_SHARED) clear(w);
  ss_xdecref(&w->base.header);
}

// Raises the error for a walk that the calling thread may not use.
static void refuse(const SsOwnWalk* w, int32_t use) {
  ss_raise("RuntimeError",
           use == SS_USE_ENDED ? "a %s was used after its walk had ended" : "a %s was used by two threads at once",
           w->class);
}

// Takes a walk that waits. Returns 0 raised when it does not.
static int take(SsOwnWalk* w, int32_t* use) {
  *use = SS_USE_WAITING;
  if (__atomic_compare_exchange_n(&w->use, use, SS_USE_RUNNING, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 1;
  refuse(w, *use);
  return 0;
}

int ss_walk_resume(SsOwnWalk* w) {
  int32_t use;
  return take(w, &use);
}

void ss_walk_suspend(SsOwnWalk* w) {
  int32_t use = SS_USE_RUNNING;  // unless the walk gave up on this thread
  __atomic_compare_exchange_n(&w->use, &use, SS_USE_WAITING, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void ss_walk_leave(SsOwnWalk* w) {
  if (w != NULL) ss_walk_suspend(w);
}

TVMFFIAny ss_walk_left(SsOwnWalk* w, TVMFFIAny outcome) {
  int32_t use;
  if (w == NULL || take(w, &use)) return outcome;
  // Another thread uses the walk, or has used it up. A thread that still uses it must not go on as if it were alone.
  if (use == SS_USE_RUNNING) {
    __atomic_compare_exchange_n(&w->use, &use, SS_USE_SHARED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  ss_any_clear(&outcome);
  return ss_raised_value();
}

// ---- callbacks ---------------------------------------------------------------------------------------------

static int is_int(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool;
}

// The elements of the tuple i, or NULL when it is none of `size` fitting elements.
static const TVMFFIAny* tuple_at(const TVMFFISeqCell* cell, int64_t i, int size) {
  const TVMFFIAny* tuple = (const TVMFFIAny*)cell->data + i;
  if (tuple->type_index != kTVMFFIArray) return NULL;
  const TVMFFISeqCell* items = (const TVMFFISeqCell*)(tuple->v_obj + 1);
  const TVMFFIAny* item = items->data;
  if (items->size != size || !is_int(&item[0]) || item[1].type_index != kTVMFFIFunction) return NULL;
  return size == 2 || is_int(&item[2]) ? item : NULL;
}

int ss_links_fit(const TVMFFIAny* links, int size) {
  if (links->type_index != kTVMFFIArray && links->type_index != kTVMFFIList) return 0;
  if (links->v_obj == NULL) return 0;
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(links->v_obj + 1);
  for (int64_t i = 0; i < cell->size; i++) {
    if (tuple_at(cell, i, size) == NULL) return 0;
  }
  return 1;
}

int ss_walk_add_links(SsOwnWalk* w, const TVMFFIAny* links, int size, int with_region) {
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(links->v_obj + 1);
  int64_t n = cell->size;
  if (n == 0) return 0;
  if (n > INT32_MAX / 2 - w->num_links) return ss_raise_no_memory(w->walk);
  SsLink* more = realloc(w->links, (size_t)(w->num_links + n) * sizeof(SsLink));
  if (more == NULL) return ss_raise_no_memory(w->walk);
  w->links = more;
  for (int64_t i = 0; i < n; i++) {
    const TVMFFIAny* item = tuple_at(cell, i, size);
    if (item == NULL) return ss_raise("TypeError", "%s: a callback must be an Array of %d elements", w->walk, size);
    SsLink* link = &w->links[w->num_links++];
    link->type_index = (int32_t)item[0].v_int64;
    link->with_region = with_region != 0;
    link->with_mode = size == 3 && item[2].v_int64 != 0;
    link->function = item[1].v_obj;
    ss_incref(link->function);
  }
  return 0;
}

static int is_subtype(int32_t type_index, int32_t base_index) {
  const SsType *type = ss_type_at(type_index), *base = ss_type_at(base_index);
  if (type == NULL || base == NULL || base->info.type_depth >= type->info.type_depth) return 0;
  return type->info.type_ancestors[base->info.type_depth] == &base->info;
}

static int matches(int32_t wanted, int32_t type_index) {
  if (type_index == wanted) return 1;
  switch (wanted) {
    case kTVMFFIAny:
      return 1;
    case kTVMFFIStr:
      return type_index == kTVMFFISmallStr;
    case kTVMFFIBytes:
      return type_index == kTVMFFISmallBytes;
    case kTVMFFIObject:
      return type_index >= kTVMFFIStaticObjectBegin;
    default:
      return wanted >= kTVMFFIStaticObjectBegin && type_index > wanted && is_subtype(type_index, wanted);
  }
}

const SsLink* ss_walk_link(const SsOwnWalk* w, int32_t type_index) {
  for (int32_t i = 0; i < w->num_links; i++) {
    if (matches(w->links[i].type_index, type_index)) return &w->links[i];
  }
  return NULL;
}

TVMFFIAny ss_walk_call(SsOwnWalk* w, TVMFFIObject* function, const TVMFFIAny* args, int32_t n) {
  TVMFFIAny result = ss_none_value();
  ss_walk_leave(w);
  int rc = ((TVMFFIFunctionCell*)(function + 1))->safe_call(function, args, n, &result);
  return ss_walk_left(w, rc == 0 ? result : ss_raised_value());
}

// ---- what a callback does with a visitor or mutator --------------------------------------------------------

int32_t ss_walker_region(const TVMFFIObject* walker) { return ((const SsWalker*)walker)->region; }

int ss_walker_with_region(TVMFFIObject* walker, int64_t region, TVMFFIObject* function, TVMFFIAny* result) {
  SsWalker* w = (SsWalker*)walker;
  int32_t was = w->region;
  if (was != SS_REGION_PATTERN) w->region = (int32_t)region;
  ss_set_none(result);
  int rc = ((TVMFFIFunctionCell*)(function + 1))->safe_call(function, NULL, 0, result);
  w->region = was;
  return rc == 0 ? 0 : -1;
}
