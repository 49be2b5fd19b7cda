// Asking the host language whether the user has interrupted the program.
#include <string.h>

#include "raise.h"

// Functions that the host language registers by name; NULL until then.
static struct {
  const char* name;  // of the function, static
  void* symbol;      // its address; atomic
} host[] = {{"PyErr_CheckSignals", NULL}, {"PyGILState_Ensure", NULL}, {"PyGILState_Release", NULL}};

enum { CHECK_SIGNALS, GIL_ENSURE, GIL_RELEASE, COUNT };

static void* registered(int which) { return __atomic_load_n(&host[which].symbol, __ATOMIC_ACQUIRE); }

int TVMFFIEnvRegisterCAPI(const char* name, void* symbol) {
  if (!ss_check_ptr(name, "TVMFFIEnvRegisterCAPI", "name")) return -1;
  for (int i = 0; i < COUNT; i++) {
    if (strcmp(name, host[i].name) != 0) continue;
    __atomic_store_n(&host[i].symbol, symbol, __ATOMIC_RELEASE);  // NULL removes it
    return 0;
  }
  return ss_raise("ValueError", "Unknown env API %s", name);
}

int TVMFFIEnvCheckSignals(void) {
  int (*check_signals)(void);
  void* (*ensure)(void);
  void (*release)(void*);
  *(void**)&check_signals = registered(CHECK_SIGNALS);
  *(void**)&ensure = registered(GIL_ENSURE);
  *(void**)&release = registered(GIL_RELEASE);
  if (check_signals == NULL) return 0;
  if (ensure == NULL || release == NULL) {
    return ss_raise("RuntimeError", "TVMFFIEnvCheckSignals: PyErr_CheckSignals is registered, but %s is not",
                    ensure == NULL ? host[GIL_ENSURE].name : host[GIL_RELEASE].name);
  }
  void* state = ensure();
  int signalled = check_signals() != 0;
  release(state);
  return signalled ? -1 : 0;
}
