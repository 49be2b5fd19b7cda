// ffi.reflection.AccessStep and ffi.reflection.AccessPath; package accesspath has their layouts in Go. Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_ACCESS_PATH_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_ACCESS_PATH_H_

#include "selfsame/c_api.h"

#pragma GCC visibility push(hidden)

typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  int32_t kind;         // of the step, such as a field or an index
  TVMFFIAny key;        // owned
} SsAccessStep;

typedef struct {
  TVMFFIObject header;   // counts, type index and deleter
  TVMFFIObject* parent;  // owned AccessPath, NULL at the root
  TVMFFIObject* step;    // owned AccessStep, NULL at the root
  int32_t depth;         // how many steps there are
} SsAccessPath;

// The path to the root. New reference; NULL raised.
SsAccessPath* ss_access_path_root(void);

// The path of a parent and one more step. The parent, whose depth can be one more, and the key are borrowed. New
// reference; NULL raised.
SsAccessPath* ss_access_path_extend(SsAccessPath* parent, int32_t kind, const TVMFFIAny* key);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_ACCESS_PATH_H_
