// go:build linux && (amd64 || arm64)

// Starting Go's threads without an arena of malloc's for each.
//
// runtime/cgo gives a new thread its arguments in memory from malloc, which the thread frees before anything else.
// glibc makes an arena for each thread that uses malloc, 64 MB of address space. Most of Go's threads never use it
// again. Memory that malloc mapped for one block only is freed without an arena, so the arguments are moved to such a
// block. The linker's option --wrap (cgo_linux.go) sends runtime/cgo's call here.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// Above the largest value of glibc's M_MMAP_THRESHOLD, so that malloc maps the block, and freeing it leaves the
// threshold alone. One page of it is used.
#define MAPPED_BLOCK (((size_t)33 << 20))

void __real__cgo_sys_thread_start(void* arguments) __attribute__((weak));  // NOLINT(bugprone-reserved-identifier)
void __wrap__cgo_sys_thread_start(void* arguments);                        // NOLINT(bugprone-reserved-identifier)

// Takes over `arguments`, which come from malloc. The calling thread is one of Go's, or inside Go.
void __wrap__cgo_sys_thread_start(void* arguments) {  // NOLINT(bugprone-reserved-identifier)
  void* moved = malloc(MAPPED_BLOCK);
  if (moved != NULL) {
    memcpy(moved, arguments, malloc_usable_size(arguments));
    free(arguments);
    arguments = moved;
  }
  __real__cgo_sys_thread_start(arguments);
}
