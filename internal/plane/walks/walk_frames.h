// The engine of the walks over whole values: structural equality and hash, recursive equality, order and hash, and deep
// copy (walk_frames.c). A walk goes through one value, or through two side by side, with a stack of frames instead of
// recursion; a frame is a container or object that the walk is inside of. The engine owns the stack, the values that
// getters returned, and the references to objects that foreign code could free; a walk adds its rules.
//
// A frame's objects are borrowed from the frame before it. Foreign code may change what they are borrowed from, so the
// walk calls ss_frames_pin before it runs a hook. One thread at a time uses a walk.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_WALK_FRAMES_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_WALK_FRAMES_H_

#include "collections/map_pairs.h"
#include "core/object_table.h"
#include "selfsame/internal/values.h"
#include "collections/sequence.h"
#include "structural_field.h"
#include "structural_hooks.h"

#pragma GCC visibility push(hidden)

// How a frame goes through the parts of its objects.
typedef enum {
  SS_SEQUENCE,
  SS_FIELDS,
  SS_MAP,
  SS_HOOKED,  // a hook handles the objects, so that the walk sees no parts of them
} SsForm;

// The state of a walk inside a map. All of it is zero at first; the rules of the walk begin the pairs if they want
// them.
typedef struct SsMapParts SsMapParts;
struct SsMapParts {
  SsMapPairs pairs;    // the entries
  TVMFFIAny x, y;      // what belongs together of two entries, or of one
  TVMFFIAny* items;    // from malloc, with `count` owned values
  int64_t count, end;  // end: how many of the items were there at first
  int64_t next;        // the next item
  int64_t began;       // walks over one value: how many parts the walk had met
  uint64_t word;       // for the rules of the walk
  SsMapParts* spare;   // the next one, when no frame uses this
};

// A frame is small, because there are as many as a value is deep.
typedef struct {
  TVMFFIObject *a, *b;     // b is NULL in a walk over one value
  uint8_t form;            // an SsForm
  uint8_t pinned;          // the frame owns references to a and b
  uint8_t owns_x, owns_y;  // SS_FIELDS: the frame owns these objects
  uint8_t again;           // the walk may reach a or b again
  uint8_t kind, outer,
      inner;  // structural walks: the kind, 0 for containers; the regions of a and b and of their parts
  union {
    uint64_t hash;       // of the parts so far
    int64_t began;       // walks over two values: how many parts the walk had met
    TVMFFIObject* made;  // owned: the copy
  } out;
  union {
    struct {
      int64_t next, left;  // the next index; what the length was, if the rules want it
      union {
        int64_t right;  // walks over two values: the next index on the other side
        int64_t began;  // walks over one value
      };
    } sequence;
    struct {
      SsFieldCursor cursor;          // the next field
      const TVMFFIFieldInfo* field;  // the field whose objects x and y are; borrowed from the type table
      TVMFFIObject *x, *y;           // the objects in the field, of a and of b
    } fields;
    SsMapParts* map;     // owned
    TVMFFIObject* hook;  // SS_HOOKED: borrowed from the registry
  } u;
} SsFrame;

// The deepest nesting of every walk with frames, copies included: MaxDepth of package graph.
enum { SS_WALK_DEPTH = 1 << 18 };

// SS_FRAMES_FIRST frames lie in the stack frame of the walk's caller, more of them on the heap.
enum { SS_FRAMES_FIRST = 24 };

// The first field of every walk's own structure.
typedef struct {
  SsFrame *frames, *top;           // `first`, or memory from malloc; the innermost frame, if depth is not 0
  int32_t depth, capacity;         // of frames: how many are in use, and room
  int32_t pinned;                  // the first so many frames are pinned
  int64_t met;                     // how many parts the walk has met
  SsHooks hooks;                   // what runs in foreign code
  SsMapParts* spare;               // those that no frame uses: `first_map`, and memory from malloc
  SsMapParts first_map;            // for the first map that is open
  SsFrame first[SS_FRAMES_FIRST];  // the frames of values that are not deep
} SsFrames;

// A part of the innermost frame's objects and, once the walk is through with it, its result.
typedef struct {
  TVMFFIAny x, y;  // borrowed; y in walks over two values
  int32_t region;  // structural walks: an SsRegion
  int32_t again;   // structural walks: the walk may reach the objects again that the part belongs to
  union {
    int order;       // 0: equal
    uint64_t hash;   // of the part
    TVMFFIAny copy;  // owned
  } out;
} SsPart;

typedef enum {
  SS_NEXT,    // the next part
  SS_DONE,    // the result is known
  SS_DEEPER,  // the result depends on the contents of the part, for which there is a new frame
  SS_RAISED,  // an error is raised
} SsStep;

