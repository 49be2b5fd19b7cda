// State of the Go code in C memory: see fork_state.h.
#include "fork_state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/fork.h"
#include "plane.h"

static SsGoState state;

SsGoState* ss_go_state(void) { return &state; }

// ---- modules
// ---------------------------------------------------------------------------------------------------------

typedef struct ModuleNode {
  struct ModuleNode* next;
  TVMFFIObject* module;
  char prefix[];  // of a system module
} ModuleNode;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // guards both lists; no reference is released under it
static ModuleNode *globals, *systems;

static ModuleNode* node_new(TVMFFIObject* module, const char* prefix, ModuleNode* next) {
  ModuleNode* node = malloc(sizeof(ModuleNode) + strlen(prefix) + 1);
  if (node == NULL) return NULL;
  node->next = next;
  node->module = module;
  strcpy(node->prefix, prefix);  // NOLINT: there is room
  ss_incref(module);
  return node;
}

static int add_global_locked(TVMFFIObject* module) {
  for (ModuleNode* node = globals; node != NULL; node = node->next) {
    if (node->module == module) return 1;
  }
  ModuleNode* made = node_new(module, "", globals);
  if (made != NULL) globals = made;
  return made != NULL;
}

int ss_global_module_add(TVMFFIObject* module) {
  pthread_mutex_lock(&lock);
  int added = add_global_locked(module);
  pthread_mutex_unlock(&lock);
  return added ? 0 : ss_raise_no_memory("a module");
}

int ss_global_module_remove(TVMFFIObject* module) {
  ModuleNode* found = NULL;
  pthread_mutex_lock(&lock);
  for (ModuleNode** at = &globals; *at != NULL; at = &(*at)->next) {
    if ((*at)->module != module) continue;
    found = *at;
    *at = found->next;
    break;
  }
  pthread_mutex_unlock(&lock);
  free(found);
  return found != NULL;
}

static TVMFFIObject* find_system_locked(const char* prefix) {
  for (ModuleNode* node = systems; node != NULL; node = node->next) {
    if (strcmp(node->prefix, prefix) == 0) return node->module;
  }
  return NULL;
}

TVMFFIObject* ss_system_module_find(const char* prefix) {
  pthread_mutex_lock(&lock);
  TVMFFIObject* found = find_system_locked(prefix);
  pthread_mutex_unlock(&lock);
  return found;
}

TVMFFIObject* ss_system_module_put(const char* prefix, TVMFFIObject* module) {
  pthread_mutex_lock(&lock);
  TVMFFIObject* known = find_system_locked(prefix);
  if (known == NULL) {
    ModuleNode* made = node_new(module, prefix, systems);
    if (made != NULL) {
      systems = made;
      known = module;
    }
  }
  pthread_mutex_unlock(&lock);
  if (known == NULL) ss_raise_no_memory("a module");
  return known;
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) { pthread_mutex_init(&lock, NULL); }

__attribute__((constructor)) static void watch_fork(void) {
  static SsForkHandlers handlers = {before_fork, in_parent, in_child, NULL};
  ss_add_fork_handlers(&handlers);
}
