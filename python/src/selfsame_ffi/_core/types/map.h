// Map and Dict, the base classes in C of selfsame_ffi.Map and selfsame_ffi.Dict. A Dict is a mutable Map.
#ifndef SELFSAME_CORE_TYPES_MAP_H_
#define SELFSAME_CORE_TYPES_MAP_H_

#include "selfsame/internal/containers.h"
#include "tie/core.h"

extern SS_HIDDEN PyTypeObject SsMap_Type;
extern SS_HIDDEN PyTypeObject SsDict_Type;
extern SS_HIDDEN PyTypeObject SsMapIter_Type;

// The Map or Dict in a wrapper. Borrowed; NULL with RuntimeError or TypeError set, as ss_map_length.
SS_HIDDEN TVMFFIObject* ss_map_native(PyObject* self);

// The number of entries. -1 with an error set: RuntimeError without a native object, TypeError when it is neither a Map
// nor a Dict.
SS_HIDDEN Py_ssize_t ss_map_length(PyObject* self);

// The parts of the entries that an iterator yields.
typedef enum { SS_MAP_KEYS, SS_MAP_VALUES, SS_MAP_ITEMS } SsMapPart;

// An iterator over a Map or Dict wrapper. Call it as SS_GUARDED(ss_map_iterator); see guard.h. New reference, NULL with
// an error set.
SS_HIDDEN PyObject* ss_map_iterator(PyObject* self, SsMapPart part);
#if SS_FREE_THREADED
SS_HIDDEN PyObject* ss_map_iterator_guarded(PyObject* self, SsMapPart part);
#endif

#endif  // SELFSAME_CORE_TYPES_MAP_H_
