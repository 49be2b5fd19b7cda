// TVMFFIHandleInitOnce: makes a process-wide handle once.
#include <pthread.h>

#include "fork.h"
#include "raise.h"

// Held while an init function runs. Recursive: an init function may make another handle.
static pthread_mutex_t mutex;

// Runs before any other code can call: the C standard library has no portable initializer for a recursive mutex.
__attribute__((constructor(101))) static void make_mutex(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attr);
  pthread_mutexattr_destroy(&attr);
}

void ss_initonce_fork_child(void) { make_mutex(); }

static int init_locked(void** handle_addr, int (*init_func)(void** result)) {
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) != NULL) return 0;
  void* handle = NULL;
  int rc = init_func(&handle);
  if (rc != 0) return rc;
  if (handle == NULL) return ss_raise("RuntimeError", "init_func must return a non-NULL handle");
  __atomic_store_n(handle_addr, handle, __ATOMIC_RELEASE);
  return 0;
}

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  static const char name[] = "TVMFFIHandleInitOnce";
  if (!ss_check_ptr(handle_addr, name, "handle_addr")) return -1;
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) != NULL) return 0;
  if (!ss_check_ptr((const void*)init_func, name, "init_func")) return -1;
  pthread_mutex_lock(&mutex);
  int rc = init_locked(handle_addr, init_func);
  pthread_mutex_unlock(&mutex);
  return rc;
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  static const char name[] = "TVMFFIHandleDeinitOnce";
  if (!ss_check_ptr(handle_addr, name, "handle_addr")) return -1;
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) == NULL) return 0;
  if (!ss_check_ptr((const void*)deinit_func, name, "deinit_func")) return -1;
  void* handle = __atomic_exchange_n(handle_addr, NULL, __ATOMIC_ACQ_REL);
  return handle == NULL ? 0 : deinit_func(handle);
}