// The rules of a walk. No rule removes a frame.
//
// enter begins with a part: SS_DONE, SS_DEEPER or SS_RAISED. next reads the next part of the innermost frame: SS_NEXT;
// SS_DONE when it has no more, with its own result; SS_RAISED. add adds the result of a part to the innermost frame:
// SS_NEXT; SS_DONE when that decides the frame's own result; SS_RAISED.
typedef SsStep (*SsRule)(SsFrames* s, SsPart* part);
// Frees what the rules stored in a frame.
typedef void (*SsLeave)(SsFrames* s, SsFrame* f);

// Begins a walk, which ss_frames_end ends; there are no frames then.
static inline void ss_frames_begin(SsFrames* s, const SsHookKind* hooks) {
  s->frames = s->top = s->first;
  s->depth = s->pinned = 0;
  s->met = 0;
  s->capacity = SS_FRAMES_FIRST;
  s->hooks = (SsHooks){.kind = hooks, .walk = s};
  s->spare = &s->first_map;
  s->first_map.spare = NULL;
}
// Frees what a walk took from the heap, and ends its hooks.
void ss_frames_free(SsFrames* s);
static inline void ss_frames_end(SsFrames* s) {
  // Most walks need neither.
  if (s->frames != s->first || s->spare != &s->first_map || s->first_map.spare != NULL || s->hooks.callback != NULL)
    ss_frames_free(s);
}

// Doubles a full stack, up to SS_WALK_DEPTH frames. Returns 0 raised (ValueError: nested too deep; MemoryError).
int ss_frames_grow(SsFrames* s);
// Adds a frame for a map, or two. Returns NULL raised.
SsFrame* ss_frames_push_map(SsFrames* s, TVMFFIObject* a, TVMFFIObject* b);
// Makes room for the items of the innermost frame's map. Returns NULL raised, or when n is 0.
TVMFFIAny* ss_frames_items(SsFrames* s, uint64_t n);
// Sorts n groups of `stride` items, 1 or 2, by the hash in the first of each.
void ss_sort_by_hash(TVMFFIAny* items, size_t n, size_t stride);
// Frees what the innermost frame has of its map.
void ss_frames_end_map(SsFrames* s);
// Takes references to the objects that the walk is inside of.
void ss_frames_pin(SsFrames* s);
// Calls the hook of the innermost frame, as ss_hook_call does.
int ss_frames_call_hook(SsFrames* s, const TVMFFIAny* args, int n, int64_t* out);
// Finds the entry of a key (a value as containers hold them) in a map: *out is NULL when there is none. Returns 0, or -1 raised.
int ss_frames_find(SsFrames* s, TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out);

// Adds a frame, or returns NULL raised. The rules set what its form needs.
static inline SsFrame* ss_frames_push(SsFrames* s, SsForm form, TVMFFIObject* a, TVMFFIObject* b) {
  if (s->depth == s->capacity && !ss_frames_grow(s)) return NULL;
  SsFrame* f = &s->frames[s->depth++];
  s->top = f;
  f->a = a;
  f->b = b;
  f->form = (uint8_t)form;
  f->pinned = f->owns_x = f->owns_y = f->again = f->kind = f->outer = f->inner = 0;
  f->out.hash = 0;
  return f;
}

static inline void ss_frame_drop_values(SsFrame* f) {
  if (f->owns_x) ss_xdecref(f->u.fields.x);
  if (f->owns_y) ss_xdecref(f->u.fields.y);
  f->owns_x = f->owns_y = 0;
}

static inline void ss_frames_pop(SsFrames* s, SsLeave leave) {
  SsFrame* f = s->top;
  ss_frame_drop_values(f);
  if (f->form == SS_MAP) ss_frames_end_map(s);
  if (leave != NULL) leave(s, f);
  TVMFFIObject *a = f->a, *b = f->b;
  int pinned = f->pinned;
  if (--s->depth > 0) s->top = f - 1;
  if (s->pinned > s->depth) s->pinned = s->depth;
  if (pinned) {
    ss_xdecref(a);
    ss_xdecref(b);
  }
}

// Reads the next elements of two sequences, or of one. SS_DONE: one of them has no more. Their lengths are read again
// each time, because a hook may have changed a List.
static inline SsStep ss_frame_next_element(SsFrame* f, SsPart* part) {
  const TVMFFISeqCell *a = ss_sequence(f->a), *b = f->b == NULL ? a : ss_sequence(f->b);
  int64_t i = f->u.sequence.next;
  if (i >= a->size || i >= b->size) return SS_DONE;
  f->u.sequence.next = i + 1;
  part->x = ((const TVMFFIAny*)a->data)[i];
  if (f->b != NULL) part->y = ((const TVMFFIAny*)b->data)[i];
  return SS_NEXT;
}

