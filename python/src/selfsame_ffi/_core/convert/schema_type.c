// Schema and CAny in Python: a compiled schema, and an owned native value.
#include "convert/convert.h"
#include "convert/schema.h"

#include <stddef.h>
#include <structmember.h>

static const char* const kind_names[SS_SCHEMA_KINDS] = {
    [SS_SCHEMA_ANY] = "any",         [SS_SCHEMA_NONE] = "none",         [SS_SCHEMA_INT] = "int",
    [SS_SCHEMA_FLOAT] = "float",     [SS_SCHEMA_BOOL] = "bool",         [SS_SCHEMA_STR] = "str",
    [SS_SCHEMA_BYTES] = "bytes",     [SS_SCHEMA_DEVICE] = "device",     [SS_SCHEMA_DTYPE] = "dtype",
    [SS_SCHEMA_POINTER] = "pointer", [SS_SCHEMA_TENSOR] = "tensor",     [SS_SCHEMA_CALLABLE] = "callable",
    [SS_SCHEMA_ARRAY] = "array",     [SS_SCHEMA_LIST] = "list",         [SS_SCHEMA_MAP] = "map",
    [SS_SCHEMA_DICT] = "dict",       [SS_SCHEMA_TUPLE] = "tuple",       [SS_SCHEMA_OBJECT] = "object",
    [SS_SCHEMA_ENUM] = "enum",       [SS_SCHEMA_OPTIONAL] = "optional", [SS_SCHEMA_UNION] = "union",
};

static SsSchemaKind kind_of(const char* name) {
  SsSchemaKind kind = 0;
  while (kind < SS_SCHEMA_KINDS && strcmp(kind_names[kind], name) != 0) kind++;
  return kind;
}

// Whether a schema of the kind can have this number of parts: the conversions index them without a check.
static int parts_fit(SsSchemaKind kind, Py_ssize_t count) {
  switch (kind) {
    case SS_SCHEMA_OPTIONAL:
      return count == 1;
    case SS_SCHEMA_UNION:
      return count >= 1;
    case SS_SCHEMA_ARRAY:
    case SS_SCHEMA_LIST:
      return count <= 1;
    case SS_SCHEMA_MAP:
    case SS_SCHEMA_DICT:
      return count == 0 || count == 2;
    case SS_SCHEMA_TUPLE:
      return 1;
    default:
      return count == 0;
  }
}

static PyObject* schema_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static char* names[] = {"kind", "expected", "parts", "type_index", "helper", NULL};
  const char* name;
  PyObject *expected, *parts = Py_None, *helper = Py_None;
  int type_index = -1;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sU|OiO", names, &name, &expected, &parts, &type_index, &helper)) {
    return NULL;
  }
  SsSchemaKind kind = kind_of(name);
  if (kind == SS_SCHEMA_KINDS) return PyErr_Format(PyExc_ValueError, "Schema: argument 'kind': got '%s'", name);
  if (parts != Py_None && !PyTuple_Check(parts)) {
    return PyErr_Format(PyExc_TypeError, "Schema: argument 'parts': expected a tuple or None, got %.100s",
                        Py_TYPE(parts)->tp_name);
  }
  Py_ssize_t count = parts == Py_None ? 0 : PyTuple_GET_SIZE(parts);
  if (!parts_fit(kind, count)) {
    return PyErr_Format(PyExc_ValueError, "Schema: argument 'parts': got %zd for the kind '%s'", count, name);
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    if (Py_TYPE(PyTuple_GET_ITEM(parts, i)) != &SsSchema_Type) {
      return PyErr_Format(PyExc_TypeError, "Schema: argument 'parts': expected Schemas");
    }
  }
  SsSchema* schema = (SsSchema*)type->tp_alloc(type, count);
  if (schema == NULL) return NULL;
  schema->kind = kind;
  schema->type_index = type_index;
  schema->bare = parts == Py_None;
  Py_INCREF(expected);
  schema->expected = expected;
  if (helper != Py_None) Py_INCREF(helper);
  schema->helper = helper == Py_None ? NULL : helper;
  for (Py_ssize_t i = 0; i < count; i++) {
    schema->parts[i] = (SsSchema*)PyTuple_GET_ITEM(parts, i);
    Py_INCREF((PyObject*)schema->parts[i]);
  }
  return (PyObject*)schema;
}

static int schema_traverse(PyObject* self, visitproc visit, void* arg) {
  SsSchema* schema = (SsSchema*)self;
  Py_VISIT(schema->helper);
  for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) Py_VISIT((PyObject*)schema->parts[i]);
  return 0;
}

static void schema_dealloc(PyObject* self) {
  SsSchema* schema = (SsSchema*)self;
  PyObject_GC_UnTrack(self);
  Py_XDECREF(schema->expected);
  Py_XDECREF(schema->helper);
  for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) Py_XDECREF((PyObject*)schema->parts[i]);
  Py_TYPE(self)->tp_free(self);
}

static PyObject* schema_check(PyObject* self, PyObject* value) {
  TVMFFIAny owned;
  if (ss_schema_to_owned((SsSchema*)self, value, &owned) != 0) return NULL;
  ss_any_clear(&owned);
  Py_RETURN_NONE;
}

static PyObject* schema_convert(PyObject* self, PyObject* value) {
  TVMFFIAny owned;
  return ss_schema_to_owned((SsSchema*)self, value, &owned) == 0 ? ss_any_value_new(&owned) : NULL;
}

static PyMethodDef methods[] = {
    {"check", schema_check, METH_O, "check($self, value, /)\n--\n\nRaise TypeError for a value that does not fit."},
    {"convert", schema_convert, METH_O, "convert($self, value, /)\n--\n\nThe native value of a value, as a CAny."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {
    {"expected", T_OBJECT, offsetof(SsSchema, expected), READONLY, "What messages call the schema."},
    {"type_index", T_INT, offsetof(SsSchema, type_index), READONLY, "Of objects: the type's index."},
    {NULL, 0, 0, 0, NULL}};

PyTypeObject SsSchema_Type = {
    SS_TYPE("selfsame_ffi._core.Schema",
            "A compiled type schema: Schema(kind, expected, parts=None, type_index=-1, helper=None).",
            offsetof(SsSchema, parts), Py_TPFLAGS_HAVE_GC),
    .tp_itemsize = sizeof(SsSchema*),
    .tp_new = schema_new,
    .tp_dealloc = schema_dealloc,
    .tp_traverse = schema_traverse,
    .tp_methods = methods,
    .tp_members = members,
    .tp_free = PyObject_GC_Del,
};
