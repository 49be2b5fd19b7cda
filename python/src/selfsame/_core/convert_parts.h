// The pieces conversions are made of; see convert.h.
#ifndef SELFSAME_PY_CONVERT_PARTS_H_
#define SELFSAME_PY_CONVERT_PARTS_H_

#include "builtin.h"
#include "convert.h"

static inline void ss_set_plain(TVMFFIAny* out, int32_t index, int64_t value) {
  out->type_index = index;
  out->zero_padding = 0;
  out->v_int64 = value;
}

static inline void ss_set_object(TVMFFIAny* out, TVMFFIObject* object) {
  out->type_index = object->type_index;
  out->zero_padding = 0;
  out->v_obj = object;
}

// The view of an object made for this call, whose reference the temporaries take over. -1 for NULL: an error is set.
static inline int ss_set_temporary(TVMFFIAny* out, TVMFFIObject* object, SsTemps* temps) {
  if (object == NULL) return -1;
  SsTemp* temp = &temps->items[temps->used++];
  temp->owned = object;
  temp->source = NULL;
  ss_set_object(out, object);
  return 0;
}

// Builtin types and their subclasses. 0, or -1 with an error set.
SS_HIDDEN int ss_view_int(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_float(PyObject* value, TVMFFIAny* out);
SS_HIDDEN int ss_view_str(PyObject* value, TVMFFIAny* out, SsTemps* temps);
SS_HIDDEN int ss_view_bytes(const char* data, Py_ssize_t size, TVMFFIAny* out, SsTemps* temps);

// Everything that is no wrapper and not of an exact builtin type.
SS_HIDDEN int ss_view_other(PyObject* value, TVMFFIAny* out, SsTemps* temps);

// A new Map or Dict (`maker` says which) of a mapping's entries, an iterable's pairs, or none for NULL. New reference,
// NULL with an error set.
SS_HIDDEN TVMFFIObject* ss_map_from_mapping(PyObject* source, SsBuiltin maker);

#endif  // SELFSAME_PY_CONVERT_PARTS_H_
