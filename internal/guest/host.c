// What the process was like before Go started: read while the library is loaded, on the thread that loads it.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void ss_guest_give_back_files(void);
const char* ss_guest_setting(int which);

#ifdef _WIN32  // Go reads the process's own environment there, and knows no limit of open files

void ss_guest_give_back_files(void) {}
const char* ss_guest_setting(int which) {
  (void)which;
  return NULL;
}

#else

#include <sys/resource.h>

static const char* const names[] = {"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK"};  // as in guest.go
static char* settings[sizeof names / sizeof *names];
static struct rlimit files;

// Before Go starts. The loading thread has Python's lock, which keeps others from changing the environment.
__attribute__((constructor(101))) static void look_at_host(void) {
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_max = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char* value = getenv(names[i]);
    if (value != NULL) settings[i] = strdup(value);
  }
}

// The value of a variable when the library was loaded; NULL: there was none.
const char* ss_guest_setting(int which) { return settings[which]; }

// Go has raised the soft limit of open files to the hard one less one. Programs that use select, and those that close all
// files up to the limit, count on the one that was there.
void ss_guest_give_back_files(void) {
  struct rlimit now;
  if (files.rlim_max == 0 || files.rlim_cur >= files.rlim_max || getrlimit(RLIMIT_NOFILE, &now) != 0) return;
  if (now.rlim_max == files.rlim_max && now.rlim_cur == now.rlim_max - 1) setrlimit(RLIMIT_NOFILE, &files);
}

#endif
