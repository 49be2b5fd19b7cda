// Memory of Arrow structs that Go fills, allocated with malloc so that any thread may free it, with or without Go.
#ifndef SELFSAME_INTERNAL_ENGINE_ARROW_MEMORY_H_
#define SELFSAME_INTERNAL_ENGINE_ARROW_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

#include "selfsame/internal/arrow.h"

// Makes *out a schema with copies of a format and a name, and room for children, which are released. Returns 0, or -1
// when
// out of memory; then *out is released.
int ss_arrow_schema_init(SsArrowSchema* out, const char* format, size_t format_size, const char* name, size_t name_size,
                         int64_t flags, int64_t n_children);

// Makes *out an array of a length without nulls, with NULL for each buffer, and room for children, which are released.
// Returns 0, or -1 when out of memory; then *out is released.
int ss_arrow_array_init(SsArrowArray* out, int64_t length, int64_t n_buffers, int64_t n_children);

// Allocates buffer `at` of an array that ss_arrow_array_init made, at least `size` bytes, with zeros if `zeroed`.
// Returns
// it, or NULL when out of memory. The array owns it.
void* ss_arrow_buffer(SsArrowArray* array, int64_t at, size_t size, int zeroed);

// Release what a struct owns, unless it is released.
void ss_arrow_schema_release(SsArrowSchema* schema);
void ss_arrow_array_release(SsArrowArray* array);
void ss_arrow_stream_release(SsArrowStream* stream);

// Call functions of a stream of somebody's.
int ss_arrow_get_schema(SsArrowStream* stream, SsArrowSchema* out);
int ss_arrow_get_next(SsArrowStream* stream, SsArrowArray* out);
const char* ss_arrow_last_error(SsArrowStream* stream);

// How many structs of ss_arrow_schema_init and ss_arrow_array_init are not released. For tests.
int64_t ss_arrow_live(void);

#endif  // SELFSAME_INTERNAL_ENGINE_ARROW_MEMORY_H_
