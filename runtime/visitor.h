// StructuralVisitor objects: compiled code calls their function table, Go code (and no C code) calls these functions.
// Private to the runtime.
#ifndef SELFSAME_RUNTIME_VISITOR_H_
#define SELFSAME_RUNTIME_VISITOR_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// Makes a StructuralVisitor that passes each visit to a walk in Go (ssgo_visitor_visit). Returns 0 with *out a new
// reference, or -1 with an error raised.
int ss_visitor_new(int32_t type_index, TVMFFIObjectHandle* out);

// Lets a visitor, made here or elsewhere, visit a value (borrowed). *out is owned: None, a VisitInterrupt or an Error.
void ss_visitor_visit(void* visitor, const TVMFFIAny* value, TVMFFIAny* out);

// Calls `hook`, a C function from the type attribute __s_visit__. *out is as in ss_visitor_visit.
void ss_visit_hook(void* hook, void* visitor, const TVMFFIAny* value, TVMFFIAny* out);

// The values of __s_visit__ for the builtin containers: functions that visit the elements of an Array or List, and the
// values of a Map or Dict.
void* ss_visit_sequence_hook(void);
void* ss_visit_map_hook(void);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_VISITOR_H_
