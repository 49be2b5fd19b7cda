// List: its elements lie in a buffer. When C++ code grows a List, it frees the old buffer with the stored deleter and
// stores memory from its operator new, without replacing the deleter. ss_list_reserve replaces both.
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "scalars/buffer.h"
#include "core/chains.h"
#include "core/raise.h"
#include "selfsame/internal/values.h"
#include "sequence.h"

typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  TVMFFISeqCell cell;   // the elements, owned, in memory that the cell owns
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

static const char elements[] = "the elements of a container";
static const int64_t most = PTRDIFF_MAX / sizeof(TVMFFIAny);

int ss_list_reserve(TVMFFISeqCell* cell, int64_t n) {
  if (n <= cell->capacity) return 0;
  if (n > most) return ss_raise_too_many();
  void* old_data = cell->data;
  void (*old_deleter)(void*) = cell->data_deleter;
  int is_own = old_deleter == ss_buffer_free;
  TVMFFIAny* data = ss_buffer_resize(is_own ? old_data : NULL, (size_t)n * sizeof(TVMFFIAny));
  if (data == NULL) return -1;
  if (!is_own && old_data != NULL) memcpy(data, old_data, (size_t)cell->size * sizeof(TVMFFIAny));
  cell->data = data;
  cell->capacity = n;
  cell->data_deleter = ss_buffer_free;
  if (!is_own && old_deleter != NULL) old_deleter(old_data);
  return 0;
}

// Makes room for n more elements; the capacity at least doubles.
static int make_room(TVMFFISeqCell* cell, int64_t n) {
  if (n <= cell->capacity - cell->size) return 0;
  if (n > most - cell->size) return ss_raise_too_many();
  int64_t needed = cell->size + n, doubled = cell->capacity < most / 2 ? 2 * cell->capacity : most;
  return ss_list_reserve(cell, needed > doubled ? needed : doubled);
}

int ss_list_make_room(TVMFFISeqCell* cell) { return make_room(cell, 1); }

// Moves n owned elements into the place of those from start to stop, which it copies to `gone`. There must be room.
static void splice(TVMFFISeqCell* cell, int64_t start, int64_t stop, const TVMFFIAny* owned, int64_t n,
                   TVMFFIAny* gone) {
  TVMFFIAny* items = cell->data;
  if (items == NULL) return;  // of an empty List, when nothing is added
  memcpy(gone, items + start, (size_t)(stop - start) * sizeof(TVMFFIAny));
  memmove(items + start + n, items + stop, (size_t)(cell->size - stop) * sizeof(TVMFFIAny));
  if (n != 0) memcpy(items + start, owned, (size_t)n * sizeof(TVMFFIAny));
  cell->size += n - (stop - start);
}

int ss_list_replace(TVMFFISeqCell* cell, int64_t start, int64_t stop, const TVMFFIAny* views, int64_t n) {
  TVMFFIAny few[4], *values = few;  // the owned elements, then those that go
  int64_t num_gone = cell->data == NULL ? 0 : stop - start, made = 0;
  if (num_gone + n > 4 && (values = malloc((size_t)(num_gone + n) * sizeof(TVMFFIAny))) == NULL)
    return ss_raise_no_memory(elements);
  int rc = 0;
  while (rc == 0 && made < n) {
    rc = TVMFFIAnyViewToOwnedAny(&views[made], &values[made]);
    if (rc == 0) made++;
  }
  if (rc == 0) rc = make_room(cell, n - num_gone);
  if (rc == 0) splice(cell, start, stop, values, n, values + n);
  // Last, because a release may run any code.
  TVMFFIAny* unused = rc == 0 ? values + n : values;
  for (int64_t i = 0; i < (rc == 0 ? num_gone : made); i++) ss_release_any(&unused[i]);
  if (values != few) free(values);
  return rc;
}

TVMFFIAny ss_list_take(TVMFFISeqCell* cell, int64_t at) {
  TVMFFIAny* items = cell->data;
  TVMFFIAny taken = items[at];
  cell->size--;
  memmove(&items[at], &items[at + 1], (size_t)(cell->size - at) * sizeof(TVMFFIAny));
  return taken;
}

int ss_list_clear(TVMFFISeqCell* cell) {
  int64_t n = cell->size;
  if (n <= 0) return 0;
  TVMFFIAny* gone = malloc((size_t)n * sizeof(TVMFFIAny));
  if (gone == NULL) return ss_raise_no_memory(elements);
  memcpy(gone, cell->data, (size_t)n * sizeof(TVMFFIAny));
  cell->size = 0;
  while (n-- > 0) ss_release_any(&gone[n]);
  free(gone);
  return 0;
}

TVMFFIObject* ss_list_of(const TVMFFIAny* owned, int64_t n) {
  TVMFFIObject* list = ss_list_new(n);
  if (list == NULL) {
    for (int64_t i = 0; i < n; i++) {
      TVMFFIAny unused = owned[i];
      ss_any_clear(&unused);
    }
    return NULL;
  }
  TVMFFISeqCell* cell = ss_sequence(list);
  if (n != 0) memcpy(cell->data, owned, (size_t)n * sizeof(TVMFFIAny));
  cell->size = n;
  return list;
}
