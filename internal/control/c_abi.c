// Functions of the C ABI that Go implements: registration of types, members, attributes and global functions. Each
// checks its arguments, and that the process may enter Go, and then calls one function of go_exports.h.
#include "core/chains.h"
#include "go_exports.h"
#include "plane.h"
#include "core/second_runtime.h"
#include "tie.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  static const char name[] = "TVMFFITypeGetOrAllocIndex";
  if (!ss_check_bytes(type_key, name, "type_key")) ss_exit_with_raised(name);
  int32_t index = ss_type_by_key(type_key);
  if (index < 0 && ss_wait_ready()) index = ss_type_by_key(type_key);
  if (index >= 0) return index;
  if (ss_too_early(name)) ss_exit_with_raised(name);
  if (parent_type_index == -2) return -2;          // the caller only asks whether the type is registered
  ss_second_runtime(__builtin_return_address(0));  // notes which types are not its own, before it has one
  if (!ss_may_enter_go(name)) ss_exit_with_raised(name);
  index = ss_go.ssgo_type_index((void*)type_key, static_type_index, type_depth, num_child_slots,
                                child_slots_can_overflow, parent_type_index);
  if (index < 0) ss_exit_with_raised(name);
  return index;
}

static int has_attribute(const TVMFFIByteArray* name, int32_t type_index) {
  SsAttributeColumn* column = ss_column_find(name);
  return column != NULL && ss_column_filled(column, type_index);
}

static int has_global(const TVMFFIByteArray* name) {
  SsGlobalName* found = ss_name_find(name);
  return found != NULL && ss_name_in_use(found);
}

// Whether a field's or method's info has its texts; raised if not.
#define IS_MEMBER(info, function)                                                                   \
  (ss_check_ptr(info, function, "info") && ss_check_bytes(&(info)->name, function, "info->name") && \
   ss_check_bytes(&(info)->doc, function, "info->doc") &&                                           \
   ss_check_bytes(&(info)->metadata, function, "info->metadata"))

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  static const char name[] = "TVMFFITypeRegisterField";
  SS_ENTER_GO(name, -1);
  if (!IS_MEMBER(info, name)) return -1;
  if (type_index >= 0 && ss_second_runtime(__builtin_return_address(0)) > type_index) return 0;
  return ss_go.ssgo_register_field(type_index, (void*)info);
}

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  static const char name[] = "TVMFFITypeRegisterMethod";
  SS_ENTER_GO(name, -1);
  if (!IS_MEMBER(info, name)) return -1;
  if (type_index >= 0 && ss_second_runtime(__builtin_return_address(0)) > type_index) return 0;
  return ss_go.ssgo_register_method(type_index, (void*)info);
}

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  static const char name[] = "TVMFFITypeRegisterMetadata";
  SS_ENTER_GO(name, -1);
  if (!ss_check_ptr(metadata, name, "metadata") || !ss_check_bytes(&metadata->doc, name, "metadata->doc")) return -1;
  if (type_index >= 0 && ss_second_runtime(__builtin_return_address(0)) > type_index) return 0;
  return ss_go.ssgo_register_metadata(type_index, (void*)metadata);
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  static const char name[] = "TVMFFITypeRegisterAttr";
  SS_ENTER_GO(name, -1);
  if (!ss_check_bytes(attr_name, name, "attr_name")) return -1;
  if (type_index != kTVMFFINone && !ss_check_ptr(attr_value, name, "attr_value")) return -1;
  if (SS_FROM_SECOND_RUNTIME(has_attribute(attr_name, type_index))) return 0;
  return ss_go.ssgo_register_attr(type_index, (void*)attr_name, (void*)attr_value);
}

int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {
  static const char function[] = "TVMFFIFunctionSetGlobal";
  SS_ENTER_GO(function, -1);
  if (!ss_check_bytes(name, function, "name") || !ss_check_ptr(f, function, "f")) return -1;
  if (((TVMFFIObject*)f)->type_index != kTVMFFIFunction) {
    return ss_raise("TypeError", "%s: argument 'f': expected ffi.Function, got an object of type index %d", function,
                    ((TVMFFIObject*)f)->type_index);
  }
  if (SS_FROM_SECOND_RUNTIME(has_global(name))) return 0;
  if (allow_override && ss_name_replace(name, f)) return 0;
  return ss_go.ssgo_set_global((void*)name, f, allow_override);
}

int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo* method_info, int allow_override) {
  static const char name[] = "TVMFFIFunctionSetGlobalFromMethodInfo";
  SS_ENTER_GO(name, -1);
  if (!ss_check_ptr(method_info, name, "method_info") ||
      !ss_check_bytes(&method_info->name, name, "method_info->name") ||
      !ss_check_bytes(&method_info->doc, name, "method_info->doc") ||
      !ss_check_bytes(&method_info->metadata, name, "method_info->metadata")) {
    return -1;
  }
  if (SS_FROM_SECOND_RUNTIME(has_global(&method_info->name))) return 0;
  return ss_go.ssgo_set_global_method((void*)method_info, allow_override);
}

const SelfsameTieTable* SelfsameTieTableGet(void) {
  ss_wait_ready();
  ss_tie_set_end(ss_chain_delete);
  return ss_tie_join();
}
