// Finds the function at an address in the dynamic symbol tables, without dladdr, which takes the loader's lock. Static
// initialisers run under that lock. An initialiser that waits for a thread that is just raising an error would wait for
// ever. dl_iterate_phdr does not take it.
#include "symbols.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Present when libstdc++ was loaded before this library.
extern char* __cxa_demangle(const char* mangled, char* buffer, size_t* length, int* status) __attribute__((weak));

typedef struct {
  uintptr_t address;  // what is looked for
  SsSymbol* out;      // the caller's, filled in when it is found
  int found;          // whether it was
} Search;

typedef struct {
  const ElfW(Sym) * symbols;  // the table, in the library's memory
  const char* names;          // what the table's names are offsets into
  size_t count;               // of the symbols
} SymbolTable;

// The number of symbols, from the GNU hash table: the end of the last chain.
static size_t count_from_gnu_hash(const uint32_t* hash) {
  uint32_t buckets = hash[0], first = hash[1], bloom_words = hash[2];
  const uint32_t* bucket = (const uint32_t*)((const ElfW(Addr)*)(hash + 4) + bloom_words);
  const uint32_t* chain = bucket + buckets;
  uint32_t last = 0;
  for (uint32_t i = 0; i < buckets; i++) {
    if (bucket[i] > last) last = bucket[i];
  }
  if (last < first) return first;
  while ((chain[last - first] & 1) == 0) last++;
  return (size_t)last + 1;
}

// glibc makes these addresses absolute, except those of the vdso, which stay offsets.
static const void* absolute(const struct dl_phdr_info* info, ElfW(Addr) p) {
  return (const void*)(p < info->dlpi_addr ? info->dlpi_addr + p : p);
}

static int read_table(const struct dl_phdr_info* info, const ElfW(Dyn) * dynamic, SymbolTable* t) {
  const uint32_t *gnu_hash = NULL, *hash = NULL;
  memset(t, 0, sizeof(*t));
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    const void* p = absolute(info, dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) t->symbols = p;
    if (dynamic->d_tag == DT_STRTAB) t->names = p;
    if (dynamic->d_tag == DT_GNU_HASH) gnu_hash = p;
    if (dynamic->d_tag == DT_HASH) hash = p;
  }
  if (t->symbols == NULL || t->names == NULL) return 0;
  if (hash != NULL) {
    t->count = hash[1];
  } else if (gnu_hash != NULL) {
    t->count = count_from_gnu_hash(gnu_hash);
  }
  return t->count != 0;
}

static void put_function(SsSymbol* out, const char* name) {
  int status = -1;
  char* readable = &__cxa_demangle != NULL && name[0] == '_' ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
  snprintf(out->function, sizeof(out->function), "%s", readable != NULL && status == 0 ? readable : name);
  free(readable);
}

static void find_in(const SymbolTable* t, uintptr_t base, Search* s) {
  for (size_t i = 0; i < t->count; i++) {
    const ElfW(Sym)* symbol = &t->symbols[i];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF) continue;
    uintptr_t start = base + symbol->st_value;
    if (s->address < start || s->address >= start + symbol->st_size) continue;
    put_function(s->out, t->names + symbol->st_name);
    s->found = 1;
    return;
  }
}

static int look_in_module(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  Search* s = data;
  const ElfW(Dyn)* dynamic = NULL;
  int inside = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && s->address >= start && s->address < start + header->p_memsz) inside = 1;
    if (header->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn)*)start;
  }
  if (!inside) return 0;
  SymbolTable t;
  if (dynamic != NULL && read_table(info, dynamic, &t)) find_in(&t, info->dlpi_addr, s);
  const char* name = info->dlpi_name != NULL && info->dlpi_name[0] != '\0' ? info->dlpi_name : "<program>";
  snprintf(s->out->module, sizeof(s->out->module), "%s", name);
  return 1;  // no other module has the address
}

int ss_symbol_at(uintptr_t address, SsSymbol* out) {
  Search s = {address, out, 0};
  dl_iterate_phdr(look_in_module, &s);
  return s.found;
}

static int read_unload_count(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  *(uint64_t*)data = info->dlpi_subs;
  return 1;
}

uint64_t ss_unload_count(void) {
  uint64_t count = 0;
  dl_iterate_phdr(read_unload_count, &count);
  return count;
}
