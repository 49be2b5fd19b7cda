// The builtin functions that list the keys of all types and the names of all global functions: see builtins_fast.h. They
// have no other implementation. Their signatures: builtins.go, builtins_function.go.
#include <stdlib.h>

#include "builtins_fast_call.h"
#include "calls/global_functions.h"
#include "collections/sequence.h"
#include "core/type_table.h"

// Moves a new String of a text to the end of an Array that has room for it. Returns 0, or -1 raised.
static int push_text(TVMFFIObject* array, const TVMFFIByteArray* text) {
  TVMFFIAny made;
  if (TVMFFIStringFromByteArray(text, &made) != 0) return -1;
  ss_array_push(array, &made);
  return 0;
}

// By index. Types are only ever added, so that those which the first loop counts are there in the second.
SS_FAST(type_keys) {
  if (!ss_is_call(args, num_args, 0, result)) SS_FALL_BACK_TO_GO();
  int32_t end = SelfsameTypeIndexEnd();
  int64_t count = 0;
  for (int32_t i = 0; i < end; i++) count += ss_type_at(i) != NULL;
  TVMFFIObject* keys = ss_array_new(count);
  if (keys == NULL) return -1;
  for (int32_t i = 0; i < end && count > 0; i++) {
    const SsType* type = ss_type_at(i);
    if (type == NULL) continue;
    count--;
    if (push_text(keys, &type->node.key) != 0) {
      ss_decref(keys);
      return -1;
    }
  }
  return ss_return_object(result, keys);
}

// ---- names of global functions -----------------------------------------------------------------------------

static void release_names(void* names) { ss_decref(names); }

// The function over a list of names: -1 gives their number, i the name at i.
static int name_at(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static const char signature[] = "(0: int) -> Any";
  if (num_args != 1) {
    return ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected 1 but got %d arguments",
                    signature, num_args);
  }
  if (args->type_index != kTVMFFIInt && args->type_index != kTVMFFIBool) {
    const SsType* type = ss_type_at(args->type_index);
    return ss_raise("TypeError", "Mismatched type on argument #0 when calling: `%s`. Expected `int` but got `%s`",
                    signature, type == NULL ? "unregistered type" : type->node.key.data);
  }
  const TVMFFISeqCell* names = ss_sequence(self);
  int64_t i = args->v_int64;
  if (i < 0) return ss_return_int(result, names->size);
  if (i >= names->size) {
    return ss_raise("IndexError", "Index %lld out of bounds %lld", (long long)i, (long long)names->size);
  }
  return TVMFFIAnyViewToOwnedAny((const TVMFFIAny*)names->data + i, result);
}

// An Array of the names that are registered now, in order of registration. NULL raised.
static TVMFFIObject* names_now(void) {
  const TVMFFIByteArray* list;
  int64_t count = ss_names_list(&list);
  TVMFFIObject* names = count < 0 ? NULL : ss_array_new(count);
  for (int64_t i = 0; names != NULL && i < count; i++) {
    if (push_text(names, &list[i]) == 0) continue;
    ss_decref(names);
    names = NULL;
  }
  free((void*)list);
  return names;
}

SS_FAST(function_names) {
  if (!ss_is_call(args, num_args, 0, result)) SS_FALL_BACK_TO_GO();
  TVMFFIObject* names = names_now();
  TVMFFIObjectHandle function = NULL;
  if (names == NULL) return -1;
  if (TVMFFIFunctionCreate(names, name_at, release_names, &function) != 0) {
    ss_decref(names);
    return -1;
  }
  return ss_return_object(result, function);
}

const SsFastEntry ss_fast_registry[] = {
    {"ffi.GetRegisteredTypeKeys", type_keys},
    {"ffi.FunctionListGlobalNamesFunctor", function_names},
    {NULL, NULL},
};
