// Shape: its dimensions lie behind the header in the same block.
#include "containers.h"

typedef struct {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
} shape_object;

TVMFFIObject* ss_shape_new(int64_t n, int64_t** dimensions) {
  if (n < 0 || (uint64_t)n > ((uint64_t)PTRDIFF_MAX - sizeof(shape_object)) / sizeof(int64_t)) {
    ss_raise("ValueError", "the number of dimensions of a Shape must be between 0 and %lld, got %lld",
             (long long)((PTRDIFF_MAX - sizeof(shape_object)) / sizeof(int64_t)), (long long)n);
    return NULL;
  }
  shape_object* shape =
      ss_object_space(sizeof(shape_object) + (size_t)n * sizeof(int64_t), _Alignof(shape_object), kTVMFFIShape);
  if (shape == NULL) return NULL;
  *dimensions = (int64_t*)(shape + 1);
  shape->cell.data = *dimensions;
  shape->cell.size = (size_t)n;
  ss_object_init(shape, kTVMFFIShape, ss_delete_plain);
  return &shape->header;
}
