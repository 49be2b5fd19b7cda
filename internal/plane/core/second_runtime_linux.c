// Another runtime library, such as a stock libtvm_ffi.so opened by its path, may be loaded after this one. It does not
// bind its symbols to itself, so its static initialisers call this library, and register types and functions that exist
// here already. An error would leave them as an uncaught C++ exception. So what it registers a second time is left as
// it is, and it stays in the process without a part in it.
//
// Why a runtime that is loaded second may register what exists. Our runtime is loaded with global symbols, because
// extensions that are linked to nothing look for theirs there. The stock library, loaded second by its path, does not
// bind its symbols to itself: its static initialisers call our functions and register what exists already. An error
// there ends the process, and refusing the import is too late where ctypes, a NEEDED entry or another thread loads the
// file. So a registration whose return address lies in a library that defines the ABI's functions itself leaves alone
// what exists, and succeeds. Everything loaded later resolves its symbols to us, which makes both packages clients of
// one runtime.
//
// In the other order the stock library stays, and ours binds to itself beside it. An extension that would take its
// symbols from the stock runtime is refused, by reading the file's undefined symbols before it is loaded.
#include "second_runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

// A library that defines the ABI's functions. Never freed.
typedef struct Known {
  struct Known* next;    // the library that was met before; atomic
  uintptr_t start, end;  // of the library's mapped memory
  int32_t types;         // whether it defines functions of the ABI
} Known;

static Known* known;

// The object that called last and is no such library: its first page above PAGES_BITS bits with its number of pages. A
// library registers its members one after another, so this one word spares the search for most of them.
#define PAGE_BITS 12
#define PAGES_BITS 28
static uint64_t last_plain;

typedef struct {
  uintptr_t address, start, end;  // what is looked for, and the mapped memory of the library that has it
} Search;

static int find_object(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  Search* search = data;
  uintptr_t start = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + header->p_vaddr;
    if (from < start) start = from;
    if (from + header->p_memsz > end) end = from + header->p_memsz;
  }
  if (search->address < start || search->address >= end) return 0;
  search->start = start;
  search->end = end;
  return 1;
}

// Whether the object at these addresses, which is not this library, defines a function of the ABI.
static int defines_the_abi(const Search* object) {
  Dl_info info;
  if ((uintptr_t)&known >= object->start && (uintptr_t)&known < object->end) return 0;
  if (dladdr((void*)object->address, &info) == 0) return 0;  // NOLINT(performance-no-int-to-ptr)
  void* library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) return 0;  // the executable, or a file that was replaced
  uintptr_t symbol = (uintptr_t)dlsym(library, "TVMFFITypeRegisterAttr");
  dlclose(library);
  return symbol >= object->start && symbol < object->end;
}

static int32_t add(const Search* object) {
  Known* made = malloc(sizeof(Known));
  if (made == NULL) return SelfsameTypeIndexEnd();
  *made = (Known){__atomic_load_n(&known, __ATOMIC_RELAXED), object->start, object->end, SelfsameTypeIndexEnd()};
  while (!__atomic_compare_exchange_n(&known, &made->next, made, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return made->types;
}

static void remember_plain(const Search* object) {
  uint64_t first = object->start >> PAGE_BITS, pages = (object->end - object->start) >> PAGE_BITS;
  if (pages >> PAGES_BITS == 0) __atomic_store_n(&last_plain, first << PAGES_BITS | pages, __ATOMIC_RELAXED);
}

static int is_last_plain(uintptr_t address) {
  uint64_t word = __atomic_load_n(&last_plain, __ATOMIC_RELAXED);
  return (address >> PAGE_BITS) - (word >> PAGES_BITS) < (word & (((uint64_t)1 << PAGES_BITS) - 1));
}

int32_t ss_second_runtime(const void* caller) {
  uintptr_t address = (uintptr_t)caller;
  if (is_last_plain(address)) return 0;
  for (Known* k = __atomic_load_n(&known, __ATOMIC_ACQUIRE); k != NULL; k = k->next) {
    if (address >= k->start && address < k->end) return k->types;
  }
  Search search = {address, 0, 0};
  if (dl_iterate_phdr(find_object, &search) == 0) return 0;  // compiled at run time
  if (defines_the_abi(&search)) return add(&search);
  remember_plain(&search);
  return 0;
}
