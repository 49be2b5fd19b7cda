// Fast paths of the builtin functions that ask a module for a function, what it knows of one, and what it is; of its
// text, and of the system library.
// Go implementation: builtins_module.go.
#include "builtins_fast_call.h"
#include "cxx.h"
#include "fork_state.h"
#include "collections/sequence.h"
#include "core/type_attributes.h"
#include "core/type_table.h"

#include <string.h>

static int is_number(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIBool || value->type_index == kTVMFFIInt;
}

// A call with a module, a name and whether to search its imports. The name is a view, as the caller gave it.
static int is_by_name(const TVMFFIAny* args, int32_t num_args, const TVMFFIAny* result) {
  return ss_is_call_of(kTVMFFIModule, args, num_args, 3, result) && ss_is_text(&args[1]) && is_number(&args[2]);
}

typedef int (*ByName)(TVMFFIObjectHandle module, const TVMFFIAny* name, int imports, TVMFFIAny* out);

static int ask_by_name(ByName ask, const TVMFFIAny* args, TVMFFIAny* result) {
  TVMFFIAny name;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &name) != 0) return -1;
  ss_set_none(result);
  int rc = ask(args->v_obj, &name, args[2].v_int64 != 0, result);
  ss_any_clear(&name);
  return rc;
}

SS_FAST(module_get_function) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_function_in, args, result);
}

SS_FAST(module_implements_function) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_implements_in, args, result);
}

SS_FAST(module_get_function_doc) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_doc_in, args, result);
}

SS_FAST(module_get_function_metadata) {
  if (!is_by_name(args, num_args, result)) SS_FALL_BACK_TO_GO();
  return ask_by_name(ss_module_metadata_in, args, result);
}

SS_FAST(module_inspect_source) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 2, result) || !ss_is_text(&args[1])) SS_FALL_BACK_TO_GO();
  TVMFFIAny format;
  if (TVMFFIAnyViewToOwnedAny(&args[1], &format) != 0) return -1;
  ss_set_none(result);
  int rc = ss_module_source_in(args->v_obj, &format, result);
  ss_any_clear(&format);
  return rc;
}

SS_FAST(module_get_write_formats) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_formats_in(args->v_obj, result);
}

SS_FAST(module_clear_imports) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_clear_imports_in(args->v_obj);
}

// The system library of a short prefix, once there is one: it lives as long as the process.
SS_FAST(system_lib) {
  char prefix[64] = "";
  TVMFFIByteArray text = {NULL, 0};
  if (!ss_is_packed_call(args, num_args, result) || num_args > 1) SS_FALL_BACK_TO_GO();
  if (num_args == 1) {
    if (!ss_text_bytes(args, &text)) SS_FALL_BACK_TO_GO();
    if (text.size >= sizeof(prefix) || memchr(text.data, 0, text.size) != NULL) SS_FALL_BACK_TO_GO();
    memcpy(prefix, text.data, text.size);
  }
  TVMFFIObject* module = ss_system_module_find(prefix);
  if (module == NULL) SS_FALL_BACK_TO_GO();
  ss_incref(module);
  return ss_return_object(result, module);
}

SS_FAST(module_globals_add) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_global_module_add(args->v_obj);
}

SS_FAST(module_globals_remove) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  if (ss_global_module_remove(args->v_obj)) ss_decref(args->v_obj);
  return 0;
}

SS_FAST(module_get_kind) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_kind_in(args->v_obj, result);
}

SS_FAST(module_get_property_mask) {
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  ss_set_none(result);
  return ss_module_property_mask_in(args->v_obj, result);
}

// Whether a module imports nothing. What its imports are is read as a field.
static int has_no_imports(TVMFFIObject* module) {
  TVMFFIAny imports;
  ss_set_none(&imports);
  if (ss_module_imports(module + 1, &imports) != 0) return 0;
  int none = imports.type_index == kTVMFFIArray && ss_sequence(imports.v_obj)->size == 0;
  ss_any_clear(&imports);
  return none;
}

// The text of a module that imports nothing, unless a library gave modules other fields or a text of their own.
SS_FAST(repr_print) {
  static SsAttributeColumn* column;
  static const char text[] = "ffi.Module(imports_=())";
  if (!ss_is_call_of(kTVMFFIModule, args, num_args, 1, result)) SS_FALL_BACK_TO_GO();
  if (ss_column_has(&column, "__ffi_repr__", kTVMFFIModule) || ss_repr_has_addresses()) SS_FALL_BACK_TO_GO();
  if (ss_type_at(kTVMFFIModule)->info.num_fields != 1 || !has_no_imports(args->v_obj)) SS_FALL_BACK_TO_GO();
  TVMFFIByteArray bytes = {text, sizeof(text) - 1};
  ss_set_none(result);
  return TVMFFIStringFromByteArray(&bytes, result);
}

const SsFastEntry ss_fast_modules[] = {
    {"ffi.ModuleGetFunction", module_get_function},
    {"ffi.ModuleImplementsFunction", module_implements_function},
    {"ffi.ModuleGetFunctionDoc", module_get_function_doc},
    {"ffi.ModuleGetFunctionMetadata", module_get_function_metadata},
    {"ffi.ModuleInspectSource", module_inspect_source},
    {"ffi.ModuleGetWriteFormats", module_get_write_formats},
    {"ffi.ModuleClearImports", module_clear_imports},
    {"ffi.SystemLib", system_lib},
    {"ffi.ModuleGlobalsAdd", module_globals_add},
    {"ffi.ModuleGlobalsRemove", module_globals_remove},
    {"ffi.ModuleGetKind", module_get_kind},
    {"ffi.ReprPrint", repr_print},
    {"ffi.ModuleGetPropertyMask", module_get_property_mask},
    {NULL, NULL},
};
