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
    TVMFFIObjectHandle function = NULL;
    if (TVMFFIFunctionCreate(NULL, give_table, NULL, &function) != 0) return NULL;
    int rc = TVMFFIFunctionSetGlobal(&table_name, function, 0);
    TVMFFIObjectDecRef(function);
    if (rc != 0) {  // another thread was first: its table is the process's
      TVMFFIObjectHandle error = NULL;
      TVMFFIErrorMoveFromRaised(&error);
      TVMFFIObjectDecRef(error);
    }
    found = find_registered(&table);
  }
  if (found != 1) {
    if (found == 0) TVMFFIErrorSetRaisedFromCStr("RuntimeError", SELFSAME_TIE_TABLE_NAME " could not be registered");
    return NULL;
  }
  __atomic_store_n(&joined, table, __ATOMIC_RELEASE);
  return table;
}
