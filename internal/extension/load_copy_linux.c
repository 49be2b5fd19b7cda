// How much of a library's thread-local memory its copy gets: see load_copy.h.
#include <link.h>

#include "load_copy.h"
#include "selfcopy.h"
#include "selfsame/tie.h"

// The size of the thread-local variables of a library that has none but Go's and those of internal/tie.
enum { OWN_THREAD_LOCALS = 8 + sizeof(SelfsameGoCalls*) + sizeof(SelfsameGoCalls) };

typedef struct {
  uintptr_t address;  // in the library
  size_t size;
} ThreadLocals;

// Stores the size of the thread-local variables of the library at the address.
static int find_thread_locals(struct dl_phdr_info* info, size_t info_size, void* data) {
  (void)info_size;
  ThreadLocals* out = data;
  int mine = 0;
  size_t found = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && out->address - info->dlpi_addr - header->p_vaddr < header->p_memsz) mine = 1;
    if (header->p_type == PT_TLS) found = header->p_memsz;
  }
  if (mine) out->size = found;
  return mine;
}

// The process has little room for the thread-local variables of copies, so that they get none beside Go's, because
// their C code is not used. But C code of the user's package is used, and may have some.
int ss_extension_load_copy(volatile uint64_t* handover, uint64_t value, char* message, size_t size) {
  static const SsCalled no_functions[1];
  ThreadLocals locals = {(uintptr_t)handover, SIZE_MAX};
  dl_iterate_phdr(find_thread_locals, &locals);
  void* copy = locals.size <= OWN_THREAD_LOCALS ? ss_self_copy_load_go(handover, value, no_functions, 0, message, size)
                                                : ss_self_copy_load(handover, value, message, size);
  return copy == NULL ? -1 : 0;
}
