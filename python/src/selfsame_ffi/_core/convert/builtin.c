// Builtin functions that the core calls; see builtin.h.
#include "convert/builtin.h"

#include "convert/errors.h"
#include "convert/function.h"

static const char* const names[SS_BUILTIN_COUNT] = {
    [SS_BUILTIN_LIST] = "ffi.List",
    [SS_BUILTIN_LIST_RESERVE] = "ffi.ListReserve",
    [SS_BUILTIN_MAP] = "ffi.Map",
    [SS_BUILTIN_MAP_GET] = "ffi.MapGetItemOrMissing",
    [SS_BUILTIN_MAP_COUNT] = "ffi.MapCount",
    [SS_BUILTIN_DICT] = "ffi.Dict",
    [SS_BUILTIN_DICT_GET] = "ffi.DictGetItemOrMissing",
    [SS_BUILTIN_DICT_COUNT] = "ffi.DictCount",
    [SS_BUILTIN_DICT_SET] = "ffi.DictSetItem",
    [SS_BUILTIN_DICT_ERASE] = "ffi.DictErase",
    [SS_BUILTIN_DICT_CLEAR] = "ffi.DictClear",
    [SS_BUILTIN_SHAPE] = "ffi.Shape",
    [SS_BUILTIN_EQUAL] = "ffi.RecursiveEq",
    [SS_BUILTIN_HASH] = "ffi.RecursiveHash",
    [SS_BUILTIN_REPR] = "ffi.ReprPrint",
    [SS_BUILTIN_DEEP_COPY] = "ffi.DeepCopy",
    [SS_BUILTIN_MISSING] = "ffi.GetInvalidObject",
    [SS_BUILTIN_FIELD_GETTER] = "ffi.MakeFieldGetter",
    [SS_BUILTIN_FIELD_SETTER] = "ffi.MakeFieldSetter",
};

static TVMFFIObject* found[SS_BUILTIN_COUNT];

TVMFFIObject* ss_builtin(SsBuiltin which) {
  TVMFFIObject* known = __atomic_load_n(&found[which], __ATOMIC_ACQUIRE);
  if (SS_LIKELY(known != NULL)) return known;
  TVMFFIByteArray name = ss_bytes(names[which]);
  TVMFFIObjectHandle function = NULL;
  if (ss_api.TVMFFIFunctionGetGlobal(&name, &function) != 0) return ss_raise_native_null();
  if (function == NULL) {
    PyErr_Format(PyExc_RuntimeError, "%s: the runtime library has no such function", names[which]);
    return NULL;
  }
  if (__atomic_compare_exchange_n(&found[which], &known, function, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return function;
  }
  ss_decref(function);  // another thread was first
  return known;
}

int ss_call_builtin(SsBuiltin which, TVMFFIAny* views, int32_t count, TVMFFIAny* result) {
  TVMFFIObject* function = ss_builtin(which);
  return function == NULL ? -1 : ss_invoke(function, 0, views, count, result);
}
