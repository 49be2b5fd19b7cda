// Array (array.c), List (list.c) and Shape (shape.c). The caller makes sure that no other thread uses a
// container that it changes.
#ifndef SELFSAME_INTERNAL_PLANE_COLLECTIONS_SEQUENCE_H_
#define SELFSAME_INTERNAL_PLANE_COLLECTIONS_SEQUENCE_H_

#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"

#pragma GCC visibility push(hidden)

// The deleter of Array and List.
void ss_delete_sequence(void* self, int flags);

// A new Array or List without elements and with room for n; a new Shape of n dimensions, whose values the caller fills
// in. New reference; NULL raised.
TVMFFIObject* ss_array_new(int64_t n);
TVMFFIObject* ss_list_new(int64_t n);
TVMFFIObject* ss_shape_new(int64_t n, int64_t** dimensions);

// Moves an owned value to the end of an Array that has room for it.
void ss_array_push(TVMFFIObject* array, const TVMFFIAny* owned);

// Changing a List. Each returns 0, or -1 raised with the List as it was. They run foreign code only when they release
// elements, which they do last.
//
// Makes room for n elements in total, or for one more, when the capacity at least doubles.
int ss_list_reserve(TVMFFISeqCell* cell, int64_t n);
int ss_list_make_room(TVMFFISeqCell* cell);
// Replaces the elements from start to stop, which must lie within the List, by n views, which may be its own elements.
int ss_list_replace(TVMFFISeqCell* cell, int64_t start, int64_t stop, const TVMFFIAny* views, int64_t n);
// Removes the element at an index within the List. The caller owns it.
TVMFFIAny ss_list_take(TVMFFISeqCell* cell, int64_t at);
// Removes all elements; the memory stays.
int ss_list_clear(TVMFFISeqCell* cell);
// A new List of n owned values, which it takes over also when it fails. NULL raised.
TVMFFIObject* ss_list_of(const TVMFFIAny* owned, int64_t n);

// An Array or List.
static inline TVMFFISeqCell* ss_sequence(TVMFFIObject* obj) { return (TVMFFISeqCell*)(obj + 1); }

// Moves an owned value to the end of a List, or of an Array that has room for it. Returns 0, or -1 raised with the value
// released.
static inline int ss_sequence_append(TVMFFIObject* sequence, TVMFFIAny owned) {
  TVMFFISeqCell* cell = ss_sequence(sequence);
  if (sequence->type_index == kTVMFFIList && ss_list_make_room(cell) != 0) {
    ss_any_clear(&owned);
    return -1;
  }
  ((TVMFFIAny*)cell->data)[cell->size++] = owned;
  return 0;
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_COLLECTIONS_SEQUENCE_H_
