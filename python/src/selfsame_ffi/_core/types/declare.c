// Declaring native types from Python; see types.h. The type table copies names and texts, and owns what it is given
// for the life of the process.
#include "types/types.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "convert/builtin.h"
#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/schema.h"

static int text_of(PyObject* text, TVMFFIByteArray* out) {
  *out = (TVMFFIByteArray){NULL, 0};
  if (text == Py_None) return 0;
  Py_ssize_t size;
  out->data = PyUnicode_AsUTF8AndSize(text, &size);
  out->size = (size_t)size;
  return out->data == NULL ? -1 : 0;
}

static int check(int rc) { return rc == 0 ? 0 : ss_raise_native(); }

static PyObject* ss_declare_type(PyObject* module, PyObject* args) {
  (void)module;
  PyObject* key;
  int parent;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "Ui:declare_type", &key, &parent) || text_of(key, &name) != 0) return NULL;
  const TVMFFITypeInfo* info = ss_api.SelfsameFindTypeInfo(parent);
  if (info == NULL) return PyErr_Format(PyExc_ValueError, "declare_type: no type has the index %d", parent);
  int32_t index = ss_api.TVMFFITypeGetOrAllocIndex(&name, -1, info->type_depth + 1, 0, 1, parent);
  if (index < 0) return ss_raise_native_null();
  return PyLong_FromLong(index);
}

// ---- fields ----

// The function that reads storage of a kind, by the runtime: the number is a C function's address.
static int getter_of(int32_t storage, TVMFFIFieldGetter* out) {
  TVMFFIAny view = {.type_index = kTVMFFIInt, .v_int64 = storage};
  TVMFFIAny result;
  if (ss_call_builtin(SS_BUILTIN_FIELD_GETTER, &view, 1, &result) != 0) return -1;
  *(void**)&*out = (void*)(intptr_t)result.v_int64;
  return 0;
}

// A Function that converts by the schema and stores. New reference, NULL with an error set.
static TVMFFIObject* setter_of(int32_t storage, PyObject* schema) {
  int (*convert)(void*, const TVMFFIAny*, TVMFFIAny*) = ss_schema_convert_native;
  TVMFFIAny views[3] = {{.type_index = kTVMFFIInt, .v_int64 = storage},
                        {.type_index = kTVMFFIInt, .v_int64 = (intptr_t)schema},
                        {.type_index = kTVMFFIInt, .v_int64 = (intptr_t) * (void**)&convert}};
  TVMFFIAny result;
  return ss_call_builtin(SS_BUILTIN_FIELD_SETTER, views, 3, &result) == 0 ? result.v_obj : NULL;
}

// The schemas of all setters, which own a reference to each for the life of the process, as the type table owns them.
static struct {
  PyObject** schemas;  // `count` of them
  size_t count;        // of schemas
  size_t room;         // for so many
} kept;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // guards it; who holds it calls nothing of Python's

// Keeps a schema, also where there is no memory to note it.
static void keep(PyObject* schema) {
  Py_INCREF(schema);
  pthread_mutex_lock(&mutex);
  if (kept.count == kept.room) {
    size_t room = kept.room == 0 ? 64 : 2 * kept.room;
    PyObject** schemas = realloc(kept.schemas, room * sizeof *schemas);
    if (schemas != NULL) {
      kept.schemas = schemas;
      kept.room = room;
    }
  }
  if (kept.count < kept.room) kept.schemas[kept.count++] = schema;
  pthread_mutex_unlock(&mutex);
}

int ss_declared_traverse(visitproc visit, void* arg) {
  for (size_t i = 0; i < kept.count; i++) Py_VISIT(kept.schemas[i]);
  return 0;
}

