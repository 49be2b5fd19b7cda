// Loading a copy of this library: see selfcopy.h.
#include "selfcopy.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "image.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

// Adds a reason to the ones that `message` has.
__attribute__((format(printf, 3, 4))) static void add_reason(char* message, size_t size, const char* format, ...) {
  size_t length = strlen(message);
  if (length != 0 && length + 2 < size) {
    memcpy(message + length, "; ", 3);
    length += 2;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message + length, size - length, format, arguments);
  va_end(arguments);
}

// ---- the file's bytes -----------------------------------------------------------------------------------------------

static int read_all(int from, SsImageFile* file) {
  for (size_t done = 0; done < file->size;) {
    ssize_t n = read(from, file->bytes + done, file->size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return 0;
    if (n == 0) {
      file->size = done;  // shorter than the image: another file
      return 1;
    }
    done += (size_t)n;
  }
  return 1;
}

static int write_all(int to, const SsImageFile* file) {
  for (size_t done = 0; done < file->size;) {
    ssize_t n = write(to, file->bytes + done, file->size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    done += (size_t)n;
  }
  return 1;
}

// Reads the image's file, of `mapped` bytes, into new memory. Returns 0 with the reason in `message`, and no memory.
static int read_file(const SsImage* image, size_t mapped, SsImageFile* file, char* message, size_t message_size) {
  int from = open(image->path, O_RDONLY | O_CLOEXEC);
  if (from < 0) {
    snprintf(message, message_size, "cannot open %s: %s", image->path, strerror(errno));
    return 0;
  }
  file->size = mapped;
  file->bytes = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int ok = file->bytes != MAP_FAILED;
  if (ok && !read_all(from, file)) {
    munmap(file->bytes, mapped);
    ok = 0;
  }
  if (!ok) snprintf(message, message_size, "cannot read %s: %s", image->path, strerror(errno));
  close(from);
  return ok;
}

// ---- loading it -----------------------------------------------------------------------------------------------------

static void* load(const char* path, const char* where, char* message, size_t message_size) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    const char* reason = dlerror();
    add_reason(message, message_size, "%s: %s", where, reason == NULL ? "dlopen failed" : reason);
  }
  return handle;
}

// Writes a path of the descriptor that the loader does not know yet. It knows libraries by their paths, and in a child
// of a child, the number of the descriptor is often that of the parent's copy.
static void path_of_descriptor(int descriptor, char* path, size_t size) {
  static const char folder[] = "/proc/self/fd/";
  size_t length = sizeof folder - 1;
  memcpy(path, folder, sizeof folder);
  for (;;) {
    snprintf(path + length, size - length, "%d", descriptor);
    void* known = length + 16 < size ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) : NULL;
    if (known == NULL) break;
    dlclose(known);
    memcpy(path + length, "./", 2);
    length += 2;
  }
  dlerror();
}

static void* load_from_memory(const SsImageFile* file, char* message, size_t message_size) {
  static const char where[] = "memfd_create";
  int descriptor = memfd_create("selfsame", MFD_CLOEXEC | MFD_EXEC);
  if (descriptor < 0 && errno == EINVAL) descriptor = memfd_create("selfsame", MFD_CLOEXEC);  // before Linux 6.3
  if (descriptor < 0) {
    add_reason(message, message_size, "%s: %s", where, strerror(errno));
    return NULL;
  }
  void* handle = NULL;
  if (write_all(descriptor, file)) {
    char path[PATH_MAX];
    path_of_descriptor(descriptor, path, sizeof path);
    handle = load(path, where, message, message_size);
  } else {
    add_reason(message, message_size, "%s: %s", where, strerror(errno));
  }
  close(descriptor);
  return handle;
}

static void* load_from_folder(const SsImageFile* file, const char* folder, char* message, size_t message_size) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/selfsame-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) return NULL;
  int descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor < 0) {
    add_reason(message, message_size, "%s: %s", folder, strerror(errno));
    return NULL;
  }
  int written = write_all(descriptor, file);
  if (!written) add_reason(message, message_size, "%s: %s", folder, strerror(errno));
  close(descriptor);
  void* handle = written ? load(path, folder, message, message_size) : NULL;
  unlink(path);
  return handle;
}

static void* load_file(const SsImageFile* file, char* message, size_t message_size) {
  void* handle = load_from_memory(file, message, message_size);
  const char* folders[] = {secure_getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};
  for (size_t i = 0; handle == NULL && i < sizeof folders / sizeof *folders; i++) {
    if (folders[i] != NULL && folders[i][0] == '/') handle = load_from_folder(file, folders[i], message, message_size);
  }
  return handle;
}

// ---- a thread for it ------------------------------------------------------------------------------------------------

// A thread that is gone since the fork may have held the loader's lock. So the copy is loaded on a thread of its own. The
// caller gives it up when it has seen it asleep each second for so long: a thread that has no processor is not asleep.
#ifndef SS_COPY_PATIENCE
#define SS_COPY_PATIENCE 30  // seconds; a test has less
#endif

