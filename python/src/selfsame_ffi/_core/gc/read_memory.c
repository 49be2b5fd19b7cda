// Reading native objects for the ownership graph. Memory that another thread may free is copied by the
// system (system_copy.h), which fails where nothing is mapped. The copy may still be garbage, so an address in it is only used for the next
// copy. RATIONALE.md, "Why memory is copied by a system call while the ownership graph is made".
#include "gc/read_memory.h"

#include "selfsame/internal/error_links.h"
#include "selfsame/internal/system_copy.h"
#include "tie/python_owner.h"

int ss_copy_memory(const void* from, void* to, size_t size) {
  SsPiece local = {to, size}, remote = {(void*)(uintptr_t)from, size};
  return ss_system_copy(&local, &remote, 1) == size ? 0 : -1;
}

// The first object's head when that cannot be copied as a whole: the object may be shorter than a head and lie just
// before an unmapped page.
static int copy_short_head(const TVMFFIObject* object, SsHeads* copy) {
  enum { PAGE = 4096 };
  size_t there = PAGE - (uintptr_t)object % PAGE;
  memset(copy->memory, 0, SS_HEAD_SIZE);
  copy->heads[0] = copy->memory;
  return there < SS_HEAD_SIZE && ss_copy_memory(object, copy->memory, there) == 0;
}

