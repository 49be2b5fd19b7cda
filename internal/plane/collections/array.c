// Array: its elements lie behind the header in the same block.
#include "core/alloc.h"
#include "core/chains.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "selfsame/selfsame.h"
#include "sequence.h"
#include "core/teardown.h"

typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  TVMFFISeqCell cell;   // the elements, which are owned and lie behind this struct
} SequenceObject;

static void release_elements(void* self) {
  TVMFFISeqCell* cell = &((SequenceObject*)self)->cell;
  TVMFFIAny* items = cell->data;
  int64_t size = cell->size;
  cell->size = 0;
  for (int64_t i = 0; i < size; i++) {  // without clearing them: no thread can read them any more
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) ss_release(items[i].v_obj);
  }
  // Set when C++ has moved the elements to a buffer.
  if (cell->data_deleter != NULL) cell->data_deleter(cell->data);
}

void ss_delete_sequence(void* self, int flags) { ss_delete_owner(self, flags, ss_delete_sequence, release_elements); }

TVMFFIObject* ss_array_new(int64_t n) {
  if (n < 0 || (uint64_t)n > ((uint64_t)PTRDIFF_MAX - sizeof(SequenceObject)) / sizeof(TVMFFIAny)) {
    ss_raise("ValueError", "the number of elements of an Array must be between 0 and %lld, got %lld",
             (long long)((PTRDIFF_MAX - sizeof(SequenceObject)) / sizeof(TVMFFIAny)), (long long)n);
    return NULL;
  }
  SequenceObject* array =
      ss_object_space(sizeof(SequenceObject) + (size_t)n * sizeof(TVMFFIAny), _Alignof(SequenceObject), kTVMFFIArray);
  if (array == NULL) return NULL;
  array->cell.data = array + 1;
  array->cell.size = 0;
  array->cell.capacity = n;
  array->cell.data_deleter = NULL;
  ss_object_init(array, kTVMFFIArray, ss_delete_sequence);
  return &array->header;
}

void ss_array_push(TVMFFIObject* array, const TVMFFIAny* owned) {
  TVMFFISeqCell* cell = &((SequenceObject*)array)->cell;
  ((TVMFFIAny*)cell->data)[cell->size++] = *owned;
}

int SelfsameArrayCreate(const TVMFFIAny* views, int64_t n, TVMFFIObjectHandle* out) {
  static const char name[] = "SelfsameArrayCreate";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (n > 0 && !ss_check_ptr(views, name, "views")) return -1;
  TVMFFIObject* array = ss_array_new(n);
  if (array == NULL) return -1;
  TVMFFISeqCell* cell = &((SequenceObject*)array)->cell;
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < n; i++) {
    // Most elements are numbers, whose views are owned values already.
    if (views[i].type_index == kTVMFFIInt || views[i].type_index == kTVMFFIFloat) {
      ss_set_bits(&items[i], views[i].type_index, views[i].v_uint64);
    } else if (TVMFFIAnyViewToOwnedAny(&views[i], &items[i]) != 0) {
      ss_xdecref(array);
      return -1;
    }
    cell->size = i + 1;
  }
  *out = array;
  return 0;
}
