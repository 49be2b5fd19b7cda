// Finds the builtin functions in C by their names.
#include "builtins_fast.h"

#include <string.h>

#include "builtins_fast_call.h"

TVMFFISafeCallType ss_fast_function(const char* name, size_t size) {
  static const SsFastEntry* const lists[] = {ss_fast_sequences, ss_fast_maps,   ss_fast_objects, ss_fast_structural,
                                             ss_fast_recursive, ss_fast_walks,  ss_fast_modules, ss_fast_paths,
                                             ss_fast_registry,  ss_fast_loading};
  for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
    for (const SsFastEntry* entry = lists[i]; entry->name != NULL; entry++) {
      if (strlen(entry->name) == size && memcmp(entry->name, name, size) == 0) return entry->call;
    }
  }
  return NULL;
}

int ss_fast_call(const char* name, size_t size, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  uint32_t generation = ss_leave_go();
  TVMFFISafeCallType call = ss_fast_function(name, size);
  ss_set_none(result);
  int rc =
      call == NULL ? ss_raise("InternalError", "there is no such function in C") : call(NULL, args, num_args, result);
  ss_return_to_go(generation);
  return rc;
}

int ss_fall_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (self != NULL) return ss_closure_call(self, args, num_args, result);
  return ss_raise("InternalError", "the arguments of a builtin function do not fit it");
}
