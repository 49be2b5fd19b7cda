// The Arrow C data interface and C stream interface: what https://arrow.apache.org/docs/format/CDataInterface.html
// fixes of the memory of three structs. A struct whose `release` is NULL is released, or was moved elsewhere.
//
// The maker of a struct says on which threads its functions may run: those of this project run on any thread.
#ifndef SELFSAME_INTERNAL_ARROW_H_
#define SELFSAME_INTERNAL_ARROW_H_

#include <stdint.h>

enum { SS_ARROW_DICTIONARY_ORDERED = 1, SS_ARROW_NULLABLE = 2, SS_ARROW_MAP_KEYS_SORTED = 4 };

// The type of a column, with those of its parts.
typedef struct SsArrowSchema {
  const char* format;                // the type, in the interface's short form; owned by the struct
  const char* name;                  // of the column, or NULL; owned by the struct
  const char* metadata;              // lengths and texts of pairs, or NULL; owned by the struct
  int64_t flags;                     // the bits above
  int64_t n_children;                // how many `children` has
  struct SsArrowSchema** children;   // of the parts, owned by the struct
  struct SsArrowSchema* dictionary;  // the type of the values that indices stand for, or NULL; owned by the struct
  void (*release)(struct SsArrowSchema* schema);  // frees what the struct owns and sets itself to NULL
  void* private_data;                             // for `release`; owned by the struct
} SsArrowSchema;

// The values of a column, with those of its parts.
typedef struct SsArrowArray {
  int64_t length;        // how many values
  int64_t null_count;    // how many of them are null, -1 if nobody has counted
  int64_t offset;        // of the first value in the buffers
  int64_t n_buffers;     // how many `buffers` has
  int64_t n_children;    // how many `children` has
  const void** buffers;  // the first has a bit for each value that is not null, or is NULL; owned by the struct
  struct SsArrowArray** children;               // of the parts, owned by the struct
  struct SsArrowArray* dictionary;              // the values that indices stand for, or NULL; owned by the struct
  void (*release)(struct SsArrowArray* array);  // frees what the struct owns and sets itself to NULL
  void* private_data;                           // for `release`; owned by the struct
} SsArrowArray;

// Arrays of one type, one after the other. Functions return 0 or an errno.
typedef struct SsArrowStream {
  int (*get_schema)(struct SsArrowStream* stream, SsArrowSchema* out);  // *out: a schema that the caller owns
  int (*get_next)(struct SsArrowStream* stream,
                  SsArrowArray* out);  // *out: an array that the caller owns; released at the end
  const char* (*get_last_error)(struct SsArrowStream* stream);  // of the last failure, until the next call; or NULL
  void (*release)(struct SsArrowStream* stream);                // frees what the struct owns and sets itself to NULL
  void* private_data;                                           // for the functions; owned by the struct
} SsArrowStream;

#endif  // SELFSAME_INTERNAL_ARROW_H_
