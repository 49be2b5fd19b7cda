// Global functions by name. Finding a name takes no lock; taking a reference to the function behind it takes one of a
// few short locks, so that removing or replacing it at the same time cannot free it in between.
#include <stdlib.h>
#include <string.h>

#include "fork.h"
#include "plane.h"

#define STRIPES 16

static ss_map names;
static pthread_mutex_t stripes[STRIPES] = {[0 ... STRIPES - 1] = PTHREAD_MUTEX_INITIALIZER};
static uint64_t last_order;

static pthread_mutex_t* lock_of(const ss_name* name) { return &stripes[(name->node.hash >> 32) % STRIPES]; }

void ss_names_fork_prepare(void) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_lock(&stripes[i]);
}

void ss_names_fork_parent(void) {
  for (int i = STRIPES - 1; i >= 0; i--) pthread_mutex_unlock(&stripes[i]);
}

void ss_names_fork_child(void) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&stripes[i], NULL);
}

ss_name* ss_name_find(const TVMFFIByteArray* name) {
  ss_node* node = ss_map_find(&names, name);
  return node == NULL ? NULL : (ss_name*)((char*)node - offsetof(ss_name, node));
}

TVMFFIObject* ss_name_function(ss_name* name) {
  pthread_mutex_t* lock = lock_of(name);
  pthread_mutex_lock(lock);
  TVMFFIObject* function = name->function;
  if (function != NULL) ss_incref(function);
  pthread_mutex_unlock(lock);
  return function;
}

// Replaces the function behind a name and gives back the one before, with its reference.
static TVMFFIObject* swap_function(ss_name* name, TVMFFIObject* function) {
  pthread_mutex_t* lock = lock_of(name);
  pthread_mutex_lock(lock);
  TVMFFIObject* old = name->function;
  name->function = function;
  pthread_mutex_unlock(lock);
  return old;
}

static ss_name* name_add(const TVMFFIByteArray* key) {
  ss_name* name = calloc(1, sizeof(ss_name));
  if (name == NULL) {
    ss_raise_no_memory("a global function");
    return NULL;
  }
  if (ss_map_insert(&names, &name->node, key) != 0) {
    free(name);
    return NULL;
  }
  return name;
}

int ss_name_put(const TVMFFIByteArray* key, TVMFFIObject* function, const TVMFFIMethodInfo* info, TVMFFIObject** old) {
  *old = NULL;
  TVMFFIMethodInfo kept = {.flags = info->flags};
  if (ss_copy_text(&info->doc, &kept.doc) != 0 || ss_copy_text(&info->metadata, &kept.metadata) != 0) {
    free((void*)kept.doc.data);
    return -1;
  }
  ss_name* name = ss_name_find(key);
  if (name == NULL) name = name_add(key);
  if (name == NULL) {
    free((void*)kept.doc.data);
    free((void*)kept.metadata.data);
    return -1;
  }
  free((void*)name->info.doc.data);
  free((void*)name->info.metadata.data);
  kept.name = name->node.key;
  name->info = kept;
  if (name->order == 0) name->order = ++last_order;  // replacing keeps the place
  ss_incref(function);
  *old = swap_function(name, function);
  return 0;
}

TVMFFIObject* ss_name_remove(ss_name* name) {
  name->order = 0;
  return swap_function(name, NULL);
}

static int by_order(const void* a, const void* b) {
  uint64_t x = (*(ss_name* const*)a)->order, y = (*(ss_name* const*)b)->order;
  return (x > y) - (x < y);
}

int64_t ss_names_list(const TVMFFIByteArray** out) {
  *out = NULL;
  size_t count = 0;
  ss_name** found = malloc((names.count + 1) * sizeof(ss_name*));
  TVMFFIByteArray* list = malloc((names.count + 1) * sizeof(TVMFFIByteArray));
  if (found == NULL || list == NULL) {
    free(found);
    free(list);
    return ss_raise_no_memory("a list of names");
  }
  for (ss_node* node = names.newest; node != NULL; node = node->older) {
    ss_name* name = (ss_name*)((char*)node - offsetof(ss_name, node));
    if (name->order != 0) found[count++] = name;
  }
  qsort(found, count, sizeof(*found), by_order);
  for (size_t i = 0; i < count; i++) list[i] = found[i]->node.key;
  free(found);
  *out = list;
  return (int64_t)count;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char function[] = "TVMFFIFunctionGetGlobal";
  if (!ss_check_ptr(out, function, "out")) return -1;
  *out = NULL;
  if (!ss_check_bytes(name, function, "name")) return -1;
  ss_name* found = ss_name_find(name);
  if (found == NULL && ss_wait_ready()) found = ss_name_find(name);
  if (found == NULL && ss_too_early(function)) return -1;
  if (found != NULL) *out = ss_name_function(found);
  return 0;
}
