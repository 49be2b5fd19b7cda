// go:build linux && (amd64 || arm64)

// The function mmap of this library, which hides the C library's from Go's runtime and from the library's own C code.
//
// Go's page allocator reserves an index of the whole address space, more than 1 GB, without access, and gives itself
// access to the few pages that its heap needs. This mmap does not reserve it. It answers with addresses in a part of
// the address space where neither the kernel nor Go's heap puts anything unless told so. The pages that Go asks for
// there later replace none that somebody else mapped. Other calls go to the C library as they are.
//
// Any thread. It runs before Go's runtime has started, so it uses nothing but system calls.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define MB ((uintptr_t)1 << 20)

// Above the addresses where Go starts a heap (at most 2^46), below those of executables and of the kernel's choice.
#define ZONE_START ((uintptr_t)0x400000000000)
#define ZONE_SLOTS 8192
// Each library with a Go runtime takes a slot. A page of it is mapped, so that no other takes it.
#define SLOT_SIZE (2048 * MB)
#define LEAST_RESERVATION (32 * MB)
#define SLOT_USE (1280 * MB)  // the page allocator takes 1,088 MB; a heap elsewhere than at Go's own hints takes none

// The C library's function by its other name. musl has none, and no sanitizer that watches it either.
#ifdef __GLIBC__
#define real_mmap mmap64
#else
#include <sys/syscall.h>
#include <unistd.h>
#define real_mmap(address, size, protection, flags, file, offset) \
  (void*)syscall(SYS_mmap, address, size, protection, flags, file, offset)
#endif

static uintptr_t slot;  // this library's; 0: none yet; 1: there can be none
static uintptr_t used;  // bytes of it that were given away

// Under the thread sanitizer Go programs have maps of their own in the zone's place.
extern int tsan_init __asm__("__tsan_init") __attribute__((weak));

static int is_owned(uintptr_t page, size_t page_size) {
  void* wanted = (void*)page;  // NOLINT(performance-no-int-to-ptr)
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* got = real_mmap(wanted, page_size, PROT_NONE, flags, -1, 0);
  if (got == MAP_FAILED) return 0;
  if (got != wanted) {  // a kernel before 4.17 takes the address as a hint
    munmap(got, page_size);
    return 0;
  }
  // It must also refuse a page that is taken.
  got = real_mmap(wanted, page_size, PROT_NONE, flags, -1, 0);
  if (got == MAP_FAILED && errno == EEXIST) return 1;
  if (got != MAP_FAILED) munmap(got, page_size);
  if (got != wanted) munmap(wanted, page_size);
  return 0;
}

static uintptr_t find_slot(void) {
  if (&tsan_init != NULL) return 1;
  // The loader chose this library's address by chance, so that most processes find a free slot at once.
  uintptr_t first = ((uintptr_t)&slot >> 12) * 2654435761U;
  for (uintptr_t i = 0; i < 64; i++) {
    uintptr_t start = ZONE_START + (first + i) % ZONE_SLOTS * SLOT_SIZE;
    if (is_owned(start, 65536)) return start;  // a multiple of every size of pages
  }
  return 1;
}

// Addresses for a reservation; NULL when it must be a real one.
static void* give(size_t size) {
  uintptr_t mine = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
  if (mine == 0) {
    uintptr_t found = find_slot();
    if (__atomic_compare_exchange_n(&slot, &mine, found, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) mine = found;
  }
  if (mine == 1) return NULL;
  size = (size + MB - 1) / MB * MB;
  uintptr_t before = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
  if (before + size > SLOT_USE) {
    __atomic_fetch_sub(&used, size, __ATOMIC_RELAXED);
    return NULL;
  }
  return (void*)(mine + MB + before);  // NOLINT(performance-no-int-to-ptr)
}

static int is_given(const void* address) {
  uintptr_t mine = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
  return mine > 1 && (uintptr_t)address - mine < SLOT_SIZE;
}

__attribute__((visibility("hidden"))) void* mmap(void* address, size_t size, int protection, int flags, int file,
                                                 off_t offset) {
  if (address == NULL && size >= LEAST_RESERVATION && protection == PROT_NONE &&
      flags == (MAP_PRIVATE | MAP_ANONYMOUS)) {
    void* given = give(size);
    if (given != NULL) return given;
  }
  if ((flags & MAP_FIXED) == 0 || !is_given(address)) return real_mmap(address, size, protection, flags, file, offset);
  void* got = real_mmap(address, size, protection, (flags & ~MAP_FIXED) | MAP_FIXED_NOREPLACE, file, offset);
  if (got == MAP_FAILED && errno == EEXIST) errno = ENOMEM;
  return got;
}
