// Finds the fast path of a builtin function by its name.
#include "builtins_fast.h"

#include <string.h>

#include "builtins_fast_call.h"

TVMFFISafeCallType ss_fast_function(const char* name, size_t size) {
  static const SsFastEntry* const lists[] = {ss_fast_sequences,  ss_fast_maps,      ss_fast_objects,
                                             ss_fast_structural, ss_fast_recursive, ss_fast_walks};
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    for (const SsFastEntry* entry = lists[i]; entry->name != NULL; entry++) {
      if (strlen(entry->name) == size && memcmp(entry->name, name, size) == 0) return entry->call;
    }
  }
  return NULL;
}
