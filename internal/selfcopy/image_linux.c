// A loaded library and its file: see image.h.
#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The path of the file that this library was loaded from, if the loader was given a relative one: the process may
// change its working directory later.
static char* absolute_path;

typedef struct {
  uintptr_t address;
  SsImage* image;
} Search;

int ss_image_contains(const SsImage* image, uintptr_t address) {
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type == PT_LOAD && address - image->base - header->p_vaddr < header->p_memsz) return 1;
  }
  return 0;
}

static int find(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  Search* search = data;
  SsImage image = {info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, info->dlpi_name};
  if (!ss_image_contains(&image, search->address)) return 0;
  *search->image = image;
  return 1;
}

static int find_image(const volatile void* address, SsImage* image) {
  Search search = {(uintptr_t)address, image};
  return dl_iterate_phdr(find, &search);
}

__attribute__((constructor)) static void keep_path(void) {
  SsImage image;
  if (!find_image(&absolute_path, &image) || image.path == NULL || image.path[0] == '/' || image.path[0] == '\0')
    return;
  absolute_path = realpath(image.path, NULL);
}

int ss_image_find(const volatile void* address, SsImage* image, char* message, size_t message_size) {
  if (!find_image(address, image)) {
    snprintf(message, message_size, "the loader does not know the library");
    return 0;
  }
  if (image->path == NULL || image->path[0] == '\0') {
    snprintf(message, message_size, "it is part of the executable, and only a library can be copied");
    return 0;
  }
  if (image->path[0] != '/' && absolute_path != NULL) image->path = absolute_path;
  return 1;
}

size_t ss_image_file_size(const SsImage* image) {
  size_t end = 0;
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type == PT_LOAD && header->p_offset + header->p_filesz > end)
      end = header->p_offset + header->p_filesz;
  }
  return end;
}

// ---- the same file? -------------------------------------------------------------------------------------------------

// Finds the build id among the notes from `notes` on. Returns its size, 0 if there is none.
static size_t find_build_id(const unsigned char* notes, size_t size, size_t alignment, const unsigned char** id) {
  if (alignment < 4) alignment = 4;
  while (size >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr)* note = (const ElfW(Nhdr)*)notes;
    size_t name = sizeof *note;
    size_t content = (name + note->n_namesz + alignment - 1) & -alignment;
    size_t next = (content + note->n_descsz + alignment - 1) & -alignment;
    if (content + note->n_descsz > size) return 0;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
      *id = notes + content;
      return note->n_descsz;
    }
    if (next >= size) return 0;
    notes += next;
    size -= next;
  }
  return 0;
}

static int same_headers(const SsImage* image, const SsImageFile* file) {
  const ElfW(Ehdr)* start = (const ElfW(Ehdr)*)file->bytes;
  size_t size = (size_t)image->num_headers * sizeof(ElfW(Phdr));
  return file->size >= sizeof *start && memcmp(start->e_ident, ELFMAG, SELFMAG) == 0 &&
         start->e_phentsize == sizeof(ElfW(Phdr)) && start->e_phnum == image->num_headers &&
         start->e_phoff <= file->size && size <= file->size - start->e_phoff &&
         memcmp(file->bytes + start->e_phoff, image->headers, size) == 0;
}

// Compares the segments that no process writes to.
static int same_contents(const SsImage* image, const SsImageFile* file) {
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W) || !(header->p_flags & PF_R)) continue;
    if (memcmp((const void*)(image->base + header->p_vaddr), file->bytes + header->p_offset, header->p_filesz) != 0) {
      return 0;
    }
  }
  return 1;
}

// -1 if the image has no build id.
static int same_build_id(const SsImage* image, const SsImageFile* file) {
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type != PT_NOTE || header->p_offset + header->p_filesz > file->size) continue;
    const unsigned char *in_memory, *in_file;
    size_t size = find_build_id((const unsigned char*)(image->base + header->p_vaddr), header->p_memsz, header->p_align,
                                &in_memory);
    if (size == 0) continue;
    return find_build_id(file->bytes + header->p_offset, header->p_filesz, header->p_align, &in_file) == size &&
           memcmp(in_memory, in_file, size) == 0;
  }
  return -1;
}

int ss_image_is_of_file(const SsImage* image, const SsImageFile* file, char* message, size_t message_size) {
  int same = same_headers(image, file);
  if (same) same = same_build_id(image, file);
  if (same < 0) same = same_contents(image, file);
  if (!same) snprintf(message, message_size, "the file %s was replaced since the process loaded it", image->path);
  return same;
}

// ---- changing the file ----------------------------------------------------------------------------------------------

// Where `size` bytes at an address relative to the image lie in the file, or NULL.
static void* in_file(const SsImage* image, const SsImageFile* file, uintptr_t address, size_t size) {
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type != PT_LOAD || address < header->p_vaddr || size > header->p_filesz ||
        address - header->p_vaddr > header->p_filesz - size) {
      continue;
    }
    return file->bytes + header->p_offset + (address - header->p_vaddr);
  }
  return NULL;
}

