// Builtin functions of the runtime that the core itself calls. Each is looked up by name once.
#ifndef SELFSAME_CORE_CONVERT_BUILTIN_H_
#define SELFSAME_CORE_CONVERT_BUILTIN_H_

#include "tie/core.h"

typedef enum {
  SS_BUILTIN_LIST,
  SS_BUILTIN_LIST_RESERVE,
  SS_BUILTIN_MAP,
  SS_BUILTIN_MAP_GET,
  SS_BUILTIN_MAP_COUNT,
  SS_BUILTIN_DICT,
  SS_BUILTIN_DICT_GET,
  SS_BUILTIN_DICT_COUNT,
  SS_BUILTIN_DICT_SET,
  SS_BUILTIN_DICT_ERASE,
  SS_BUILTIN_DICT_CLEAR,
  SS_BUILTIN_SHAPE,
  SS_BUILTIN_EQUAL,
  SS_BUILTIN_HASH,
  SS_BUILTIN_REPR,
  SS_BUILTIN_DEEP_COPY,
  SS_BUILTIN_MISSING,
  SS_BUILTIN_FIELD_GETTER,
  SS_BUILTIN_FIELD_SETTER,
  SS_BUILTIN_COUNT,
} SsBuiltin;

// The function. Borrowed: it is kept for the life of the process. NULL with RuntimeError set when the runtime has none
// of that name.
SS_HIDDEN TVMFFIObject* ss_builtin(SsBuiltin which);

// Calls the function without releasing the GIL: these functions take less time than releasing it. *result: owned, None
// on failure. 0, or -1 with an error set.
SS_HIDDEN int ss_call_builtin(SsBuiltin which, TVMFFIAny* views, int32_t count, TVMFFIAny* result);

#endif  // SELFSAME_CORE_CONVERT_BUILTIN_H_
