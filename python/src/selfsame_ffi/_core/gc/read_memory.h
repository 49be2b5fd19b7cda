// Reading what a native object owns, even while its memory may be freed by another thread.
#ifndef SELFSAME_CORE_GC_READ_MEMORY_H_
#define SELFSAME_CORE_GC_READ_MEMORY_H_

#include "gc/references.h"

// The head of an object, its first bytes, is copied first. Every builtin type's cell lies in it, and mostly the
// elements of short containers too.
enum { SS_HEAD_SIZE = 256 };

// Called for each reference; a result other than 0 ends the reading.
typedef int (*SsReferenceFn)(void* arg, TVMFFIObject* child);

// Copies `size` bytes from memory that may be unmapped. 0, or -1 when it is.
SS_HIDDEN int ss_copy_memory(const void* from, void* to, size_t size);

// Copies of the heads of objects.
enum { SS_HEADS = 256 };
typedef struct {
  int count;                                          // of heads
  const char* heads[SS_HEADS];                        // of the first `count` objects, in `memory`
  _Alignas(16) char memory[SS_HEADS * SS_HEAD_SIZE];  // where the copies lie
} SsHeads;

// Copies the heads of the first of `n` objects, at most SS_HEADS, with one or two system calls. Those that lie near
// each other are copied in one piece. The count is 0 when the first one cannot be read.
SS_HIDDEN void ss_copy_heads(TVMFFIObject* const* natives, int n, SsHeads* copy);

// Reads the references of an object that no thread changes. Returns the last result of `reference`.
SS_HIDDEN int ss_read_own(TVMFFIObject* object, SsReferenceFn reference, void* arg);

// Reads the references of an object that other threads may change. `head` is a copy of its head, or NULL when its own
// memory is not freed. Each further copy takes one from *reads_left. -1 when the object cannot be read.
SS_HIDDEN int ss_read_shared(TVMFFIObject* object, const char* head, int64_t* reads_left, SsReferenceFn reference,
                             void* arg);

// The Python object that a native owner owns, from a copy of its head. Borrowed; NULL for other objects.
SS_HIDDEN PyObject* ss_owned_python_object_in_head(const char* head);

#endif  // SELFSAME_CORE_GC_READ_MEMORY_H_
