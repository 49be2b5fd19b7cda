// Declaring native types from Python: the functions of the module that register a type, its fields, methods and
// attributes in the runtime's type table.
#ifndef SELFSAME_CORE_TYPES_DECLARE_H_
#define SELFSAME_CORE_TYPES_DECLARE_H_

#include "tie/core.h"

// Functions of the module _core; each returns a new reference, NULL with an error set.
SS_HIDDEN PyObject* ss_declare_type(PyObject* module, PyObject* args);      // (key, parent_index) -> type index
SS_HIDDEN PyObject* ss_declare_field(PyObject* module, PyObject* args);     // see declare.c
SS_HIDDEN PyObject* ss_declare_method(PyObject* module, PyObject* args);    // (index, name, metadata, flags, value)
SS_HIDDEN PyObject* ss_declare_attr(PyObject* module, PyObject* args);      // (index, name, value)
SS_HIDDEN PyObject* ss_redeclare(PyObject* module, PyObject* args);         // see declare.c
SS_HIDDEN PyObject* ss_declare_metadata(PyObject* module, PyObject* args);  // (index, total_size, kind)

// For the end of the interpreter, as tp_traverse: what setters of fields keep of Python's. They keep it for ever.
SS_HIDDEN int ss_declared_traverse(visitproc visit, void* arg);

#endif  // SELFSAME_CORE_TYPES_DECLARE_H_
