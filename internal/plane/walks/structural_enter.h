// What structural equality and hash share of entering objects and sequences, and of leaving out fields.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_ENTER_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_ENTER_H_

#include "structural_region.h"
#include "walk_frames.h"

// Notes in a new frame what its part says of the object; f is NULL when an error is raised. Returns f.
static inline SsFrame* ss_structural_begin(SsFrame* f, const SsPart* part) {
  if (f == NULL) return NULL;
  f->again = part->again != 0;
  f->outer = f->inner = (uint8_t)part->region;
  return f;
}

// Begins a frame for the object of a part, and that on the other side or NULL, which goes through the fields or calls the hook
// of the walk. *column caches where types have the hook, NULL at first. Returns NULL when an error is raised.
static inline SsFrame* ss_structural_push(SsFrames* s, SsAttributeColumn** column, const TVMFFITypeInfo* type,
                                          int32_t kind, const SsPart* part, TVMFFIObject* other) {
  TVMFFIObject* hook;
  if (ss_hook_of(s->hooks.kind, column, type->type_index, &hook) != 0) return NULL;
  SsFrame* f = ss_frames_push(s, hook == NULL ? SS_FIELDS : SS_HOOKED, part->x.v_obj, other);
  if (ss_structural_begin(f, part) == NULL) return NULL;
  f->kind = (uint8_t)kind;
  if (kind == kTVMFFISEqHashKindFreeVar) f->inner = (uint8_t)ss_region_in_variable((SsRegion)part->region);
  if (hook == NULL) {
    f->u.fields.cursor = ss_first_field(type);
  } else {
    f->u.hook = hook;
  }
  return f;
}

// Begins a frame for the sequence of a part, and that on the other side or NULL. Returns NULL when an error is raised.
static inline SsFrame* ss_structural_push_sequence(SsFrames* s, const SsPart* part, TVMFFIObject* other) {
  SsFrame* f = ss_structural_begin(ss_frames_push(s, SS_SEQUENCE, part->x.v_obj, other), part);
  if (f == NULL) return NULL;
  f->u.sequence.next = 0;
  f->u.sequence.left = ss_sequence(part->x.v_obj)->size;
  return f;
}

// Reads the next field that counts. `again` says whether the walk may reach the field's object again. SS_DONE: there is none.
static inline SsStep ss_structural_next_field(SsFrame* f, int again, SsPart* part) {
  SsStep step = ss_frame_next_field(f, kTVMFFIFieldFlagBitMaskSEqHashIgnore, part);
  if (step != SS_NEXT) return step;
  part->region = (int32_t)ss_region_in_field((SsRegion)f->inner, f->u.fields.field->flags);
  part->again = again;
  return SS_NEXT;
}

// Calls the hook of the innermost frame's class with two arguments, in the region of its parts. *region is the walk's. Returns 0
// with *result, or -1 raised.
static inline int ss_structural_call_hook(SsFrames* s, SsRegion* region, const TVMFFIAny args[2], int64_t* result) {
  SsRegion was = *region;
  *region = (SsRegion)s->top->inner;
  int rc = ss_frames_call_hook(s, args, 2, result);
  *region = was;
  return rc;
}

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_ENTER_H_
