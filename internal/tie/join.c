// Joining the process's one tie table through the runtime's table of global functions.
#include "tie.h"

static const TVMFFIByteArray table_name = {SELFSAME_TIE_TABLE_NAME, sizeof(SELFSAME_TIE_TABLE_NAME) - 1};

static const SelfsameTieTable* joined;

// The registered function: returns this library's table as an opaque pointer.
static int give_table(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  if (num_args != 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", SELFSAME_TIE_TABLE_NAME " takes no arguments");
    return -1;
  }
  result->type_index = kTVMFFIOpaquePtr;
  result->zero_padding = 0;
  result->v_ptr = (void*)ss_tie_own_table();
  return 0;
}

static const TVMFFIByteArray collect_name = {SELFSAME_COLLECT_NAME, sizeof(SELFSAME_COLLECT_NAME) - 1};

// The registered function SELFSAME_COLLECT_NAME. `table` is the process's.
static int collect_all(void* table, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  if (num_args != 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", SELFSAME_COLLECT_NAME ": expected no arguments");
    return -1;
  }
  int64_t found = 0;
  for (SelfsameCollector* c = ((const SelfsameTieTable*)table)->collectors(); c != NULL; c = c->next) {
    found += c->collect(c);
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = found;
  return 0;
}

// Registers a function under a name unless one is registered. 0, or -1 with the error raised.
static int register_once(const TVMFFIByteArray* name, TVMFFISafeCallType call, void* self) {
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(self, call, NULL, &function) != 0) return -1;
  int rc = TVMFFIFunctionSetGlobal(name, function, 0);
  TVMFFIObjectDecRef(function);
  if (rc != 0) {  // another thread was first
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    TVMFFIObjectDecRef(error);
  }
  return 0;
}

// Reads the registered table into *out: 1 found, 0 none registered, -1 error raised.
static int find_registered(const SelfsameTieTable** out) {
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&table_name, &function) != 0) return -1;
  if (function == NULL) return 0;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int rc = TVMFFIFunctionCall(function, NULL, 0, &result);
  TVMFFIObjectDecRef(function);
  if (rc != 0) return -1;
  if (result.type_index != kTVMFFIOpaquePtr || result.v_ptr == NULL) {
    if (result.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(result.v_obj);
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", SELFSAME_TIE_TABLE_NAME " did not return a table");
    return -1;
  }
  const SelfsameTieTable* table = result.v_ptr;
  if (table->version != SELFSAME_TIE_VERSION || table->size < sizeof(SelfsameTieTable)) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", SELFSAME_TIE_TABLE_NAME
                                 " was registered by a selfsame library of another version; use one version of "
                                 "selfsame in a process");
    return -1;
  }
  *out = table;
  return 1;
}

const SelfsameTieTable* ss_tie_join(void) {
  const SelfsameTieTable* table = __atomic_load_n(&joined, __ATOMIC_ACQUIRE);
  if (table != NULL) return table;
  int found = find_registered(&table);
  if (found == 0) {
    if (register_once(&table_name, give_table, NULL) != 0) return NULL;
    found = find_registered(&table);
    if (found == 1 && register_once(&collect_name, collect_all, (void*)table) != 0) return NULL;
  }
  if (found != 1) {
    if (found == 0) TVMFFIErrorSetRaisedFromCStr("RuntimeError", SELFSAME_TIE_TABLE_NAME " could not be registered");
    return NULL;
  }
  __atomic_store_n(&joined, table, __ATOMIC_RELEASE);
  return table;
}
