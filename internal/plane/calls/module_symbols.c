// Both tables may be filled by a library's static constructor, before the runtime has started: they use no Go.
#include "module_symbols.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fork.h"
#include "core/name_table.h"
#include "core/raise.h"
#include "core/shown.h"

// Guards registration in both tables. Readers take no lock.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ss_module_symbols_fork_prepare(void) { pthread_mutex_lock(&lock); }
void ss_module_symbols_fork_parent(void) { pthread_mutex_unlock(&lock); }
void ss_module_symbols_fork_child(void) { pthread_mutex_init(&lock, NULL); }

// ---- context symbols -----------------------------------------------------------------------------------

static SsContextSymbol* first;
static SsContextSymbol** end = &first;

const SsContextSymbol* ss_context_symbols(void) { return __atomic_load_n(&first, __ATOMIC_ACQUIRE); }

const SsContextSymbol* ss_context_symbol_next(const SsContextSymbol* symbol) {
  return __atomic_load_n(&symbol->next, __ATOMIC_ACQUIRE);
}

int TVMFFIEnvModRegisterContextSymbol(const char* name, void* symbol) {
  if (!ss_check_ptr(name, "TVMFFIEnvModRegisterContextSymbol", "name")) return -1;
  size_t size = strlen(name) + 1;
  SsContextSymbol* entry = malloc(sizeof(SsContextSymbol) + size);
  if (entry == NULL) return ss_raise_no_memory("a context symbol");
  entry->next = NULL;
  entry->symbol = symbol;
  memcpy(entry->name, name, size);
  pthread_mutex_lock(&lock);
  __atomic_store_n(end, entry, __ATOMIC_RELEASE);
  end = &entry->next;
  pthread_mutex_unlock(&lock);
  return 0;
}

// ---- system library symbols --------------------------------------------------------------------------------

typedef struct {
  SsNameNode node;  // name and hash, in the table of symbols
  void* address;    // of the symbol; the program keeps it valid
} SystemSymbol;

static SsNameTable system_symbols;

static SystemSymbol* find(const TVMFFIByteArray* name) {
  SsNameNode* node = ss_name_table_find(&system_symbols, name);
  return node == NULL ? NULL : (SystemSymbol*)((char*)node - offsetof(SystemSymbol, node));
}

void* ss_system_symbol(const char* name) {
  TVMFFIByteArray key = {name, strlen(name)};
  SystemSymbol* found = find(&key);
  return found == NULL ? NULL : __atomic_load_n(&found->address, __ATOMIC_ACQUIRE);
}

static int register_locked(const TVMFFIByteArray* key, void* address) {
  SystemSymbol* known = find(key);
  if (known != NULL) {
    if (known->address != address) {
      fputs("Warning: the system library's symbol ", stderr);
      ss_print_shown(stderr, key->data, key->size);
      fprintf(stderr, " moves from %p to %p\n", known->address, address);
    }
    __atomic_store_n(&known->address, address, __ATOMIC_RELEASE);
    return 0;
  }
  SystemSymbol* entry = calloc(1, sizeof(SystemSymbol));
  if (entry == NULL) return ss_raise_no_memory("a system library symbol");
  entry->address = address;
  if (ss_name_table_insert(&system_symbols, &entry->node, key) != 0) {
    free(entry);
    return -1;
  }
  return 0;
}

int TVMFFIEnvModRegisterSystemLibSymbol(const char* name, void* symbol) {
  if (!ss_check_ptr(name, "TVMFFIEnvModRegisterSystemLibSymbol", "name")) return -1;
  TVMFFIByteArray key = {name, strlen(name)};
  pthread_mutex_lock(&lock);
  int rc = register_locked(&key, symbol);
  pthread_mutex_unlock(&lock);
  return rc;
}
