// The constructor of a library with Go in it, for musl. Go's start takes the arguments of the process from those of the
// constructor, and musl passes none to constructors. It wants them as the kernel lays them out for a program: the
// arguments, NULL, the environment, NULL, the auxiliary vector. All of it stays for the life of the process.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

__attribute__((visibility("hidden"))) void selfsame_musl_entry(long argc, char** argv);
__attribute__((visibility("hidden"))) void selfsame_musl_start(void);

// Reads a file, and puts a null byte after it. NULL without the file or memory.
static char* read_file(const char* path, size_t* size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  char* text = NULL;
  size_t room = 0;
  *size = 0;
  for (;;) {
    if (room - *size < 2) {
      room = room ? 2 * room : 4096;
      char* larger = realloc(text, room);
      if (larger == NULL) break;
      text = larger;
    }
    ssize_t got = read(file, text + *size, room - *size - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *size += (size_t)got;
  }
  close(file);
  if (text != NULL) text[*size] = 0;
  return text;
}

static size_t count(const char* texts, size_t size) {
  size_t n = 0;
  for (const char* at = texts; at < texts + size; at += strlen(at) + 1) n++;
  return n;
}

// What Go reads from the auxiliary vector.
static const unsigned long tags[] = {AT_PAGESZ, AT_HWCAP, AT_SECURE, AT_RANDOM, AT_SYSINFO_EHDR};
enum { TAGS = sizeof(tags) / sizeof(tags[0]) };

// What a thread gets with glibc, and the most that musl gives for a default.
static const size_t stack_size = (size_t)8 << 20;

// Go's threads run C code, and call Python, on the stack that the C library gives to a thread. musl's default of 128 KB
// is little for that.
static void enlarge_stacks(void) {
  pthread_attr_t attributes;
  size_t size;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < stack_size) {
    pthread_attr_setstacksize(&attributes, stack_size);
    pthread_setattr_default_np(&attributes);
  }
  pthread_attr_destroy(&attributes);
}

void selfsame_musl_start(void) {
  enlarge_stacks();
  size_t size;
  char* arguments = read_file("/proc/self/cmdline", &size);
  if (arguments == NULL || size == 0) {  // without /proc, or a process without arguments
    arguments = program_invocation_name != NULL ? program_invocation_name : "";
    size = strlen(arguments) + 1;
  }
  size_t argc = count(arguments, size), variables = 0, n = 0;
  while (environ != NULL && environ[variables] != NULL) variables++;
  char** block = calloc(argc + 1 + variables + 1 + 2 * (TAGS + 1), sizeof(char*));
  if (block == NULL) abort();  // as Go does without memory
  for (const char* at = arguments; n < argc; at += strlen(at) + 1) block[n++] = (char*)at;
  n++;
  for (size_t i = 0; i < variables; i++) block[n++] = environ[i];
  n++;
  for (size_t i = 0; i < TAGS; i++) {
    block[n++] = (char*)tags[i];
    block[n++] = (char*)getauxval(tags[i]);
  }
  selfsame_musl_entry((long)argc, block);
}
