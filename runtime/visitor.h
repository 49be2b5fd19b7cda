// Private to the runtime: structural visitors and mutators as objects that compiled code calls through a table.
#ifndef SELFSAME_RUNTIME_VISITOR_H_
#define SELFSAME_RUNTIME_VISITOR_H_

#include "plane.h"

#pragma GCC visibility push(hidden)

// A StructuralVisitor whose visits a walk in Go does. Returns 0, or -1 raised.
int ss_visitor_new(int32_t type_index, TVMFFIObjectHandle* out);

// Has any visitor visit a value. *out is None, a VisitInterrupt or an Error, owned.
void ss_visitor_visit(void* visitor, const TVMFFIAny* value, TVMFFIAny* out);

// Calls the C function that the attribute __s_visit__ may hold.
void ss_visit_hook(void* hook, void* visitor, const TVMFFIAny* value, TVMFFIAny* out);

// What the attribute holds for the builtin containers: elements, and the values of maps.
TVMFFIAny ss_visit_sequence(TVMFFIObject* visitor, TVMFFIAny value);
TVMFFIAny ss_visit_map(TVMFFIObject* visitor, TVMFFIAny value);

#pragma GCC visibility pop

#endif  // SELFSAME_RUNTIME_VISITOR_H_
