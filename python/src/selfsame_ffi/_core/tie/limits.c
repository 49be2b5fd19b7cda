// Asking for as much memory, and as many files and threads, as a Go runtime needs while it starts, and giving them back: Go
// ends the process where it gets too little.
#include "tie/limits.h"

#include "tie/core.h"

#ifdef __linux__

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tie/signals.h"

#define MB ((size_t)1 << 20)

// The address space that one Go runtime maps until its first calls are done, without the stacks of its threads.
// `bench/python/footprint.py` measures it.
#define ADDRESS_SPACE (256 * MB)
#define DATA (144 * MB)
// Threads that Go starts besides those that run goroutines, of which it has one for each processor.
// On a busy machine it starts more of them than the five of an idle one.
#define FURTHER_THREADS 8

static size_t stacks(void) {
  cpu_set_t processors;
  size_t count = sched_getaffinity(0, sizeof(processors), &processors) == 0 ? (size_t)CPU_COUNT(&processors) : 1024;
  size_t size = 8 * MB;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  }
  return (count + FURTHER_THREADS) * size;
}

// A size of memory in use, from a line of /proc/self/status such as "VmData:    1234 kB"; 0 when it is not known.
static size_t in_use(const char* field) {
  FILE* status = fopen("/proc/self/status", "re");
  char line[128];
  size_t kilobytes = 0;
  while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
    if (strncmp(line, field, strlen(field)) == 0) kilobytes = strtoull(line + strlen(field), NULL, 10);
  }
  if (status != NULL) fclose(status);
  return kilobytes * 1024;
}

static int fits(size_t size, int protection) {
  void* memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  munmap(memory, size);
  return 1;
}

static int check(const char* name, int resource, const char* what, const char* field, size_t needed, int protection) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || fits(needed, protection)) return 0;
  size_t used = in_use(field);
  PyErr_Format(
      PyExc_ImportError,
      "%s: the limit on %s is too low for the Go runtime: it is %zu MB, of which the process uses %zu MB, and Go "
      "needs %zu MB; raise it to %zu MB or more",
      name, what, (size_t)limit.rlim_cur / MB, used / MB, needed / MB, (used + needed) / MB + 1);
  return -1;
}

// The library, and what Go waits for sockets and timers with.
#define FILES 4

static int check_files(const char* name) {
  int files[FILES], count = 0;
  while (count < FILES && (files[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) count++;
  int is_enough = count == FILES;
  for (int i = 0; i < count; i++) close(files[i]);
  if (is_enough) return 0;
  PyErr_Format(PyExc_ImportError,
               "%s: the process can open %d more files, and the Go runtime needs %d; raise the limit on open files "
               "(ulimit -n, RLIMIT_NOFILE) or close some",
               name, count, FILES);
  return -1;
}

// Threads that Go has at the end of its start on an idle machine.
#define THREADS 5

static void* wait_until_free(void* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

static int check_threads(const char* name) {
  pthread_t threads[THREADS];
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t attributes;
  SsSignals before;
  int count = 0;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_setstacksize(&attributes, (size_t)1 << 17);
  pthread_mutex_lock(&mutex);
  ss_signals_block(&before);
  while (count < THREADS && pthread_create(&threads[count], &attributes, wait_until_free, &mutex) == 0) count++;
  ss_signals_restore(&before);
  pthread_mutex_unlock(&mutex);
  pthread_attr_destroy(&attributes);
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  if (count == THREADS) return 0;
  PyErr_Format(PyExc_ImportError,
               "%s: the system gives the process %d more threads, and the Go runtime needs %d; raise the limit on "
               "processes (ulimit -u, RLIMIT_NPROC, or the container's limit on processes)",
               name, count, THREADS);
  return -1;
}

int ss_limits_check(const char* name) {
  if (check_files(name) != 0 || check_threads(name) != 0) return -1;
  size_t threads = stacks();
  if (check(name, RLIMIT_AS, "address space (ulimit -v, RLIMIT_AS)", "VmSize:", ADDRESS_SPACE + threads, PROT_NONE) !=
      0)
    return -1;
  return check(name, RLIMIT_DATA, "data (ulimit -d, RLIMIT_DATA)", "VmData:", DATA + threads, PROT_READ | PROT_WRITE);
}

#else  // Go's reservations are no part of a limit there

int ss_limits_check(const char* name) {
  (void)name;
  return 0;
}

#endif
