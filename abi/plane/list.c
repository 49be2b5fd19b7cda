// List: its elements lie in a buffer of their own.
#include "containers.h"

typedef struct {
  TVMFFIObject header;
  TVMFFISeqCell cell;
} list_object;

TVMFFIObject* ss_list_new(int64_t n) {
  if (n < 0 || (uint64_t)n > (uint64_t)PTRDIFF_MAX / sizeof(TVMFFIAny)) {
    ss_raise("ValueError", "the number of elements of a List must be between 0 and %lld, got %lld",
             (long long)(PTRDIFF_MAX / sizeof(TVMFFIAny)), (long long)n);
    return NULL;
  }
  void* data = NULL;
  if (n != 0 && (data = ss_buffer_new((size_t)n * sizeof(TVMFFIAny))) == NULL) return NULL;
  list_object* list = ss_object_space(sizeof(list_object), _Alignof(list_object), kTVMFFIList);
  if (list == NULL) {
    ss_buffer_free(data);
    return NULL;
  }
  list->cell.data = data;
  list->cell.size = 0;
  list->cell.capacity = n;
  list->cell.data_deleter = ss_buffer_free;  // also while there are no elements: C++ calls it without looking
  ss_object_init(list, kTVMFFIList, ss_delete_sequence);
  return &list->header;
}
