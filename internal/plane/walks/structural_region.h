// The region of a structural walk: whether the values that it meets define variables or use them.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_REGION_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_REGION_H_

#include "structural.h"

// The regions of the ABI.
typedef enum {
  SS_REGION_NONE,     // variables are used
  SS_REGION_PATTERN,  // variables are defined, at any depth
  SS_REGION_SIMPLE,   // variables are defined, but those in the fields of a variable are used
} SsRegion;

static inline SsRegion ss_root_region(int options) {
  return (options & SS_MAP_FREE_VARS) ? SS_REGION_PATTERN : SS_REGION_NONE;
}

// The region of the value of a field with these flags, in an object whose parts are in region `r`.
static inline SsRegion ss_region_in_field(SsRegion r, int64_t flags) {
  if (r == SS_REGION_PATTERN) return r;  // a pattern extends to any depth
  if (flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) return SS_REGION_SIMPLE;
  if (flags & kTVMFFIFieldFlagBitMaskSEqHashDefPattern) return SS_REGION_PATTERN;
  return r;
}

// The region of a part for which a hook asks for a region; SS_REGION_NONE asks for no change.
static inline SsRegion ss_region_entering(SsRegion r, int64_t asked) {
  return r == SS_REGION_PATTERN || asked == SS_REGION_NONE ? r : (SsRegion)asked;
}

// The region of the fields of a variable.
static inline SsRegion ss_region_in_variable(SsRegion r) { return r == SS_REGION_SIMPLE ? SS_REGION_NONE : r; }

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_REGION_H_
