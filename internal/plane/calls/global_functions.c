// Global functions by name. Finding a name takes no lock. Taking a reference to its function takes one of STRIPES
// mutexes, so that no other thread can remove and free the function between the load and the increment.
#include "global_functions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/fork.h"
#include "core/name_table.h"
#include "core/raise.h"
#include "selfsame/internal/refcount.h"
#include "core/startup.h"
#include "core/type_table.h"

#define STRIPES 16

static SsNameTable names;
static pthread_mutex_t stripes[STRIPES] = {[0 ... STRIPES - 1] = PTHREAD_MUTEX_INITIALIZER};
static uint64_t last_order;

static pthread_mutex_t* lock_of(const SsGlobalName* name) { return &stripes[(name->node.hash >> 32) % STRIPES]; }

void ss_names_fork_prepare(void) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_lock(&stripes[i]);
}

void ss_names_fork_parent(void) {
  for (int i = STRIPES - 1; i >= 0; i--) pthread_mutex_unlock(&stripes[i]);
}

void ss_names_fork_child(void) {
  for (int i = 0; i < STRIPES; i++) pthread_mutex_init(&stripes[i], NULL);
}

SsGlobalName* ss_name_find(const TVMFFIByteArray* name) {
  SsNameNode* node = ss_name_table_find(&names, name);
  return node == NULL ? NULL : (SsGlobalName*)((char*)node - offsetof(SsGlobalName, node));
}

TVMFFIObject* ss_name_function(SsGlobalName* name) {
  pthread_mutex_t* lock = lock_of(name);
  pthread_mutex_lock(lock);
  TVMFFIObject* function = name->function;
  if (function != NULL) ss_incref(function);
  pthread_mutex_unlock(lock);
  return function;
}

int ss_name_in_use(SsGlobalName* name) {
  pthread_mutex_t* lock = lock_of(name);
  pthread_mutex_lock(lock);
  int in_use = name->function != NULL;
  pthread_mutex_unlock(lock);
  return in_use;
}

// Replaces the function of a name. The caller owns the returned old one, and the table takes over `function`.
static TVMFFIObject* swap_function(SsGlobalName* name, TVMFFIObject* function) {
  pthread_mutex_t* lock = lock_of(name);
  pthread_mutex_lock(lock);
  TVMFFIObject* old = name->function;
  name->function = function;
  pthread_mutex_unlock(lock);
  return old;
}

static SsGlobalName* name_add(const TVMFFIByteArray* key) {
  SsGlobalName* name = calloc(1, sizeof(SsGlobalName));
  if (name == NULL) {
    ss_raise_no_memory("a global function");
    return NULL;
  }
  if (ss_name_table_insert(&names, &name->node, key) != 0) {
    free(name);
    return NULL;
  }
  return name;
}

static int name_put_locked(const TVMFFIByteArray* key, TVMFFIObject* function, const TVMFFIMethodInfo* info,
                           TVMFFIObject** old) {
  *old = NULL;
  TVMFFIMethodInfo kept = {.flags = info->flags};
  if (ss_copy_text(&info->doc, &kept.doc) != 0 || ss_copy_text(&info->metadata, &kept.metadata) != 0) {
    free((void*)kept.doc.data);
    return -1;
  }
  SsGlobalName* name = ss_name_find(key);
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
  if (name->order == 0) name->order = ++last_order;  // replacing keeps the position in the order
  ss_incref(function);
  *old = swap_function(name, function);
  return 0;
}

int ss_name_put(const TVMFFIByteArray* key, TVMFFIObject* function, const TVMFFIMethodInfo* info, TVMFFIObject** old) {
  ss_tables_lock();
  int result = name_put_locked(key, function, info, old);
  ss_tables_unlock();
  return result;
}

int ss_name_replace(const TVMFFIByteArray* key, TVMFFIObject* function) {
  TVMFFIObject* old = NULL;
  ss_tables_lock();
  SsGlobalName* name = ss_name_find(key);
  int is_plain = name != NULL && name->function != NULL && name->info.doc.size == 0 && name->info.metadata.size == 0 &&
                 name->info.flags == kTVMFFIFieldFlagBitMaskIsStaticMethod;
  if (is_plain) {
    ss_incref(function);
    old = swap_function(name, function);
  }
  ss_tables_unlock();
  ss_xdecref(old);  // which may run any code
  return is_plain;
}

static TVMFFIObject* name_remove_locked(SsGlobalName* name) {
  name->order = 0;
  return swap_function(name, NULL);
}

TVMFFIObject* ss_name_remove(SsGlobalName* name) {
  ss_tables_lock();
  TVMFFIObject* result = name_remove_locked(name);
  ss_tables_unlock();
  return result;
}

static int by_order(const void* a, const void* b) {
  uint64_t x = (*(SsGlobalName* const*)a)->order, y = (*(SsGlobalName* const*)b)->order;
  return (x > y) - (x < y);
}

const TVMFFIByteArray* SelfsameGlobalName(TVMFFIObjectHandle function) {
  const SsGlobalName* first = NULL;
  ss_tables_lock();
  for (SsNameNode* node = names.newest; node != NULL && function != NULL; node = node->older) {
    const SsGlobalName* name = (SsGlobalName*)((char*)node - offsetof(SsGlobalName, node));
    if (name->function == function && (first == NULL || name->order < first->order)) first = name;
  }
  ss_tables_unlock();
  return first == NULL ? NULL : &first->node.key;
}

static int64_t names_list_locked(const TVMFFIByteArray** out) {
  size_t count = 0;
  SsGlobalName** found = malloc((names.count + 1) * sizeof(SsGlobalName*));
  TVMFFIByteArray* list = malloc((names.count + 1) * sizeof(TVMFFIByteArray));
  if (found == NULL || list == NULL) {
    free(found);
    free(list);
    return ss_raise_no_memory("a list of names");
  }
  for (SsNameNode* node = names.newest; node != NULL; node = node->older) {
    SsGlobalName* name = (SsGlobalName*)((char*)node - offsetof(SsGlobalName, node));
    if (name->order != 0) found[count++] = name;
  }
  qsort(found, count, sizeof(*found), by_order);
  for (size_t i = 0; i < count; i++) list[i] = found[i]->node.key;
  free(found);
  *out = list;
  return (int64_t)count;
}

int64_t ss_names_list(const TVMFFIByteArray** out) {
  *out = NULL;
  ss_tables_lock();
  int64_t count = names_list_locked(out);
  ss_tables_unlock();
  return count;
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const char function[] = "TVMFFIFunctionGetGlobal";
  if (!ss_check_ptr(out, function, "out")) return -1;
  *out = NULL;
  if (!ss_check_bytes(name, function, "name")) return -1;
  SsGlobalName* found = ss_name_find(name);
  if (found == NULL && ss_wait_ready()) found = ss_name_find(name);
  if (found == NULL && ss_too_early(function)) return -1;
  if (found != NULL) *out = ss_name_function(found);
  return 0;
}
