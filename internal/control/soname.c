// An empty shared library whose SONAME is libtvm_ffi.so, made in memory, or without /proc in a temporary file.
#include "soname.h"

#ifdef __linux__
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "selfsame/c_api.h"

#define RUNTIME_SONAME "libtvm_ffi.so"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

enum { DYNAMIC_ENTRIES = 7, PAGE = 0x10000 };

// The file: an ELF library without symbols. One segment holds it all; it is writable, because the loader changes the
// addresses in the dynamic section.
typedef struct {
  ElfW(Ehdr) header;
  ElfW(Phdr) segments[3];
  ElfW(Sym) symbol;  // the one without a name, which every table begins with
  uint32_t hash[4];  // a table with one chain, which ends at that symbol
  char names[sizeof("\0" RUNTIME_SONAME)];
  ElfW(Dyn) dynamic[DYNAMIC_ENTRIES];
} EmptyLibrary;

#define AT(member) offsetof(EmptyLibrary, member)

static const EmptyLibrary empty_library = {
    .header =
        {
            .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
            .e_type = ET_DYN,
            .e_machine = MACHINE,
            .e_version = EV_CURRENT,
            .e_phoff = AT(segments),
            .e_ehsize = sizeof(ElfW(Ehdr)),
            .e_phentsize = sizeof(ElfW(Phdr)),
            .e_phnum = 3,
            .e_shentsize = sizeof(ElfW(Shdr)),
        },
    .segments = {{.p_type = PT_LOAD,
                  .p_flags = PF_R | PF_W,
                  .p_filesz = sizeof(EmptyLibrary),
                  .p_memsz = sizeof(EmptyLibrary),
                  .p_align = PAGE},
                 {.p_type = PT_DYNAMIC,
                  .p_flags = PF_R | PF_W,
                  .p_offset = AT(dynamic),
                  .p_vaddr = AT(dynamic),
                  .p_paddr = AT(dynamic),
                  .p_filesz = sizeof(ElfW(Dyn)) * DYNAMIC_ENTRIES,
                  .p_memsz = sizeof(ElfW(Dyn)) * DYNAMIC_ENTRIES,
                  .p_align = sizeof(void*)},
                 // Without it the loader would make the stacks of all threads executable.
                 {.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = sizeof(void*)}},
    .hash = {1, 1, 0, 0},
    .names = "\0" RUNTIME_SONAME,
    .dynamic = {{DT_SONAME, {1}},
                {DT_HASH, {AT(hash)}},
                {DT_STRTAB, {AT(names)}},
                {DT_SYMTAB, {AT(symbol)}},
                {DT_STRSZ, {sizeof("\0" RUNTIME_SONAME)}},
                {DT_SYMENT, {sizeof(ElfW(Sym))}},
                {DT_NULL, {0}}},
};

static pthread_mutex_t providing = PTHREAD_MUTEX_INITIALIZER;

// Whether a library of the name is loaded. It stays loaded from then on.
static int is_loaded(void) { return dlopen(RUNTIME_SONAME, RTLD_LAZY | RTLD_NOLOAD) != NULL; }

// Writes the file and loads it by a path. Returns whether it is loaded; it is never closed.
static int load_written(int file, const char* path) {
  if (write(file, &empty_library, sizeof(empty_library)) != (ssize_t)sizeof(empty_library)) return 0;
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL;
}

static int load_from_memory(void) {
  int file = memfd_create(RUNTIME_SONAME, MFD_CLOEXEC);
  if (file < 0) return 0;
  char path[64];
  // The loader knows a library again by its path, and other code may load a file of its own from a descriptor with
  // this number. So this is not the usual spelling.
  snprintf(path, sizeof(path), "/proc/self/./fd/%d", file);
  int loaded = load_written(file, path);
  close(file);
  return loaded;
}

static int load_from_folder(const char* folder) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof(path), "%s/" RUNTIME_SONAME "-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof(path)) return 0;
  int file = mkostemp(path, O_CLOEXEC);
  if (file < 0) return 0;
  int loaded = load_written(file, path);
  close(file);
  unlink(path);
  return loaded;
}

// Without /proc, as in a bare root folder, memory has no path.
static void load_empty_library(void) {
  if (load_from_memory()) return;
  const char* folders[] = {secure_getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};
  for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
    if (folders[i] != NULL && folders[i][0] == '/' && load_from_folder(folders[i])) return;
  }
}

void ss_provide_soname(void) {
  static int provided;  // which it stays: libraries of this name are never closed
  if (MACHINE == EM_NONE || __atomic_load_n(&provided, __ATOMIC_ACQUIRE)) return;
  if (dlsym(RTLD_DEFAULT, "TVMFFIFunctionCall") != (void*)&TVMFFIFunctionCall) return;
  pthread_mutex_lock(&providing);
  if (!is_loaded()) load_empty_library();
  __atomic_store_n(&provided, is_loaded(), __ATOMIC_RELEASE);
  pthread_mutex_unlock(&providing);
}
#else
void ss_provide_soname(void) {}
#endif
