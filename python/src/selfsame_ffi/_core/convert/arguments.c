// The arguments of a call of a reflected method; see arguments.h.
#include "convert/arguments.h"

#include "convert/convert.h"

static int allocate(SsArguments* out, Py_ssize_t count) {
  out->allocated = PyMem_Calloc((size_t)count + 1, sizeof(PyObject*));
  if (out->allocated != NULL) return 0;
  PyErr_NoMemory();
  return -1;
}

// The usual call: its keyword arguments are those that follow the positional ones, in any order, and their names are
// the interned strings of the signature. Then they are positional arguments as well, also for a Function with defaults.
// Returns whether *out is set.
static int follow_in_order(const SsSignature* signature, PyObject* const* values, Py_ssize_t count, PyObject* kwnames,
                           Py_ssize_t leading, SsArguments* out) {
  Py_ssize_t keywords = PyTuple_GET_SIZE(kwnames), end = count + keywords;
  PyObject* names = signature->arg_names;
  if (end > SS_ARGUMENTS_INSIDE || names == Py_None || count < leading || end > leading + PyTuple_GET_SIZE(names)) {
    return 0;
  }
  for (Py_ssize_t i = 0; i < end; i++) out->inside[i] = i < count ? values[i] : NULL;
  for (Py_ssize_t k = 0; k < keywords; k++) {
    Py_ssize_t i = count;
    while (i < end && PyTuple_GET_ITEM(names, i - leading) != PyTuple_GET_ITEM(kwnames, k)) i++;
    if (i == end || out->inside[i] != NULL) return 0;
    out->inside[i] = values[count + k];
  }
  out->values = out->inside;
  out->count = end;
  return 1;
}

void ss_set_unexpected_keyword(PyObject* keyword, PyObject* names) {
  PyObject* module = names == NULL ? NULL : PyImport_ImportModule("selfsame_ffi._calls.messages");
  PyObject* text = module == NULL ? NULL : PyObject_CallMethod(module, "unexpected_keyword", "OO", keyword, names);
  if (text != NULL) PyErr_SetObject(PyExc_TypeError, text);
  Py_XDECREF(text);
  Py_XDECREF(module);
  Py_XDECREF(names);
}

// Puts `value` at the position of the argument `keyword`. Returns the position, or -1 with TypeError set.
static Py_ssize_t place_keyword(const SsSignature* signature, PyObject* keyword, PyObject* value, Py_ssize_t leading,
                                SsArguments* out) {
  Py_ssize_t i = PySequence_Index(signature->arg_names, keyword);
  if (i < 0) {
    PyErr_Clear();
    ss_set_unexpected_keyword(keyword, ss_new_ref(signature->arg_names));
    return -1;
  }
  if (out->allocated[leading + i] != NULL) {
    PyErr_Format(PyExc_TypeError, "argument '%U': got multiple values", keyword);
    return -1;
  }
  out->allocated[leading + i] = value;
  return leading + i;
}

// Orders the arguments by the names that reflection knows.
static int order_by_names(const SsSignature* signature, PyObject* const* values, Py_ssize_t count, PyObject* kwnames,
                          Py_ssize_t leading, SsArguments* out) {
  Py_ssize_t names = PyTuple_GET_SIZE(signature->arg_names);
  // Of too many values, a keyword is an unknown one or the second of an argument.
  if (allocate(out, Py_MAX(count, leading + names)) != 0) return -1;
  if (count > 0) memcpy(out->allocated, values, (size_t)count * sizeof(PyObject*));
  Py_ssize_t end = count;
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); k++) {
    Py_ssize_t i = place_keyword(signature, PyTuple_GET_ITEM(kwnames, k), values[count + k], leading, out);
    if (i < 0) return -1;
    if (i + 1 > end) end = i + 1;
  }
  for (Py_ssize_t i = 0; i < end; i++) {
    if (out->allocated[i] == NULL) {
      PyErr_Format(PyExc_TypeError, "argument '%U': missing", PyTuple_GET_ITEM(signature->arg_names, i - leading));
      return -1;
    }
  }
  out->values = out->allocated;
  out->count = end;
  return 0;
}

// The positional arguments, the sentinel, then each keyword followed by its value.
static int order_with_sentinel(const SsSignature* signature, PyObject* const* values, Py_ssize_t count,
                               PyObject* kwnames, SsArguments* out) {
  Py_ssize_t keywords = PyTuple_GET_SIZE(kwnames);
  if (allocate(out, count + 1 + 2 * keywords) != 0) return -1;
  if (count > 0) memcpy(out->allocated, values, (size_t)count * sizeof(PyObject*));
  out->allocated[count] = signature->sentinel;
  for (Py_ssize_t k = 0; k < keywords; k++) {
    out->allocated[count + 1 + 2 * k] = PyTuple_GET_ITEM(kwnames, k);
    out->allocated[count + 2 + 2 * k] = values[count + k];
  }
  out->values = out->allocated;
  out->count = count + 1 + 2 * keywords;
  return 0;
}

int ss_arguments_order(const SsSignature* signature, PyObject* const* values, Py_ssize_t count, PyObject* kwnames,
                       Py_ssize_t leading, SsArguments* out) {
  if (SS_LIKELY(follow_in_order(signature, values, count, kwnames, leading, out))) return 0;
  int rc;
  if (signature->sentinel != Py_None) {
    rc = order_with_sentinel(signature, values, count, kwnames, out);
  } else if (signature->arg_names != Py_None) {
    rc = order_by_names(signature, values, count, kwnames, leading, out);
  } else {
    PyErr_SetString(PyExc_TypeError, "got keyword arguments, but the names of its arguments are not known");
    rc = -1;
  }
  if (rc == 0) return 0;
  ss_arguments_release(out);
  ss_prefix_called(signature);
  return -1;
}

void ss_prefix_called(const SsSignature* signature) {
  if (PyUnicode_CompareWithASCIIString(signature->name, "__init__") == 0) {
    ss_prefix_error("%U: ", signature->type_key);
  } else {
    ss_prefix_error("%U.%U: ", signature->type_key, signature->name);
  }
}