// declare_field(index, name, doc, metadata, flags, size, alignment, offset, storage, schema, default): `storage` is the
// type index of the field's layout, `default` a value or a factory as the flags say.
static PyObject* ss_declare_field(PyObject* module, PyObject* args) {
  (void)module;
  int index, storage;
  PyObject *name, *doc, *metadata, *schema, *standard;
  long long flags, size, alignment, offset;
  if (!PyArg_ParseTuple(args, "iUOULLLLiO!O:declare_field", &index, &name, &doc, &metadata, &flags, &size, &alignment,
                        &offset, &storage, &SsSchema_Type, &schema, &standard)) {
    return NULL;
  }
  TVMFFIFieldInfo info = {.flags = flags, .size = size, .alignment = alignment, .offset = offset};
  info.field_static_type_index = storage;
  ss_set_none(&info.default_value_or_factory);
  if (text_of(name, &info.name) != 0 || text_of(doc, &info.doc) != 0 || text_of(metadata, &info.metadata) != 0 ||
      getter_of(storage, &info.getter) != 0) {
    return NULL;
  }
  TVMFFIObject* setter = setter_of(storage, schema);
  if (setter == NULL) return NULL;
  info.setter = setter;
  int has_default = (flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0;
  if (has_default && ss_to_owned(standard, &info.default_value_or_factory) != 0) {
    ss_decref(setter);
    return NULL;
  }
  if (check(ss_api.TVMFFITypeRegisterField(index, &info)) != 0) {
    ss_any_clear(&info.default_value_or_factory);
    ss_decref(setter);
    return NULL;
  }
  keep(schema);
  Py_RETURN_NONE;
}

// ---- methods, attributes, metadata ----

static PyObject* ss_declare_method(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  PyObject *name, *metadata, *value;
  long long flags;
  if (!PyArg_ParseTuple(args, "iUOLO:declare_method", &index, &name, &metadata, &flags, &value)) return NULL;
  TVMFFIMethodInfo info = {.flags = flags};
  if (text_of(name, &info.name) != 0 || text_of(metadata, &info.metadata) != 0) return NULL;
  if (ss_to_owned(value, &info.method) != 0) return NULL;
  int rc = check(ss_api.TVMFFITypeRegisterMethod(index, &info));
  ss_any_clear(&info.method);
  if (rc != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* ss_declare_attr(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  PyObject *name, *value;
  TVMFFIByteArray key;
  TVMFFIAny owned;
  if (!PyArg_ParseTuple(args, "iUO:declare_attr", &index, &name, &value) || text_of(name, &key) != 0 ||
      ss_to_owned(value, &owned) != 0) {
    return NULL;
  }
  TVMFFIAny none = {.type_index = kTVMFFINone};
  int rc = check(ss_api.TVMFFITypeRegisterAttr(kTVMFFINone, &key, &none));  // makes the column
  if (rc == 0) rc = check(ss_api.TVMFFITypeRegisterAttr(index, &key, &owned));
  ss_any_clear(&owned);
  if (rc != 0) return NULL;
  Py_RETURN_NONE;
}

static PyObject* ss_declare_metadata(PyObject* module, PyObject* args) {
  (void)module;
  int index, total_size, kind;
  if (!PyArg_ParseTuple(args, "iii:declare_metadata", &index, &total_size, &kind)) return NULL;
  TVMFFITypeMetadata metadata = {.total_size = total_size, .structural_eq_hash_kind = kind};
  if (check(ss_api.TVMFFITypeRegisterMetadata(index, &metadata)) != 0) return NULL;
  Py_RETURN_NONE;
}

// ---- classes that are declared again ----

static int is_named(const TVMFFIByteArray* name, const TVMFFIByteArray* wanted) {
  return name->size == wanted->size && wanted->size != 0 && memcmp(name->data, wanted->data, wanted->size) == 0;
}

static TVMFFIFieldInfo* own_field(const TVMFFITypeInfo* type, const TVMFFIByteArray* name) {
  for (int32_t i = 0; i < type->num_fields; i++) {
    if (is_named(&type->fields[i].name, name)) return (TVMFFIFieldInfo*)&type->fields[i];
  }
  return NULL;
}

static TVMFFIMethodInfo* own_method(const TVMFFITypeInfo* type, const TVMFFIByteArray* name) {
  for (int32_t i = 0; i < type->num_methods; i++) {
    if (is_named(&type->methods[i].name, name)) return (TVMFFIMethodInfo*)&type->methods[i];
  }
  return NULL;
}

static TVMFFIAny* own_attr(const TVMFFITypeInfo* type, const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = ss_api.TVMFFIGetTypeAttrColumn(name);
  int64_t i = column == NULL ? -1 : (int64_t)type->type_index - column->begin_index;
  if (i < 0 || i >= column->size || column->data[i].type_index == kTVMFFINone) return NULL;
  return (TVMFFIAny*)&column->data[i];
}

// Puts an owned value into the type table. Native threads read there without a lock: the old value, which they may have
// borrowed, stays alive for ever, and one of the same type is replaced in one step. Another type passes through None.
static void put(TVMFFIAny* place, const TVMFFIAny* value) {
  if (place->type_index != value->type_index) __atomic_store_n(&place->type_index, kTVMFFINone, __ATOMIC_RELEASE);
  __atomic_store_n(&place->v_int64, value->v_int64, __ATOMIC_RELEASE);
  __atomic_store_n(&place->small_str_len, value->small_str_len, __ATOMIC_RELEASE);
  __atomic_store_n(&place->type_index, value->type_index, __ATOMIC_RELEASE);
}

// A copy of the metadata that lasts as long as the type table. NULL with an error set.
static char* kept_text(const TVMFFIByteArray* text) {
  char* copy = malloc(text->size + 1);
  if (copy == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  if (text->size != 0) memcpy(copy, text->data, text->size);
  copy[text->size] = 0;
  return copy;
}

// redeclare(index, what, name, metadata, flags, value): replaces the default and flags of a field, a method with its
// metadata and flags, or an attribute. False, and nothing done, where the type has none of the name. The GIL, or the
// caller's lock without one, keeps other calls away.
static PyObject* ss_redeclare(PyObject* module, PyObject* args) {
  (void)module;
  int index;
  const char* what;
  PyObject *name, *metadata, *value;
  long long flags;
  TVMFFIByteArray key, text;
  TVMFFIAny owned;
  if (!PyArg_ParseTuple(args, "isUOLO:redeclare", &index, &what, &name, &metadata, &flags, &value)) return NULL;
  if (text_of(name, &key) != 0 || text_of(metadata, &text) != 0) return NULL;
  const TVMFFITypeInfo* type = ss_api.SelfsameFindTypeInfo(index);
  if (type == NULL) return PyErr_Format(PyExc_ValueError, "redeclare: no type has the index %d", index);
  TVMFFIFieldInfo* field = what[0] == 'f' ? own_field(type, &key) : NULL;
  TVMFFIMethodInfo* method = what[0] == 'm' ? own_method(type, &key) : NULL;
  TVMFFIAny* attr = what[0] == 'a' ? own_attr(type, &key) : NULL;
  if (field == NULL && method == NULL && attr == NULL) Py_RETURN_FALSE;
  char* copy = method == NULL ? NULL : kept_text(&text);
  if ((method != NULL && copy == NULL) || ss_to_owned(value, &owned) != 0) {
    free(copy);
    return NULL;
  }
  if (attr != NULL) put(attr, &owned);
  if (field != NULL) {  // without its default, as long as that is neither the old nor the new one
    __atomic_store_n(&field->flags, flags & ~(int64_t)kTVMFFIFieldFlagBitMaskHasDefault, __ATOMIC_RELEASE);
    put(&field->default_value_or_factory, &owned);
    __atomic_store_n(&field->flags, flags, __ATOMIC_RELEASE);
  }
  if (method != NULL) {
    put(&method->method, &owned);
    method->flags = flags;
    method->metadata = (TVMFFIByteArray){copy, text.size};
  }
  Py_RETURN_TRUE;
}

PyMethodDef ss_declare_functions[] = {
    {"declare_type", ss_declare_type, METH_VARARGS, "declare_type(key, parent_index): the index of a new type."},
    {"declare_field", ss_declare_field, METH_VARARGS,
     "declare_field(index, name, doc, metadata, flags, size, alignment, offset, storage, schema, default)"},
    {"declare_method", ss_declare_method, METH_VARARGS, "declare_method(index, name, metadata, flags, value)"},
    {"redeclare", ss_redeclare, METH_VARARGS,
     "redeclare(index, what, name, metadata, flags, value)\n--\n\nReplace a \"field\"'s default, a \"method\" or an "
     "\"attr\" of a type. Whether it has one."},
    {"declare_attr", ss_declare_attr, METH_VARARGS, "declare_attr(index, name, value): set a type attribute."},
    {"declare_metadata", ss_declare_metadata, METH_VARARGS, "declare_metadata(index, total_size, structural_kind)"},
    {NULL, NULL, 0, NULL}};
