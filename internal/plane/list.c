// List: its elements lie in a buffer.
#include <string.h>

#include "alloc.h"
#include "buffer.h"
#include "raise.h"
#include "selfsame/internal/refcount.h"
#include "sequence.h"

typedef struct {
  TVMFFIObject header;
  TVMFFISeqCell cell;
} ListObject;

TVMFFIObject* ss_list_new(int64_t n) {
  if (n < 0 || (uint64_t)n > (uint64_t)PTRDIFF_MAX / sizeof(TVMFFIAny)) {
    ss_raise("ValueError", "the number of elements of a List must be between 0 and %lld, got %lld",
             (long long)(PTRDIFF_MAX / sizeof(TVMFFIAny)), (long long)n);
    return NULL;
  }
  void* data = NULL;
  if (n != 0 && (data = ss_buffer_new((size_t)n * sizeof(TVMFFIAny))) == NULL) return NULL;
  ListObject* list = ss_object_space(sizeof(ListObject), _Alignof(ListObject), kTVMFFIList);
  if (list == NULL) {
    ss_buffer_free(data);
    return NULL;
  }
  list->cell.data = data;
  list->cell.size = 0;
  list->cell.capacity = n;
  list->cell.data_deleter = ss_buffer_free;  // also without elements: C++ code calls it without a check for NULL
  ss_object_init(list, kTVMFFIList, ss_delete_sequence);
  return &list->header;
}

int ss_list_make_room(TVMFFISeqCell* cell) {
  if (cell->size < cell->capacity) return 0;
  const int64_t most = PTRDIFF_MAX / sizeof(TVMFFIAny);
  if (cell->size >= most) return ss_raise_no_memory("the elements of a container");
  int64_t capacity = cell->capacity < most / 2 ? 2 * cell->capacity : most;
  if (capacity <= cell->size) capacity = cell->size + 1;
  TVMFFIAny* data = ss_buffer_new((size_t)capacity * sizeof(TVMFFIAny));
  if (data == NULL) return -1;
  if (cell->size > 0) memcpy(data, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
  void* old_data = cell->data;
  void (*old_deleter)(void*) = cell->data_deleter;
  cell->data = data;
  cell->capacity = capacity;
  cell->data_deleter = ss_buffer_free;
  if (old_deleter != NULL) old_deleter(old_data);
  return 0;
}
