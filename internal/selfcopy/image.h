// A loaded library as it lies in memory, and its file. Private to selfcopy.
#ifndef SELFSAME_INTERNAL_SELFCOPY_IMAGE_H_
#define SELFSAME_INTERNAL_SELFCOPY_IMAGE_H_

#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "selfcopy.h"

#pragma GCC visibility push(hidden)

typedef struct {
  uintptr_t base;              // what the file's addresses are relative to
  const ElfW(Phdr) * headers;  // in memory
  int num_headers;
  const char* path;  // of the file; lives as long as the library
} SsImage;

// Finds the library that `address` lies in. Returns 1, or 0 with the reason in `message`.
int ss_image_find(const volatile void* address, SsImage* image, char* message, size_t message_size);

// Whether an address lies in the library.
int ss_image_contains(const SsImage* image, uintptr_t address);

// The end of what the loader reads of the file, in bytes from its begin.
size_t ss_image_file_size(const SsImage* image);

// The file's bytes from 0 to ss_image_file_size, read into memory by the caller.
typedef struct {
  unsigned char* bytes;
  size_t size;
} SsImageFile;

// Whether the file is the one that the image was loaded from: the same program headers, and the same build id or, if
// there is none, the same contents of the segments that are never written. If not, the reason is in `message`.
int ss_image_is_of_file(const SsImage* image, const SsImageFile* file, char* message, size_t message_size);

// Sets the 8-byte variable at an address of the image to `value` in the file. Returns 0 with the reason in `message`
// when the file has no such variable, or another value than the one in memory.
int ss_image_set(const SsImage* image, const SsImageFile* file, const volatile uint64_t* variable, uint64_t value,
                 char* message, size_t message_size);

// Writes a jump to the image's function over the begin of each function. Returns 0 with the reason in `message`.
int ss_image_redirect(const SsImage* image, const SsImageFile* file, const SsCalled* functions, size_t count,
                      char* message, size_t message_size);

// Makes the file one without sections, which lie behind its end.
void ss_image_drop_sections(const SsImageFile* file);

// Leaves the first 8 bytes of the thread-local variables, if all of them are of the initial-exec kind. Code that uses
// another one crashes.
void ss_image_drop_thread_locals(const SsImage* image, const SsImageFile* file);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_SELFCOPY_IMAGE_H_
