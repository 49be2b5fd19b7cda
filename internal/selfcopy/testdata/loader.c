// Opens a library that copies itself, and lets it do so in different conditions: loader CONDITION LIBRARY.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../selfcopy.h"

enum { GENERATIONS = 40 };

static char message[1024];
static void* (*load)(uint64_t, char*, size_t);
static int (*count)(void);
static int (*shared)(void);

static void fail(const char* what) {
  fprintf(stderr, "%s: %s\n", what, message);
  exit(1);
}

static void* symbol(void* handle, const char* name) {
  void* found = dlsym(handle, name);
  if (found == NULL) fail(name);
  return found;
}

static void open_library(const char* path) {
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  load = symbol(handle, "copy_load");
  count = symbol(handle, "copy_count");
  shared = symbol(handle, "copy_shared");
  uint64_t (*handover)(void) = symbol(handle, "copy_handover");
  if (handover() != SS_SELF_COPY_NONE) fail("the original has a hand-over");
}

// Loads a copy and checks that it is one, with data of its own.
static void* copy(uint64_t value) {
  void* handle = load(value, message, sizeof message);
  if (handle == NULL) return NULL;
  uint64_t (*handover)(void) = symbol(handle, "copy_handover");
  if (handover() != value) fail("the copy has another hand-over");
  int before = count();
  int (*copy_count)(void) = symbol(handle, "copy_count");
  if (copy_count == count || copy_count() != 1 || count() != before + 1) fail("the copy shares data with the original");
  int (*copy_shared)(void) = symbol(handle, "copy_shared");
  before = shared();
  if (copy_shared() != (value & 1 ? 1 : before + 1)) fail("the copy's function is the wrong one");
  uint64_t (*copy_first)(uint64_t) = symbol(handle, "copy_first");
  if (copy_first(3) != 3 || copy_first(4) != 7) fail("the copy has no thread-local variable of its own");
  return handle;
}

static void copy_or_fail(uint64_t value) {
  if (copy(value) == NULL) fail("no copy");
}

static void must_refuse(const char* reason) {
  if (copy(7) != NULL) fail("there is a copy");
  if (strstr(message, reason) == NULL) fail("another reason");
}

static void generations(int left) {
  copy_or_fail((uint64_t)left * 2);
  if (left == 1) return;
  pid_t child = fork();
  if (child == 0) {
    generations(left - 1);
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) != child || status != 0) fail("a later generation");
}

// A copy without C code of its own has no memory for this variable, so that using it ends the process.
static void use_second(uint64_t value, int usable) {
  void* handle = copy(value);
  if (handle == NULL) fail("no copy");
  uint64_t (*copy_second)(uint64_t) = symbol(handle, "copy_second");
  pid_t child = fork();
  if (child == 0) {
    copy_second(1);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
#ifndef __x86_64__
  usable = 1;
#endif
  if (usable && status != 0) fail("the variable cannot be used");
  if (!usable && (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)) fail("the variable can be used");
}

// From now on memfd_create fails, and with `files` so does making a file.
static void forbid(int files) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, files ? SYS_openat : ~0U, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("seccomp");
    exit(77);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* condition = argv[1];
  if (strcmp(condition, "executable") == 0) {
    static volatile uint64_t handover = SS_SELF_COPY_NONE;
    if (ss_self_copy_load(&handover, 7, message, sizeof message) != NULL) fail("there is a copy");
    return strstr(message, "executable") == NULL;
  }
  open_library(argv[2]);
  if (strcmp(condition, "generations") == 0) {
    generations(GENERATIONS);
  } else if (strcmp(condition, "thread-local") == 0) {
    use_second(7, 1);
    use_second(8, 0);
  } else if (strcmp(condition, "other-folder") == 0) {
    if (chdir("/") != 0) fail("chdir");
    copy_or_fail(7);
  } else if (strcmp(condition, "replaced") == 0) {
    if (rename("other.so", argv[2]) != 0) fail("rename");
    must_refuse("was replaced since");
  } else if (strcmp(condition, "removed") == 0) {
    if (unlink(argv[2]) != 0) fail("unlink");
    must_refuse("cannot open");
  } else if (strcmp(condition, "installed-again") == 0) {
    if (rename("same.so", argv[2]) != 0) fail("rename");
    copy_or_fail(7);
  } else if (strcmp(condition, "slow") == 0) {
    setenv("COPY_DELAY", "processor", 1);
    copy_or_fail(7);
  } else if (strcmp(condition, "locked") == 0) {
    setenv("COPY_DELAY", "lock", 1);
    must_refuse("loader is locked");
    must_refuse("loader is locked");
    _exit(0);  // exit would wait for the loader
  } else if (strcmp(condition, "no-memfd") == 0) {
    forbid(0);
    copy_or_fail(7);
    copy_or_fail(8);
  } else if (strcmp(condition, "no-files") == 0) {
    forbid(1);
    must_refuse("memfd_create: Operation not permitted");
  } else {
    return 2;
  }
  return 0;
}