static inline TVMFFIObject* ss_object_in(const TVMFFIAny* value) {
  return value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
}

// Reads the next field that has none of the flags in `skip`.
static inline SsStep ss_frame_next_field(SsFrame* f, int64_t skip, SsPart* part) {
  ss_frame_drop_values(f);
  const TVMFFIFieldInfo* field = ss_next_field_without(&f->u.fields.cursor, skip);
  f->u.fields.field = field;
  if (field == NULL) return SS_DONE;
  int plain = ss_field_is_plain(field);
  if (ss_peek_field(field, plain, f->a, &part->x, &f->owns_x) != 0) return SS_RAISED;
  f->u.fields.x = ss_object_in(&part->x);
  if (f->b == NULL) return SS_NEXT;
  if (ss_peek_field(field, plain, f->b, &part->y, &f->owns_y) != 0) return SS_RAISED;
  f->u.fields.y = ss_object_in(&part->y);
  return SS_NEXT;
}

// How many references the frame that a part belongs to has to the part's first object, beside those that others see.
static inline uint32_t ss_frames_own(const SsFrames* s) { return s->depth > 0 ? s->top->owns_x : 0; }

// ---- results that are kept ---------------------------------------------------------------------------------

// A walk keeps the result for a container that it may reach again, so that the time for a value does not grow
// with the number of paths through it. 60 Arrays, each twice in the next, have 2 to the 60th. It keeps none that took few parts,
// because to find it again takes as long, and none once a hook has run, which may have changed anything.
static inline int ss_frames_keep(const SsFrames* s, int64_t began) {
  enum { FEW = 64 };
  return s->met - began > FEW && s->hooks.callback == NULL;
}

// Pairs of objects that were found equal; zero is empty. One object stands in one pair on each side, the last one.
typedef struct {
  SsObjectTable to_right, right;  // the partner of each object on the left; the objects on the right that have one
} SsEqualPairs;

// `region` is that of the pair, 0 in walks without variables: what defines a variable in one region uses it in another.
// It stands in the low bits of the address, which objects leave free.
static inline uint64_t ss_equal_pair(const TVMFFIObject* right, int region) {
  return (uint64_t)(uintptr_t)right | (uint64_t)region;
}
static inline int ss_equal_pairs_have(const SsFrames* s, const SsEqualPairs* pairs, const SsPart* part, int region) {
  if (pairs->to_right.used == 0 || s->hooks.callback != NULL) return 0;
  const uint64_t* other = ss_object_table_get(&pairs->to_right, part->x.v_obj);
  return other != NULL && *other == ss_equal_pair(part->y.v_obj, region);
}
// Keeps the pair of the innermost frame. Returns 0, or -1 raised.
int ss_equal_pairs_keep(const SsFrames* s, SsEqualPairs* pairs, int region);
// Keeps it if that is worth it. Returns 0, or -1 raised.
static inline int ss_equal_pairs_add(const SsFrames* s, SsEqualPairs* pairs, int region) {
  if (!s->top->again || !ss_frames_keep(s, s->top->out.began)) return 0;
  return ss_equal_pairs_keep(s, pairs, region);
}
static inline void ss_equal_pairs_end(SsEqualPairs* pairs) {
  ss_object_table_clear(&pairs->to_right);
  ss_object_table_clear(&pairs->right);
}

// ---- the walk ----------------------------------------------------------------------------------------------

// Goes through a part, with all its contents, inside of the frames that there are; the result is in the part. `leave`
// may be NULL. Returns 0, or -1 raised. Inline, with constant rules, so that each walk has its own copy without calls.
static inline __attribute__((always_inline)) int ss_frames_run(SsFrames* s, SsRule enter, SsRule next, SsRule add,
                                                               SsLeave leave, SsPart* part) {
  int32_t base = s->depth;
  SsStep step = SS_NEXT;
  for (;;) {
    if (step == SS_NEXT) {
      s->met++;
      step = enter(s, part);
    }
    if (step == SS_RAISED || s->depth == base) break;
    if (step == SS_DONE) step = add(s, part);
    if (step == SS_NEXT || step == SS_DEEPER) step = next(s, part);
    if (step == SS_DONE) ss_frames_pop(s, leave);
  }
  while (s->depth > base) ss_frames_pop(s, leave);
  return step == SS_RAISED ? -1 : 0;
}

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_WALK_FRAMES_H_
