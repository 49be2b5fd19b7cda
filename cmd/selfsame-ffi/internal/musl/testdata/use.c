// Opens a library with Go in it, and calls it from threads that began before and after that. It ends with status 0 when
// all went well.
//
// Usage: SELFSAME_MUSL_TEST=here use LIBRARY ARGUMENT...
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 8, TIMES = 200, ONCE = 200, DEPTH = 20, CALLS = 100000 };

typedef int64_t (*Callback)(int64_t);
static int (*HasArguments)(int, char**), (*SeesProcess)(void), (*Recovers)(void), (*Preempts)(void), (*Signalled)(void);
static int (*BeginProfile)(void), (*EndProfile)(void);
static int64_t (*Sum)(int64_t), (*Call)(Callback, int64_t);
static void (*Collect)(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int opened;
static atomic_int failed;

static void expect(int good, const char* what) {
  if (good) return;
  failed++;
  printf("FAILED %s\n", what);
}

static int64_t call_again(int64_t depth) { return depth > 0 ? Call(call_again, depth - 1) : 100; }
static int64_t same(int64_t x) { return x; }

static void* use_go(void* times) {
  pthread_mutex_lock(&mutex);
  while (!opened) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < *(int*)times; i++) {
    expect(Call(call_again, DEPTH) == 100 + DEPTH + 1, "calls to and fro");
    expect(Sum(8) == 28, "goroutines");
    expect(Recovers(), "a fault as a panic");
    if (i % 50 == 0) Collect();
  }
  return NULL;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  int many = TIMES, one = 1;
  pthread_t threads[2 * THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, use_go, &many);
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
#define FIND(name) expect((*(void**)&(name) = dlsym(library, #name)) != NULL, #name)
  FIND(HasArguments), FIND(SeesProcess), FIND(Recovers), FIND(Preempts), FIND(Signalled), FIND(BeginProfile);
  FIND(EndProfile), FIND(Sum), FIND(Call), FIND(Collect);
  if (failed) return 1;
  expect(HasArguments(argc, argv), "arguments");
  expect(SeesProcess(), "environment");
  expect(BeginProfile(), "a profile");
  pthread_mutex_lock(&mutex);
  opened = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = THREADS; i < 2 * THREADS; i++) pthread_create(&threads[i], NULL, use_go, &many);
  for (int i = 0; i < 2 * THREADS; i++) pthread_join(threads[i], NULL);
  expect(EndProfile() > 0, "the profile's end");
  for (int i = 0; i < ONCE; i++) {
    pthread_create(&threads[0], NULL, use_go, &one);
    pthread_join(threads[0], NULL);
  }
  expect(Signalled(), "a signal");
  double begin = nanoseconds();
  for (int i = 0; i < CALLS; i++) Call(same, 1);
  printf("a call into Go and back: %.0f ns\n", (nanoseconds() - begin) / CALLS);
  expect(Preempts(), "a goroutine that makes no calls is stopped");
  return failed != 0;
}
