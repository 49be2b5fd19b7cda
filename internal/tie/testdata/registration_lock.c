// The lock of registrations: threads exclude each other, a thread may give back what another one took, and a forked
// child begins with a free lock. Without the lock the counter loses steps, and the child never ends.
#include "../registration_lock.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 20000 };

static int steps;

static void* take_steps(void* unused) {
  for (int i = 0; i < ROUNDS; i++) {
    ss_registration_lock(1);
    steps++;
    ss_registration_lock(0);
  }
  return unused;
}

static void* take(void* unused) {
  ss_registration_lock(1);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS], taker;
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, take_steps, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  pthread_create(&taker, NULL, take, NULL);
  pthread_join(taker, NULL);
  pid_t child = fork();
  if (child == 0) {
    ss_registration_lock(1);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  ss_registration_lock(0);
  ss_registration_lock(1);
  printf("%d steps of %d, child: %d\n", steps, THREADS * ROUNDS, status);
  return steps == THREADS * ROUNDS && status == 0 ? 0 : 1;
}
