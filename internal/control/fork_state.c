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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // guards both tables; no reference is released under it
static ModuleNode* systems;

// The modules that are kept alive, in chains by their addresses: a program may load a library many times.
static struct {
  ModuleNode** heads;
  size_t size, used;  // size is 0 or a power of two
} globals;

static ModuleNode* node_new(TVMFFIObject* module, const char* prefix, ModuleNode* next) {
  ModuleNode* node = malloc(sizeof(ModuleNode) + strlen(prefix) + 1);
  if (node == NULL) return NULL;
  node->next = next;
  node->module = module;
  strcpy(node->prefix, prefix);  // NOLINT: there is room
  ss_incref(module);
  return node;
}

static ModuleNode** chain_of(ModuleNode** heads, size_t size, const TVMFFIObject* module) {
  uint64_t spread = (uint64_t)((uintptr_t)module >> 4) * UINT64_C(0x9e3779b97f4a7c15);
  return &heads[(spread >> 32) & (size - 1)];
}

// Makes the chains shorter. Without memory they stay as long as they are.
static void grow_globals_locked(void) {
  size_t size = globals.size == 0 ? 16 : 2 * globals.size;
  ModuleNode** heads = calloc(size, sizeof(ModuleNode*));
  if (heads == NULL) return;
  for (size_t i = 0; i < globals.size; i++) {
    for (ModuleNode *node = globals.heads[i], *next; node != NULL; node = next) {
      ModuleNode** chain = chain_of(heads, size, node->module);
      next = node->next;
      node->next = *chain;
      *chain = node;
    }
  }
  free(globals.heads);
  globals.heads = heads;
  globals.size = size;
}

// Where the pointer to a module's node is, or is to be; there must be chains.
static ModuleNode** global_locked(const TVMFFIObject* module) {
  ModuleNode** at = chain_of(globals.heads, globals.size, module);
  while (*at != NULL && (*at)->module != module) at = &(*at)->next;
  return at;
}

static int add_global_locked(TVMFFIObject* module) {
  if (globals.used >= globals.size) grow_globals_locked();
  if (globals.size == 0) return 0;
  ModuleNode** at = global_locked(module);
  if (*at != NULL) return 1;
  *at = node_new(module, "", NULL);
  globals.used += *at != NULL;
  return *at != NULL;
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
  ModuleNode** at = globals.size == 0 ? &found : global_locked(module);
  found = *at;
  if (found != NULL) {
    *at = found->next;
    globals.used--;
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
