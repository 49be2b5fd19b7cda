// Finding the process's runtime and binding the stubs to it.
#include "stubs.h"

#include <dlfcn.h>
#include <pthread.h>

#include "bound.h"

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

static int bind_locked(void) {
#ifdef SS_STUBS_TVM_FFI_FIRST
  static const char* const names[] = {"libtvm_ffi.so", "libselfsame.so"};
#else
  static const char* const names[] = {"libselfsame.so", "libtvm_ffi.so"};
#endif
  for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    void* handle = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) continue;
    if (bind_to(handle) == 0) return 0;
    dlclose(handle);
  }
  return bind_to(RTLD_DEFAULT);
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

// Before Go starts, so that the first registration finds the functions bound. The priority ensures that: Go's
// constructor has none, and runs the program's init functions on another thread. If that thread bound the stubs, it
// would hold `lock` and wait in dlopen for the loader's lock, which this thread holds while it waits for `lock`.
__attribute__((constructor(101))) static void bind_at_load(void) { ss_stubs_bind(); }
