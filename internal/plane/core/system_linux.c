// What the plane asks of the system, on Linux: see system.h.
#include "system.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

int ss_on_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

// Whether this code is part of the executable, whose program headers the kernel passed to the process. Calls no
// function of the loader: another thread, or this one, may be inside it and hold its lock.
int ss_in_executable(void) {
  const ElfW(Phdr)* headers = (const ElfW(Phdr)*)getauxval(AT_PHDR);
  unsigned long count = headers == NULL ? 0 : getauxval(AT_PHNUM);
  uintptr_t base = 0, here = (uintptr_t)&ss_in_executable;
  for (unsigned long i = 0; i < count; i++) {
    if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
  }
  for (unsigned long i = 0; i < count; i++) {
    if (headers[i].p_type == PT_LOAD && here - base - headers[i].p_vaddr < headers[i].p_memsz) return 1;
  }
  return 0;
}
