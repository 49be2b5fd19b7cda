// The log of registrations: see log.h.
#include "log.h"

#include <stdlib.h>
#include <string.h>

#include "bridge.h"

static SsLogged* last;  // atomic

SsLogged* ss_bridge_log(SsLoggedKind kind, int32_t type_index, uint64_t id, const char* name, size_t size) {
  SsLogged* entry = calloc(1, sizeof(*entry) + size);
  if (entry == NULL) return NULL;
  entry->kind = kind;
  entry->type_index = type_index;
  entry->id = id;
  entry->name_size = size;
  if (size > 0) memcpy(entry->name, name, size);
  entry->before = __atomic_load_n(&last, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&last, &entry->before, entry, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return entry;
}

SsLogged* ss_bridge_last_logged(void) { return __atomic_load_n(&last, __ATOMIC_ACQUIRE); }
