// Finding the process's runtime and binding the stubs to it.
#include "stubs.h"

#include <pthread.h>

#include "bound.h"
#include "loaded.h"
#include "selfsame/internal/loader.h"

struct SsStubsBound bound;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_bound;
static void* library;  // a dlopen handle, or RTLD_DEFAULT

#define LOAD(name) \
  if ((*(void**)& found.name = dlsym(handle, #name)) == NULL) return -1;  // NOLINT

static int bind_to(void* handle) {
  struct SsStubsBound found;
  SS_STUBS_EACH(LOAD)
  bound = found;
  library = handle;
  return 0;
}

// Binds to the loaded library of this name or path; -1 when there is none, or it lacks a function.
static int bind_to_loaded(const char* name) {
  void* handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return -1;
  if (bind_to(handle) == 0) return 0;
  dlclose(handle);
  return -1;
}

// Binds to the library that has this function of selfsame's runtime.
static int bind_to_owner(void* function) {
  Dl_info info;
  if (dladdr(function, &info) == 0) return -1;
  if (bind_to_loaded(info.dli_fname) == 0) return 0;
  return bind_to(RTLD_DEFAULT);  // the executable, whose symbols come before those of any library
}

static int bind_to_selfsame(void) {
  static const char function[] = "SelfsameTieTableGet";
  void* found = dlsym(RTLD_DEFAULT, function);
  if (found != NULL) return bind_to_owner(found);
  // It may have been loaded with local symbols. Its SONAME is also that of a stock library, which may have come first.
  struct SsLoaded loaded = {NULL, 0};
  ss_loaded_list(&loaded);
  int rc = -1;
  for (size_t i = 0; i < loaded.count && rc != 0; i++) {
    void* handle = dlopen(loaded.paths[i], RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) continue;
    found = dlsym(handle, function);
    if (found != NULL) rc = bind_to_owner(found);
    dlclose(handle);
  }
  ss_loaded_free(&loaded);
  return rc;
}

static int bind_locked(void) {
#ifdef SS_STUBS_TVM_FFI_FIRST
  // The package tvm_ffi takes its symbols from the global scope as well.
  if (bind_to(RTLD_DEFAULT) == 0 || bind_to_loaded(SS_RUNTIME_FILE) == 0) return 0;
  return bind_to_selfsame();
#else
  if (bind_to_selfsame() == 0 || bind_to_loaded(SS_RUNTIME_FILE) == 0) return 0;
  return bind_to(RTLD_DEFAULT);
#endif
}

int ss_stubs_bind(void) {
  if (__atomic_load_n(&is_bound, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_lock(&lock);
  if (!is_bound && bind_locked() == 0) __atomic_store_n(&is_bound, 1, __ATOMIC_RELEASE);
  int rc = is_bound ? 0 : -1;
  pthread_mutex_unlock(&lock);
  return rc;
}

void* ss_stubs_lookup(const char* symbol) { return ss_stubs_bind() == 0 ? dlsym(library, symbol) : NULL; }

SsStubsBinding ss_stubs_binding(void) { return (SsStubsBinding){&bound, &is_bound, &library}; }

void ss_stubs_take_over(SsStubsBinding original) {
  if (!*original.is_bound) return;
  bound = *original.functions;
  library = *original.library;
  __atomic_store_n(&is_bound, 1, __ATOMIC_RELEASE);
}

// Before Go starts, so that the first registration finds the functions bound. The priority ensures that: Go's
// constructor has none, and runs the program's init functions on another thread. If that thread bound the stubs, it
// would hold `lock` and wait in dlopen for the loader's lock, which this thread holds while it waits for `lock`.
__attribute__((constructor(101))) static void bind_at_load(void) { ss_stubs_bind(); }
