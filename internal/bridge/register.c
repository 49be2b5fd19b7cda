// Registration, errors and tie records: functions of c_api.h that fetch the raised error in the same call.
#include "bridge.h"
#include "go_state.h"
#include "selfsame/internal/error_links.h"
#include "tie.h"

int32_t ss_bridge_type_index(const TVMFFIByteArray* key) {
  int32_t index = -1;
  if (TVMFFITypeKeyToIndex(key, &index) == 0) return index;
  TVMFFIObjectHandle unknown = NULL;  // the raised error: there is no such key
  TVMFFIErrorMoveFromRaised(&unknown);
  TVMFFIObjectDecRef(unknown);
  return -1;
}

int32_t ss_bridge_opaque_class(const TVMFFIByteArray* key) {
  int32_t index = ss_bridge_type_index(key);
  return index >= 0 ? index : TVMFFITypeGetOrAllocIndex(key, -1, 1, 0, 1, kTVMFFIObject);
}

const TVMFFITypeInfo* ss_bridge_type_info(int32_t type_index) { return TVMFFIGetTypeInfo(type_index); }

const TVMFFITypeAttrColumn* ss_bridge_attr_column(const TVMFFIByteArray* name) { return TVMFFIGetTypeAttrColumn(name); }

void ss_bridge_set_raised(TVMFFIObjectHandle error) { TVMFFIErrorSetRaised(error); }

int ss_bridge_register_type(const TVMFFIByteArray* key, int32_t depth, int32_t parent, int final, int32_t* index,
                            TVMFFIObjectHandle* error) {
  if (ss_bridge_type_index(key) >= 0) {
    ss_bridge_raise("RuntimeError", "selfsame: class `%.*s` is already registered", (int)key->size, key->data);
    return ss_bridge_fail(error);
  }
  *index = TVMFFITypeGetOrAllocIndex(key, -1, depth, 0, final ? 0 : 1, parent);
  if (*index < 0) {
    ss_bridge_raise("RuntimeError", "selfsame: class `%.*s` got no type index", (int)key->size, key->data);
    return ss_bridge_fail(error);
  }
  return 0;
}

int ss_bridge_register_metadata(int32_t index, const TVMFFITypeMetadata* metadata, TVMFFIObjectHandle* error) {
  return TVMFFITypeRegisterMetadata(index, metadata) == 0 ? 0 : ss_bridge_fail(error);
}

int ss_bridge_register_method(int32_t index, const TVMFFIMethodInfo* info, TVMFFIObjectHandle* error) {
  return TVMFFITypeRegisterMethod(index, info) == 0 ? 0 : ss_bridge_fail(error);
}

int ss_bridge_register_attr(int32_t index, const TVMFFIByteArray* name, const TVMFFIAny* value,
                            TVMFFIObjectHandle* error) {
  return TVMFFITypeRegisterAttr(index, name, value) == 0 ? 0 : ss_bridge_fail(error);
}

int ss_bridge_set_global(const TVMFFIMethodInfo* info, int override, TVMFFIObjectHandle* error) {
  return TVMFFIFunctionSetGlobalFromMethodInfo(info, override) == 0 ? 0 : ss_bridge_fail(error);
}

int ss_bridge_get_global(const char* name, size_t size, TVMFFIObjectHandle* out, TVMFFIObjectHandle* error) {
  TVMFFIByteArray key = {name, size};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0) return ss_bridge_fail(error);
  *out = function;
  return 0;
}

int ss_bridge_new_error(const char* kind, size_t kind_size, const char* message, size_t message_size,
                        const char* backtrace, size_t backtrace_size, TVMFFIObjectHandle cause,
                        TVMFFIObjectHandle extra, TVMFFIObjectHandle* out) {
  TVMFFIByteArray kind_bytes = {kind, kind_size};
  TVMFFIByteArray message_bytes = {message, message_size};
  TVMFFIByteArray backtrace_bytes = {backtrace, backtrace_size};
  TVMFFIObjectHandle made = NULL;
  int rc =
      TVMFFIErrorCreateWithCauseAndExtraContext(&kind_bytes, &message_bytes, &backtrace_bytes, cause, extra, &made);
  *out = made;
  return rc == 0 && made != NULL ? 0 : -1;
}

void ss_bridge_append_backtrace(TVMFFIObjectHandle error, const char* text, size_t size) {
  TVMFFIByteArray bytes = {text, size};
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  if (cell->update_backtrace != NULL) cell->update_backtrace(error, &bytes, kTVMFFIBacktraceUpdateModeAppend);
}

int ss_bridge_error_has_links(const void* error) {
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((const TVMFFIObject*)error + 1);
  return ss_error_has_links(cell, cell->kind.data);
}

const SelfsameTieTable* ss_bridge_tie_table(TVMFFIObjectHandle* error) {
  const SelfsameTieTable* table = ss_tie_join();
  if (table == NULL) ss_bridge_fail(error);
  return table;
}

SelfsameTieRecord* ss_bridge_tie_acquire(const SelfsameTieTable* table, uint64_t object) {
  return table->acquire((TVMFFIObject*)(uintptr_t)object);
}

uint32_t ss_bridge_tie_owner(const SelfsameTieTable* table) {
  static uint32_t owner;  // only this library's Go calls this, once each
  if (owner == 0) owner = table->new_go_owner();
  return owner == 0 ? 0 : owner << 16 | (uint32_t)(ss_bridge_go_generation() & 0xFFFF);
}

void ss_bridge_registration_lock(int on) {
  static const SelfsameTieTable* used;  // the same for both calls: joining may fail at first
  const SelfsameTieTable* table = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
  if (table == NULL) {
    TVMFFIObjectHandle error = NULL;
    if ((table = ss_bridge_tie_table(&error)) == NULL) table = ss_tie_own_table();
    if (error != NULL) TVMFFIObjectDecRef(error);
    __atomic_store_n(&used, table, __ATOMIC_RELEASE);
  }
  table->registration_lock(on);
}

// Defined when the runtime is part of the program.
extern int64_t SelfsameLiveObjects(int32_t type_index) __attribute__((weak));

#ifdef SS_NO_RUNTIME_HERE  // as in freelist.c
void* ss_bridge_live_function(void) { return NULL; }
#else
void* ss_bridge_live_function(void) { return (void*)SelfsameLiveObjects; }
#endif

int64_t ss_bridge_live_objects(void* function, int32_t type_index) {
  return ((int64_t(*)(int32_t))function)(type_index);
}
