// Shape: its dimensions lie behind the header in the same block.
#include "core/alloc.h"
#include "core/raise.h"
#include "selfsame/internal/refcount.h"
#include "sequence.h"

typedef struct {
  TVMFFIObject header;   // counts, type index and deleter
  TVMFFIShapeCell cell;  // the numbers, which lie behind this struct
} ShapeObject;

TVMFFIObject* ss_shape_new(int64_t n, int64_t** dimensions) {
  if (n < 0 || (uint64_t)n > ((uint64_t)PTRDIFF_MAX - sizeof(ShapeObject)) / sizeof(int64_t)) {
    ss_raise("ValueError", "the number of dimensions of a Shape must be between 0 and %lld, got %lld",
             (long long)((PTRDIFF_MAX - sizeof(ShapeObject)) / sizeof(int64_t)), (long long)n);
    return NULL;
  }
  ShapeObject* shape =
      ss_object_space(sizeof(ShapeObject) + (size_t)n * sizeof(int64_t), _Alignof(ShapeObject), kTVMFFIShape);
  if (shape == NULL) return NULL;
  *dimensions = (int64_t*)(shape + 1);
  shape->cell.data = *dimensions;
  shape->cell.size = (size_t)n;
  ss_object_init(shape, kTVMFFIShape, ss_delete_plain);
  return &shape->header;
}