void ss_copy_heads(TVMFFIObject* const* natives, int n, SsHeads* copy) {
  // A piece of memory costs the system as much as copying some thousand bytes more.
  enum { CLOSE_BY = 1024, ALIGNMENT = 16 };
  SsPiece local[SS_HEADS], remote[SS_HEADS];
  size_t ends[SS_HEADS];  // the bytes that are copied up to the end of each head
  size_t bytes = 0, used = 0;
  int pieces = 0, taken = 0;
  for (; taken < n; taken++) {
    uintptr_t at = (uintptr_t)natives[taken];
    SsPiece* piece = &remote[pieces - (pieces > 0)];
    uintptr_t start = pieces == 0 ? 0 : (uintptr_t)piece->iov_base;
    size_t length = pieces == 0 ? 0 : piece->iov_len;
    if (pieces == 0 || at < start || at - start > length + CLOSE_BY || (at - start) % ALIGNMENT != 0) {
      used = (used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      if (used + SS_HEAD_SIZE > sizeof(copy->memory)) break;
      piece = &remote[pieces];
      *piece = (SsPiece){natives[taken], 0};
      local[pieces++] = (SsPiece){copy->memory + used, 0};
      start = at;
      length = 0;
    }
    size_t wanted = at - start + SS_HEAD_SIZE;
    size_t more = wanted > length ? wanted - length : 0;
    if (used + more > sizeof(copy->memory)) break;
    piece->iov_len = local[pieces - 1].iov_len = length + more;
    copy->heads[taken] = (char*)local[pieces - 1].iov_base + (at - start);
    ends[taken] = bytes - length + wanted;
    bytes += more;
    used += more;
  }
  size_t copied = ss_system_copy(local, remote, pieces);
  copy->count = 0;
  while (copy->count < taken && copied >= ends[copy->count]) copy->count++;
  if (copy->count == 0 && n > 0) copy->count = copy_short_head(natives[0], copy);
}

int ss_read_own(TVMFFIObject* object, SsReferenceFn reference, void* arg) {
  SsCursor cursor;
  if (!ss_cursor_start(&cursor, object)) return 0;
  TVMFFIObject* child;
  int rc = 0;
  while (rc == 0 && (child = ss_cursor_next(&cursor)) != NULL) rc = reference(arg, child);
  return rc;
}

enum { CHUNK = 4096, MOST_ITEMS = 1 << 24 };

static int copy_counted(const void* from, void* to, size_t size, int64_t* reads_left) {
  if (--*reads_left < 0) return -1;
  return ss_copy_memory(from, to, size);
}

static int report_values(const TVMFFIAny* values, int64_t n, SsReferenceFn reference, void* arg) {
  for (int64_t i = 0; i < n; i++) {
    TVMFFIObject* child = ss_object_in(&values[i]);
    int rc = child == NULL ? 0 : reference(arg, child);
    if (rc != 0) return rc;
  }
  return 0;
}

// Where `size` bytes at `data` are in the copy of the object's head; NULL when they are not part of it.
static const char* in_head(const char* head, const TVMFFIObject* object, const char* data, int64_t size) {
  int64_t from = (int64_t)((uintptr_t)data - (uintptr_t)object);
  return head == NULL || from < 0 || from > SS_HEAD_SIZE || size > SS_HEAD_SIZE - from ? NULL : head + from;
}

// An array of `n` owned values.
static int read_values(const TVMFFIObject* object, const char* head, const char* data, int64_t n, int64_t* reads_left,
                       SsReferenceFn reference, void* arg) {
  TVMFFIAny chunk[CHUNK / sizeof(TVMFFIAny)];
  const int64_t step = (int64_t)(sizeof(chunk) / sizeof(chunk[0]));
  if (n < 0 || n > MOST_ITEMS) return -1;
  const char* copied = in_head(head, object, data, n * (int64_t)sizeof(TVMFFIAny));
  if (copied != NULL) return report_values((const TVMFFIAny*)copied, n, reference, arg);
  for (int64_t done = 0; done < n; done += step) {
    int64_t now = n - done < step ? n - done : step;
    if (copy_counted(data + done * (int64_t)sizeof(TVMFFIAny), chunk, (size_t)now * sizeof(TVMFFIAny), reads_left)) {
      return -1;
    }
    int rc = report_values(chunk, now, reference, arg);
    if (rc != 0) return rc;
  }
  return 0;
}

static int read_block(const SsBlock* block, SsReferenceFn reference, void* arg) {
  for (int i = 0; i < SS_BLOCK_BUCKETS; i++) {
    if (block->control[i] >= SS_CONTROL_NO_ENTRY) continue;
    int rc = report_values(&block->buckets[i].entry.key, 2, reference, arg);
    if (rc != 0) return rc;
  }
  return 0;
}

static int read_map(const TVMFFIObject* object, const char* head, const SsMapCell* cell, int64_t* reads_left,
                    SsReferenceFn reference, void* arg) {
  uint64_t end = ss_map_walk_end(cell);
  if (end > MOST_ITEMS) return -1;
  if (ss_map_is_small(cell)) {
    return read_values(object, head, cell->data, 2 * (int64_t)end, reads_left, reference, arg);
  }
  SsBlock block;
  for (uint64_t first = 0; first < end; first += SS_BLOCK_BUCKETS) {
    if (copy_counted((const SsBlock*)cell->data + first / SS_BLOCK_BUCKETS, &block, sizeof(block), reads_left))
      return -1;
    int rc = read_block(&block, reference, arg);
    if (rc != 0) return rc;
  }
  return 0;
}

static int read_fields(const char* object, const char* head, const SsOwnedFields* owned, int64_t* reads_left,
                       SsReferenceFn reference, void* arg) {
  char copy[CHUNK];
  const char* base = object;
  if (head != NULL && owned->begin == 0 && owned->end <= SS_HEAD_SIZE) {
    base = head;
  } else if (head != NULL) {
    int64_t size = owned->end - owned->begin;
    if (size > CHUNK || copy_counted(object + owned->begin, copy, (size_t)size, reads_left) != 0) return -1;
    base = copy - owned->begin;
  }
  for (int32_t i = 0; i < owned->count; i++) {
    const char* address = base + owned->fields[i].offset;
    TVMFFIObject* child;
    if (owned->fields[i].is_any) {
      TVMFFIAny any = {.type_index = __atomic_load_n((const int32_t*)address, __ATOMIC_RELAXED)};
      any.v_obj = __atomic_load_n(&((TVMFFIAny*)(uintptr_t)address)->v_obj, __ATOMIC_RELAXED);
      child = ss_object_in(&any);
    } else {
      child = __atomic_load_n((TVMFFIObject* const*)address, __ATOMIC_RELAXED);
    }
    int rc = child == NULL ? 0 : reference(arg, child);
    if (rc != 0) return rc;
  }
  return 0;
}

int ss_read_shared(TVMFFIObject* object, const char* head, int64_t* reads_left, SsReferenceFn reference, void* arg) {
  const char* from = head == NULL ? (const char*)object : head;
  const char* body = from + sizeof(TVMFFIObject);
  int32_t index = ((const TVMFFIObject*)from)->type_index;
  // An Array or a Map that has several owners is immutable.
  if (head == NULL && (index == kTVMFFIArray || index == kTVMFFIMap)) return ss_read_own(object, reference, arg);
  switch (index) {
    case kTVMFFIArray:
    case kTVMFFIList: {
      TVMFFISeqCell cell;
      memcpy(&cell, body, sizeof(cell));
      return read_values(object, head, cell.data, cell.size, reads_left, reference, arg);
    }
    case kTVMFFIMap:
    case kTVMFFIDict: {
      SsMapCell cell;
      memcpy(&cell, body, offsetof(SsMapCell, shift));
      return read_map(object, head, &cell, reads_left, reference, arg);
    }
    case kTVMFFIError: {
      TVMFFIErrorCell cell;
      memcpy(&cell, body, SS_ERROR_OLD_END);
      if (!ss_error_has_links(SS_CELL(TVMFFIErrorCell, object), cell.kind.data)) return 0;
      memcpy(&cell, body, sizeof(cell));
      int rc = cell.cause_chain == NULL ? 0 : reference(arg, cell.cause_chain);
      return rc != 0 || cell.extra_context == NULL ? rc : reference(arg, cell.extra_context);
    }
    default: {
      const SsOwnedFields* owned = ss_owned_fields_of(index);
      return owned == NULL ? 0 : read_fields((const char*)object, head, owned, reads_left, reference, arg);
    }
  }
}

PyObject* ss_owned_python_object_in_head(const char* head) {
  const TVMFFIObject* header = (const TVMFFIObject*)head;
  if (header->type_index == kTVMFFIOpaquePyObject) {
    return (PyObject*)SS_CELL(TVMFFIOpaqueObjectCell, (uintptr_t)head)->handle;
  }
  PyObject** callable = ss_callable_of((TVMFFIObject*)(uintptr_t)head);
  return callable == NULL ? NULL : *callable;
}
