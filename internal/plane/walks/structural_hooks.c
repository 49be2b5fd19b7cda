// Hooks of structural walks and the callback that hooks get: see structural_hooks.h.
#include "structural_hooks.h"

#include <stdlib.h>

#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "core/type_table.h"

// How deep foreign code may nest in one walk: each level takes stack of the calling thread, which does not grow.
enum { MAX_NESTED = 1000, MAX_VALUES = 2 };

struct SsHookLink {
  SsHooks* hooks;          // atomic; NULL after the walk
  const SsHookKind* kind;  // which walk the hooks are of; static
};

static const char* key_of(int32_t type_index) {
  const SsType* type = ss_type_at(type_index);
  return type == NULL ? "unregistered type" : type->info.type_key.data;
}

int ss_hook_of(const SsHookKind* kind, SsAttributeColumn** column, int32_t type_index, TVMFFIObject** hook) {
  *hook = NULL;
  const TVMFFIAny* value = ss_column_value(column, kind->attribute, type_index);
  if (value == NULL) return 0;
  if (value->type_index == kTVMFFIFunction) {
    *hook = value->v_obj;
    return 0;
  }
  return ss_raise("TypeError", "Cannot convert from type `%s` to `ffi.Function`: attribute `%s` of type `%s`",
                  key_of(value->type_index), kind->attribute, key_of(type_index));
}

int ss_hook_int(const TVMFFIAny* value, const char* what, int64_t* out) {
  if (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool) {
    *out = value->v_int64;
    return 0;
  }
  return ss_raise("TypeError", "Cannot convert from type `%s` to `int`: %s", key_of(value->type_index), what);
}

// ---- the callback ------------------------------------------------------------------------------------------

// Calls serve with owned values, because a hook may drop the objects that its arguments refer to.
static int serve_owned(SsHooks* hooks, const TVMFFIAny* args, TVMFFIAny* result) {
  TVMFFIAny owned[MAX_VALUES];
  int n = 0, rc = 0;
  for (; n < hooks->kind->num_values; n++) {
    rc = TVMFFIAnyViewToOwnedAny(&args[n], &owned[n]);
    if (rc != 0) break;
  }
  if (rc == 0) rc = hooks->kind->serve(hooks, owned, args + n, result);
  while (n > 0) ss_any_clear(&owned[--n]);
  return rc;
}

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const SsHookKind* kind = ((SsHookLink*)self)->kind;
  SsHooks* hooks = __atomic_load_n(&((SsHookLink*)self)->hooks, __ATOMIC_ACQUIRE);
  int waits = 1;
  if (hooks == NULL ||
      !__atomic_compare_exchange_n(&hooks->waiting, &waits, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return ss_raise("RuntimeError", "%s: called while no hook of its walk runs", kind->callback);
  }
  int rc = -1;
  if (num_args != kind->num_args) {
    ss_raise("TypeError", "Mismatched number of arguments when calling: `%s`. Expected %d but got %d arguments",
             kind->callback, kind->num_args, num_args);
  } else {
    rc = serve_owned(hooks, args, result);
  }
  __atomic_store_n(&hooks->waiting, 1, __ATOMIC_RELEASE);
  return rc;
}

static int make_callback(SsHooks* hooks) {
  if (hooks->callback != NULL) return 0;
  SsHookLink* link = malloc(sizeof(*link));
  if (link == NULL) return ss_raise_no_memory(hooks->kind->operation);
  link->hooks = hooks;
  link->kind = hooks->kind;
  TVMFFIObjectHandle made = NULL;
  if (TVMFFIFunctionCreate(link, call_back, free, &made) != 0) {
    free(link);
    return -1;
  }
  hooks->callback = made;
  hooks->link = link;
  return 0;
}

// ---- calling a hook ----------------------------------------------------------------------------------------

int ss_hook_call(SsHooks* hooks, TVMFFIObject* hook, const TVMFFIAny* args, int n, int64_t* out) {
  if (hooks->nested >= MAX_NESTED) {
    return ss_raise("RecursionError", "%s: hooks are nested more than %d deep", hooks->kind->operation, MAX_NESTED);
  }
  if (make_callback(hooks) != 0) return -1;
  TVMFFIAny all[4], result;
  for (int i = 0; i < n; i++) all[i] = args[i];
  ss_set_object(&all[n], hooks->callback);
  ss_set_none(&result);
  hooks->nested++;
  __atomic_store_n(&hooks->waiting, 1, __ATOMIC_RELEASE);
  int rc = ((TVMFFIFunctionCell*)(hook + 1))->safe_call(hook, all, n + 1, &result);
  __atomic_store_n(&hooks->waiting, 0, __ATOMIC_RELEASE);
  hooks->nested--;
  if (rc != 0) return -1;
  rc = ss_hook_int(&result, hooks->kind->result, out);
  ss_any_clear(&result);
  return rc;
}

void ss_hooks_end(SsHooks* hooks) {
  if (hooks->callback == NULL) return;
  __atomic_store_n(&hooks->link->hooks, NULL, __ATOMIC_RELEASE);
  ss_xdecref(hooks->callback);
  hooks->callback = NULL;
}
