// Reflection data as Python values; see types.h.
#include "types/types.h"

#include "convert/to_python.h"

static PyObject* ancestors_of(const TVMFFITypeInfo* info) {
  PyObject* list = PyList_New(0);
  for (int32_t i = 0; list != NULL && i < info->type_depth; i++) {
    PyObject* index = PyLong_FromLong(info->type_ancestors[i]->type_index);
    if (index == NULL || PyList_Append(list, index) != 0) Py_CLEAR(list);
    Py_XDECREF(index);
  }
  return list;
}

PyObject* ss_reflect_ancestors(PyObject* module, PyObject* index) {
  (void)module;
  long number = PyLong_AsLong(index);
  if (number == -1 && PyErr_Occurred()) return NULL;
  const TVMFFITypeInfo* info = number < 0 || number > INT32_MAX ? NULL : ss_api.SelfsameFindTypeInfo((int32_t)number);
  return info == NULL ? PyList_New(0) : ancestors_of(info);
}

static PyObject* fields_of(const TVMFFITypeInfo* info) {
  PyObject* list = PyList_New(0);
  for (int32_t i = 0; list != NULL && i < info->num_fields; i++) {
    PyObject* field = ss_field_new(info, &info->fields[i]);
    if (field == NULL || PyList_Append(list, field) != 0) Py_CLEAR(list);
    Py_XDECREF(field);
  }
  return list;
}

static PyObject* doc_text(const TVMFFIByteArray* doc) {
  if (doc->size == 0) Py_RETURN_NONE;
  return ss_text(doc);
}

static PyObject* method_tuple(const TVMFFIMethodInfo* method) {
  PyObject* value = ss_value_from_view(&method->method);
  if (value == NULL) return NULL;
  return Py_BuildValue("(NNNLN)", ss_text(&method->name), doc_text(&method->doc), ss_text(&method->metadata),
                       (long long)method->flags, value);
}

static PyObject* methods_of(const TVMFFITypeInfo* info) {
  PyObject* list = PyList_New(0);
  for (int32_t i = 0; list != NULL && i < info->num_methods; i++) {
    PyObject* method = method_tuple(&info->methods[i]);
    if (method == NULL || PyList_Append(list, method) != 0) Py_CLEAR(list);
    Py_XDECREF(method);
  }
  return list;
}

PyObject* ss_reflect_type(int32_t type_index) {
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(type_index);
  if (info == NULL) Py_RETURN_NONE;
  static const TVMFFIByteArray no_doc;
  return Py_BuildValue("{s:i,s:N,s:N,s:N,s:i,s:N,s:N}", "type_index", (int)info->type_index, "type_key",
                       ss_text(&info->type_key), "ancestors", ancestors_of(info), "doc",
                       doc_text(info->metadata == NULL ? &no_doc : &info->metadata->doc), "total_size",
                       info->metadata == NULL ? 0 : (int)info->metadata->total_size, "fields", fields_of(info),
                       "methods", methods_of(info));
}

PyObject* ss_reflect_attr(int32_t type_index, const char* name) {
  TVMFFIByteArray key = ss_bytes(name);
  const TVMFFITypeAttrColumn* column = ss_api.TVMFFIGetTypeAttrColumn(&key);
  if (column == NULL) Py_RETURN_NONE;
  int64_t i = (int64_t)type_index - column->begin_index;
  if (i < 0 || i >= column->size) Py_RETURN_NONE;
  return ss_value_from_view(&column->data[i]);
}
