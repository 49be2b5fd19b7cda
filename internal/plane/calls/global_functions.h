// The table of global functions (global_functions.c). Finding a name takes no lock; ss_name_function takes the name's
// own lock. The other functions that change or list names require the runtime's registration lock.
#ifndef SELFSAME_INTERNAL_PLANE_CALLS_GLOBAL_FUNCTIONS_H_
#define SELFSAME_INTERNAL_PLANE_CALLS_GLOBAL_FUNCTIONS_H_

#include "core/name_table.h"

#pragma GCC visibility push(hidden)

// An entry. It is never freed once published.
typedef struct {
  SsNameNode node;         // name and hash, in the table of names
  TVMFFIObject* function;  // owned; NULL after removal. Guarded by the name's lock, which the hash selects
  uint64_t order;          // grows with every registration; 0 after removal
  TVMFFIMethodInfo info;   // name, doc, metadata, flags of the registration (method: none)
} SsGlobalName;

SsGlobalName* ss_name_find(
    const TVMFFIByteArray* name);                    // registered or once registered; NULL when never; does not wait
TVMFFIObject* ss_name_function(SsGlobalName* name);  // new reference, or NULL. Any thread
int ss_name_in_use(SsGlobalName* name);              // whether it has a function. Any thread

// Puts `function` (borrowed, retained) under a name. Returns -1 with MemoryError raised, else 0. *old is the function
// it replaces, or NULL: the caller releases it after unlocking its locks, because the release may run any code.
int ss_name_put(const TVMFFIByteArray* name, TVMFFIObject* function, const TVMFFIMethodInfo* info, TVMFFIObject** old);
// Replaces the function of a name in use whose registration, like the new one, has nothing else. Returns 1, or 0 with
// nothing done. Any thread, without the registration lock: names, their order and their info stay as they are.
int ss_name_replace(const TVMFFIByteArray* name, TVMFFIObject* function);
// Removes the function from a name and gives its reference to the caller; NULL when there was none.
TVMFFIObject* ss_name_remove(SsGlobalName* name);
// The names in use in order of registration. The caller frees the array with free(). Returns the count, or -1 raised.
// Any thread, without the registration lock.
int64_t ss_names_list(const TVMFFIByteArray** out);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CALLS_GLOBAL_FUNCTIONS_H_
