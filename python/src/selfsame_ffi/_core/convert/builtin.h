// Functions of the runtime that the core itself uses, found by name once.
#ifndef SELFSAME_PY_BUILTIN_H_
#define SELFSAME_PY_BUILTIN_H_

#include "tie/core.h"

typedef enum {
  SS_FN_LIST,
  SS_FN_LIST_RESERVE,
  SS_FN_MAP,
  SS_FN_MAP_GET,
  SS_FN_MAP_COUNT,
  SS_FN_MAP_ITERATOR,
  SS_FN_DICT,
  SS_FN_DICT_GET,
  SS_FN_DICT_COUNT,
  SS_FN_DICT_ITERATOR,
  SS_FN_DICT_SET,
  SS_FN_DICT_ERASE,
  SS_FN_DICT_CLEAR,
  SS_FN_SHAPE,
  SS_FN_EQUAL,
  SS_FN_HASH,
  SS_FN_REPR,
  SS_FN_MISSING,
  SS_FN_COUNT,
} SsBuiltin;

// The function, kept for good. Borrowed; NULL with RuntimeError set when the runtime has none of that name.
SS_HIDDEN TVMFFIObject* ss_builtin(SsBuiltin which);

// Calls it without releasing the GIL: these take about as long as releasing the lock would. *result:
// owned, none on failure. 0, or -1 with an error set.
SS_HIDDEN int ss_call_builtin(SsBuiltin which, TVMFFIAny* views, int32_t count, TVMFFIAny* result);

#endif  // SELFSAME_PY_BUILTIN_H_
