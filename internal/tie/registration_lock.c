// The lock of registrations; see registration_lock in selfsame/tie.h.
//
// Not a mutex of the C library: a goroutine takes it on one thread and may give it back on another.
#include "registration_lock.h"

#include <pthread.h>
#include <string.h>

#include "selfsame/internal/process.h"

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t free;
  int held;
} lock = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

// The thread that held the lock is gone in the child: no holder runs code that forks.
static void forget_in_child(void) {
  static const pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  memcpy(&lock.mutex, &mutex, sizeof(mutex));
  memcpy(&lock.free, &condition, sizeof(condition));
  lock.held = 0;
}

static void watch_forks(void) { ss_watch_forks(NULL, NULL, forget_in_child); }

void ss_registration_lock(int on) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&lock.mutex);
  while (on && lock.held) pthread_cond_wait(&lock.free, &lock.mutex);
  lock.held = on;
  if (!on) pthread_cond_signal(&lock.free);
  pthread_mutex_unlock(&lock.mutex);
}