int ss_image_set(const SsImage* image, const SsImageFile* file, const volatile uint64_t* variable, uint64_t value,
                 char* message, size_t message_size) {
  uint64_t before = *variable;
  void* place = in_file(image, file, (uintptr_t)variable - image->base, sizeof value);
  if (place == NULL || memcmp(place, &before, sizeof before) != 0) {
    snprintf(message, message_size, "the file %s does not contain the hand-over variable", image->path);
    return 0;
  }
  memcpy(place, &value, sizeof value);
  return 1;
}

// Writes a jump at `from` to `step`, and one at `step` to the address `target`; both places are in the file, as far
// from each other as in memory. The second jump uses a register of the processor that no function expects to keep.
// Returns 0 on a machine that this was not written for.
static int write_jumps(unsigned char* from, unsigned char* step, uint64_t target) {
#if defined(__x86_64__)
  static const unsigned char code[] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};  // mov r11; jmp r11
  memcpy(step, code, sizeof code);
  memcpy(step + 2, &target, sizeof target);
  int32_t distance = (int32_t)(step - (from + 5));
  from[0] = 0xe9;  // jmp
  memcpy(from + 1, &distance, sizeof distance);
  return 1;
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
  static const uint32_t code[] = {0x58000050, 0xd61f0200};  // ldr x16, 8 bytes on; br x16
  memcpy(step, code, sizeof code);
  memcpy(step + sizeof code, &target, sizeof target);
  uint32_t jump = 0x14000000 | ((uint32_t)((step - from) / 4) & 0x03ffffff);  // b
  memcpy(from, &jump, sizeof jump);
  return 1;
#else
  (void)from, (void)step, (void)target;
  return 0;
#endif
}

int ss_image_redirect(const SsImage* image, const SsImageFile* file, const SsCalled* functions, size_t count,
                      char* message, size_t message_size) {
  for (size_t i = 0; i < count; i++) {
    uintptr_t function = (uintptr_t)functions[i].function;
    unsigned char* from = in_file(image, file, function - image->base, 5);
    unsigned char* step = in_file(image, file, (uintptr_t)functions[i].jump - image->base, 16);
    if (from == NULL || step == NULL || !write_jumps(from, step, function)) {
      snprintf(message, message_size, "the copy's C functions cannot lead to the ones in use");
      return 0;
    }
  }
  return 1;
}

void ss_image_drop_sections(const SsImageFile* file) {
  ElfW(Ehdr)* start = (ElfW(Ehdr)*)file->bytes;
  start->e_shoff = 0;
  start->e_shnum = 0;
  start->e_shstrndx = SHN_UNDEF;
}

#ifdef __x86_64__
typedef struct {
  ElfW(Rela) * first;
  size_t count;
} Relocations;

static Relocations relocations_of(const SsImage* image, const SsImageFile* file) {
  uintptr_t table = 0;
  size_t size = 0;
  const ElfW(Dyn)* dynamic = NULL;
  for (int i = 0; i < image->num_headers; i++) {
    const ElfW(Phdr)* header = &image->headers[i];
    if (header->p_type == PT_DYNAMIC) dynamic = in_file(image, file, header->p_vaddr, header->p_filesz);
  }
  for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_RELA) table = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_RELASZ) size = dynamic->d_un.d_val;
  }
  return (Relocations){in_file(image, file, table, size), size / sizeof(ElfW(Rela))};
}

static int is_for_own_variable(const ElfW(Rela) * r, unsigned type) {
  return ELF64_R_TYPE(r->r_info) == type && ELF64_R_SYM(r->r_info) == 0;
}

// Whether the library reaches its thread-local variables only by their distance from the thread's pointer.
static int all_initial_exec(Relocations relocations) {
  int found = 0;
  for (size_t i = 0; relocations.first != NULL && i < relocations.count; i++) {
    const ElfW(Rela)* r = &relocations.first[i];
    if (is_for_own_variable(r, R_X86_64_DTPMOD64) || is_for_own_variable(r, R_X86_64_TLSDESC)) return 0;
    if (is_for_own_variable(r, R_X86_64_TPOFF64)) found = 1;
  }
  return found;
}

void ss_image_drop_thread_locals(const SsImage* image, const SsImageFile* file) {
  ElfW(Phdr)* headers = (ElfW(Phdr)*)(file->bytes + ((ElfW(Ehdr)*)file->bytes)->e_phoff);
  Relocations relocations = relocations_of(image, file);
  if (!all_initial_exec(relocations)) return;
  for (int i = 0; i < image->num_headers; i++) {
    if (headers[i].p_type != PT_TLS) continue;
    if (headers[i].p_filesz != 0 || headers[i].p_memsz <= 8 || headers[i].p_align > 8) return;
    headers[i].p_memsz = 8;
  }
  for (size_t i = 0; i < relocations.count; i++) {
    ElfW(Rela)* r = &relocations.first[i];
    // An offset that leads to no address.
    if (is_for_own_variable(r, R_X86_64_TPOFF64) && r->r_addend >= 8) r->r_addend = INT64_MIN / 2;
  }
}
#else
void ss_image_drop_thread_locals(const SsImage* image, const SsImageFile* file) { (void)image, (void)file; }
#endif
