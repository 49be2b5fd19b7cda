// Structural equality of plain trees, with an explicit stack instead of recursion: see structural_plain.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "structural_field.h"
#include "structural_plain.h"
#include "structural_stack.h"

// A pair of sequences or objects that is being compared.
typedef struct {
  TVMFFIObject *a, *b;
  int64_t next, size;    // sequences: the next index, the length; size is -1 for objects
  SsFieldCursor cursor;  // objects
  TVMFFIAny x, y;        // objects: the values of the field that is being compared
  int owns_x, owns_y;
} Frame;

enum { FIRST_FRAMES = 24 };

typedef struct {
  Frame* frames;  // `first`, or memory from malloc
  int32_t depth, capacity;
  Frame first[FIRST_FRAMES];
} Walk;

typedef enum {
  SAME,
  DIFFERENT,
  DEEPER,  // depends on the contents: a new frame compares them
  UNSUPPORTED,
  RAISED,
} Verdict;

// Returns a new frame, or NULL when the walk is too deep or there is no memory.
static Frame* push(Walk* w, TVMFFIObject* a, TVMFFIObject* b) {
  if (w->depth == w->capacity) {
    Frame* more = ss_stack_grow(w->frames, w->first, &w->capacity, sizeof(Frame));
    if (more == NULL) return NULL;
    w->frames = more;
  }
  Frame* f = &w->frames[w->depth++];
  f->a = a;
  f->b = b;
  f->owns_x = f->owns_y = 0;
  return f;
}

static void drop_values(Frame* f) {
  if (f->owns_x) ss_any_clear(&f->x);
  if (f->owns_y) ss_any_clear(&f->y);
  f->owns_x = f->owns_y = 0;
}

static int is_string(int32_t type_index) { return type_index == kTVMFFISmallStr || type_index == kTVMFFIStr; }

static int same_text(const TVMFFIAny* a, const TVMFFIAny* b) {
  TVMFFIByteArray x, y;
  return ss_any_bytes(a, &x) && ss_any_bytes(b, &y) && is_string(a->type_index) == is_string(b->type_index) &&
         x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
}

static int same_shape(const TVMFFIObject* a, const TVMFFIObject* b) {
  const TVMFFIShapeCell *x = (const TVMFFIShapeCell*)(a + 1), *y = (const TVMFFIShapeCell*)(b + 1);
  return x->size == y->size && (x->size == 0 || memcmp(x->data, y->data, x->size * sizeof(int64_t)) == 0);
}

static Verdict compare_sequences(Walk* w, TVMFFIObject* a, TVMFFIObject* b) {
  int64_t n = ((const TVMFFISeqCell*)(a + 1))->size;
  if (n != ((const TVMFFISeqCell*)(b + 1))->size) return DIFFERENT;
  Frame* f = push(w, a, b);
  if (f == NULL) return UNSUPPORTED;
  f->next = 0;
  f->size = n;
  return DEEPER;
}

static Verdict compare_objects(Walk* w, TVMFFIObject* a, TVMFFIObject* b) {
  static SsAttributeColumn* hooks;
  int32_t kind;
  const TVMFFITypeInfo* type = ss_type_compared_by_fields(a->type_index, "__s_equal__", &hooks, &kind);
  if (type == NULL) return UNSUPPORTED;
  if (kind == kTVMFFISEqHashKindUniqueInstance) return a == b ? SAME : DIFFERENT;
  if (kind == kTVMFFISEqHashKindConstTreeNode && a == b) return SAME;
  Frame* f = push(w, a, b);
  if (f == NULL) return UNSUPPORTED;
  f->size = -1;
  f->cursor = ss_first_field(type);
  return DEEPER;
}

// Compares two values, without their contents.
static Verdict compare(Walk* w, const TVMFFIAny* a, const TVMFFIAny* b) {
  if (a->type_index != b->type_index) return same_text(a, b) ? SAME : DIFFERENT;
  if (a->type_index < kTVMFFIStaticObjectBegin) {
    if (a->type_index == kTVMFFIFloat && isnan(a->v_float64)) return isnan(b->v_float64) ? SAME : DIFFERENT;
    return a->zero_padding == b->zero_padding && a->v_uint64 == b->v_uint64 ? SAME : DIFFERENT;
  }
  switch (a->type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return a->v_obj == b->v_obj || same_text(a, b) ? SAME : DIFFERENT;
    case kTVMFFIShape:
      return same_shape(a->v_obj, b->v_obj) ? SAME : DIFFERENT;
    case kTVMFFIArray:
    case kTVMFFIList:
      return compare_sequences(w, a->v_obj, b->v_obj);
    default:
      return compare_objects(w, a->v_obj, b->v_obj);
  }
}

static Verdict next_element(Walk* w, Frame* f) {
  const TVMFFISeqCell *x = (const TVMFFISeqCell*)(f->a + 1), *y = (const TVMFFISeqCell*)(f->b + 1);
  int64_t i = f->next++;
  if (i >= x->size || i >= y->size) return UNSUPPORTED;  // a List became shorter during the walk
  return compare(w, (const TVMFFIAny*)x->data + i, (const TVMFFIAny*)y->data + i);
}

static Verdict next_field(Walk* w, Frame* f, const TVMFFIFieldInfo* field) {
  if (ss_peek_field(field, f->a, &f->x, &f->owns_x) != 0) return RAISED;
  if (ss_peek_field(field, f->b, &f->y, &f->owns_y) != 0) return RAISED;
  TVMFFIAny x = f->x, y = f->y;  // copies, because compare may move this frame to larger memory
  Verdict v = compare(w, &x, &y);
  if (v == SAME) drop_values(f);
  return v;
}

// Continues with the innermost pair. Returns SAME when that pair is equal, and removes its frame.
static Verdict step(Walk* w) {
  Frame* f = &w->frames[w->depth - 1];
  for (;;) {
    Verdict v;
    if (f->size >= 0) {
      if (f->next == f->size) break;
      v = next_element(w, f);
    } else {
      const TVMFFIFieldInfo* field = ss_next_field(&f->cursor);
      if (field == NULL) break;
      v = next_field(w, f, field);
    }
    if (v != SAME) return v;
  }
  w->depth--;
  if (w->depth > 0) drop_values(&w->frames[w->depth - 1]);
  return SAME;
}

SsPlainOutcome ss_plain_equal(const TVMFFIAny* a, const TVMFFIAny* b, int* equal) {
  Walk w;
  w.frames = w.first;
  w.depth = 0;
  w.capacity = FIRST_FRAMES;
  Verdict v = compare(&w, a, b);
  while (w.depth > 0 && (v == SAME || v == DEEPER)) v = step(&w);
  while (w.depth > 0) drop_values(&w.frames[--w.depth]);
  if (w.frames != w.first) free(w.frames);
  if (v == UNSUPPORTED) return SS_PLAIN_UNSUPPORTED;
  if (v == RAISED) return SS_PLAIN_RAISED;
  *equal = v == SAME;
  return SS_PLAIN_DONE;
}