typedef struct {
  volatile uint64_t* variable;
  uint64_t value;
  const SsCalled* functions;
  size_t count;
  void* handle;
  char message[1024];
  pid_t thread;  // 0 before it runs; guarded by the lock, as is what follows
  int is_done;
  int is_left;  // the caller has gone
  pthread_mutex_t lock;
  pthread_cond_t done;
} Attempt;

static void* load_copy(Attempt* a) {
  SsImage image;
  SsImageFile file;
  if (!ss_image_find(a->variable, &image, a->message, sizeof a->message)) return NULL;
  size_t mapped = ss_image_file_size(&image);
  if (!read_file(&image, mapped, &file, a->message, sizeof a->message)) return NULL;
  void* handle = NULL;
  if (ss_image_is_of_file(&image, &file, a->message, sizeof a->message) &&
      ss_image_set(&image, &file, a->variable, a->value, a->message, sizeof a->message) &&
      (a->functions == NULL ||
       ss_image_redirect(&image, &file, a->functions, a->count, a->message, sizeof a->message))) {
    ss_image_drop_sections(&file);
    if (a->functions != NULL) ss_image_drop_thread_locals(&image, &file);
    handle = load_file(&file, a->message, sizeof a->message);
  }
  munmap(file.bytes, mapped);
  return handle;
}

static void free_attempt(Attempt* a) {
  pthread_cond_destroy(&a->done);
  pthread_mutex_destroy(&a->lock);
  free(a);
}

static void* run(void* data) {
  Attempt* a = data;
  pthread_mutex_lock(&a->lock);
  a->thread = (pid_t)syscall(SYS_gettid);
  pthread_mutex_unlock(&a->lock);
  void* handle = load_copy(a);
  pthread_mutex_lock(&a->lock);
  a->handle = handle;
  a->is_done = 1;
  int is_left = a->is_left;
  pthread_cond_signal(&a->done);
  pthread_mutex_unlock(&a->lock);
  if (is_left) free_attempt(a);
  return NULL;
}

// Whether a thread of this process sleeps, as one does that waits for a lock. Without /proc: yes.
static int is_asleep(pid_t thread) {
  char path[64], stat[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 1;
  ssize_t n = read(file, stat, sizeof stat - 1);
  close(file);
  stat[n > 0 ? n : 0] = '\0';
  const char* state = strrchr(stat, ')');  // "TID (NAME) STATE ...", and the name may hold anything
  return state == NULL || state[1] == '\0' || state[2] == 'S';
}

// Waits for the thread. Returns whether it has ended; if not, the attempt is the thread's.
static int wait_for(Attempt* a) {
  pthread_mutex_lock(&a->lock);
  for (int asleep = 0; !a->is_done && asleep < SS_COPY_PATIENCE;) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    while (!a->is_done && pthread_cond_timedwait(&a->done, &a->lock, &end) != ETIMEDOUT) {
    }
    asleep = a->thread != 0 && is_asleep(a->thread) ? asleep + 1 : 0;
  }
  int is_done = a->is_done;
  a->is_left = !is_done;
  pthread_mutex_unlock(&a->lock);
  return is_done;
}

static void* load_on_thread(volatile uint64_t* variable, uint64_t value, const SsCalled* functions, size_t count,
                            char* message, size_t message_size) {
  static int is_stuck;
  Attempt* a = calloc(1, sizeof(Attempt));
  pthread_condattr_t monotonic;
  pthread_t thread;
  message[0] = '\0';
  if (a == NULL || is_stuck) {
    snprintf(message, message_size, "%s", a == NULL ? "out of memory" : "the dynamic loader is locked");
    free(a);
    return NULL;
  }
  a->variable = variable;
  a->value = value;
  a->functions = functions;
  a->count = count;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&a->done, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&a->lock, NULL);
  // Made as a detached thread: pthread_detach of glibc 2.36 still reads the thread's descriptor after the thread may
  // have ended and unmapped it.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  int error = pthread_create(&thread, &attributes, run, a);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    snprintf(message, message_size, "cannot start a thread: %s", strerror(error));
    free_attempt(a);
    return NULL;
  }
  if (!wait_for(a)) {
    is_stuck = 1;
    snprintf(message, message_size,
             "the dynamic loader is locked, as by a thread of the parent that was in it at the fork");
    return NULL;
  }
  void* handle = a->handle;
  snprintf(message, message_size, "%s", a->message);
  free_attempt(a);
  return handle;
}

void* ss_self_copy_load(volatile uint64_t* handover_variable, uint64_t value, char* message, size_t message_size) {
  return load_on_thread(handover_variable, value, NULL, 0, message, message_size);
}

void* ss_self_copy_load_go(volatile uint64_t* handover_variable, uint64_t value, const SsCalled* functions,
                           size_t count, char* message, size_t message_size) {
  return load_on_thread(handover_variable, value, functions, count, message, message_size);
}
