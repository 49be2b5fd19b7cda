// The module's functions for the types and the global functions that the runtime knows by name. The caller must hold
// the GIL. Each returns a new reference, or NULL with an error set.
#ifndef SELFSAME_CORE_REGISTRY_H_
#define SELFSAME_CORE_REGISTRY_H_

#include "tie/core.h"

// The type index of a key, None when there is no such type. TypeError: the key is no str.
SS_HIDDEN PyObject* ss_registry_type_key_to_index(PyObject* module, PyObject* key);

// The key of a type index, None when there is no such type.
SS_HIDDEN PyObject* ss_registry_type_key_of(PyObject* module, PyObject* index);

// The reflection data of a type index as a dict, None when there is no such type.
SS_HIDDEN PyObject* ss_registry_type_info(PyObject* module, PyObject* index);

// type_attr(type_index, name): a type attribute, None when there is none.
SS_HIDDEN PyObject* ss_registry_type_attr(PyObject* module, PyObject* args);

// register_class(type_index, cls): the class is kept for the life of the process. ValueError: there is no such type.
SS_HIDDEN PyObject* ss_registry_register_class(PyObject* module, PyObject* args);

// The class registered for a type index, or None.
SS_HIDDEN PyObject* ss_registry_registered_class(PyObject* module, PyObject* index);

// The class of a type index, made when none is registered.
SS_HIDDEN PyObject* ss_registry_class_of(PyObject* module, PyObject* index);

// Sets the callable that makes a class for a type index, and keeps it.
SS_HIDDEN PyObject* ss_registry_set_class_maker(PyObject* module, PyObject* maker);

// set_static_attribute(cls, name, value): for classes that are static types, which Python cannot give attributes.
SS_HIDDEN PyObject* ss_registry_set_static_attribute(PyObject* module, PyObject* args);

// set_error_tables(kind_to_class, class_to_kind, wrap, combined): keeps both dicts, the function that makes an exception of the
// class of another one with another message, or None, and the one that makes the class of a kind that is several.
SS_HIDDEN PyObject* ss_registry_set_error_tables(PyObject* module, PyObject* args);

// The global function of a name, or None.
SS_HIDDEN PyObject* ss_registry_get_global(PyObject* module, PyObject* name);

// set_global_func(name, function, override): the runtime takes a reference to the function.
SS_HIDDEN PyObject* ss_registry_set_global(PyObject* module, PyObject* args);

#endif  // SELFSAME_CORE_REGISTRY_H_
