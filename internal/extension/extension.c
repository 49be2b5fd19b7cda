// The entrance of an extension, and the copy of it that brings Go back in a forked child: go_state.h says how.
#include <stdlib.h>
#include <string.h>

#include "go_state.h"
#include "load_copy.h"
#include "selfcopy.h"
#include "selfsame/internal/attributes.h"
#include "selfsame/tie.h"
#include "stubs.h"

// Finishes the registrations (extension_shared.go), only through the table of entry points. 0, or -1 with the error
// raised.
int ssgo_extension_start(void);

// In the copy: the address of the original's SsBridgeOriginal.
static volatile uint64_t handover = SS_SELF_COPY_NONE;

static const SsBridgeOriginal* original;
static SsStubsBinding binding;

static int load_copy(char* message, size_t size) {
  return ss_extension_load_copy(&handover, (uint64_t)(uintptr_t)original, message, size);
}

#ifndef _WIN32  // there Go reads the process's own environment
#ifdef __APPLE__
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char** environ;
#endif

// A copy of the environment, which environment.go frees; NULL without memory. It is made on the thread that loads the
// library: Python's lock, which that thread has, keeps others from changing it.
char** ss_extension_environment;

static void copy_environment(void) {
  size_t n = 0;
  while (environ != NULL && environ[n] != NULL) n++;
  ss_extension_environment = calloc(n + 1, sizeof *ss_extension_environment);
  for (size_t i = 0; ss_extension_environment != NULL && i < n; i++) {
    ss_extension_environment[i] = strdup(environ[i]);
    if (ss_extension_environment[i] == NULL) {  // Go keeps the environment that the process began with
      while (i-- > 0) free(ss_extension_environment[i]);
      free(ss_extension_environment);
      ss_extension_environment = NULL;
    }
  }
}
#else
static void copy_environment(void) {}
#endif

// Before Go starts.
__attribute__((constructor(101))) static void take_over(void) {
  copy_environment();
  if (handover == SS_SELF_COPY_NONE) {
    binding = ss_stubs_binding();
    original = ss_bridge_become_original(ssgo_extension_start, load_copy, &binding);
  } else {
    original = (const SsBridgeOriginal*)(uintptr_t)handover;
    ss_bridge_become_copy(original, ssgo_extension_start);
    ss_stubs_take_over(*(const SsStubsBinding*)original->extension);
  }
}

// The version of the ABI that the extension was compiled for, which tools read from the file.
SS_EXPORT const int32_t SelfsameExtensionABI[3] = {TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR, TVM_FFI_VERSION_PATCH};

// Whether the packages initialise themselves, as far as is known.
static int initialising = 1;
// The reason why their initialisation waits: text that stays. NULL at first.
static const char* waits;

// Notes what the packages wait for; NULL: they are initialised.
void ss_extension_note(const char* text) {
  __atomic_store_n(&waits, text, __ATOMIC_RELEASE);
  if (text == NULL) __atomic_store_n(&initialising, 0, __ATOMIC_RELEASE);
}

// Whether the packages still initialise themselves, so that SelfsameExtensionInit would wait. 0 may come a little late,
// and does not promise that it would not wait. *text becomes what they wait for, "<function> at <file>:<line>
// (<state>)", which stays valid; NULL in the first seconds, and when it is not known. It does not enter Go and may be
// called on any thread.
SS_EXPORT int SelfsameExtensionIsInitialising(const char** text) {
  *text = __atomic_load_n(&waits, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&initialising, __ATOMIC_ACQUIRE);
}

// Waits until the extension's packages have registered their classes and functions. The loader of an extension calls it
// once; it may be called again, on any thread, also in a forked child. Returns 0, or -1 with the error of the first
// failed registration raised on this thread.
SS_EXPORT int SelfsameExtensionInit(void) { return ss_bridge_enter_go() == 0 ? ss_bridge_go->entries.start() : -1; }

// Has the extension's garbage collector drop no more references, and waits until it drops none, at most some seconds.
// For the end of an interpreter whose lock the deleters of its objects need; the caller must not hold that lock. Any
// thread; does nothing in a forked child in which Go does not run.
SS_EXPORT void SelfsameExtensionStop(void) {
  if (ss_bridge_go_runs()) ss_bridge_go->entries.stop();
}

// Tells the extension's Go that a variable of the process's environment has a value now; NULL: that it is gone. Both are
// borrowed. Any thread; does nothing in a forked child in which Go does not run: it reads the environment when it starts.
SS_EXPORT void SelfsameExtensionSetenv(const char* name, const char* value) {
  if (ss_bridge_go_runs()) ss_bridge_go->entries.setenv((char*)name, (char*)value);
}
