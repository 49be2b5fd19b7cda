// Errors of setters in the words of Python.
//
// A setter that refuses a value says so to every language in the words of C++: "Cannot convert from type
// `List[index 1: int]` to `List<str>` (field `geo.Point.tags`)". To Python code it is "geo.Point.tags: expected
// List[str], got int at [1]".
#include "convert/convert.h"
#include "types/field_internal.h"
#include "types/type_words.h"

// Part of a text.
typedef struct {
  const char* data;  // borrowed from the message
  size_t size;       // in bytes
} Part;

static int begins(Part text, const char* with) {
  size_t size = strlen(with);
  return text.size >= size && memcmp(text.data, with, size) == 0;
}

static Part rest(Part text, size_t from) { return (Part){text.data + from, text.size - from}; }

static int is_of_name(char c) { return c == '.' || c == '_' || (c & 0x80) || Py_ISALNUM((unsigned char)c); }

// Whether text goes on with the name at `at`, and neither before nor behind it with what belongs to a longer name.
static int is_whole_name(Part text, size_t at, const char* name) {
  size_t end = at + strlen(name);
  if (!begins(rest(text, at), name)) return 0;
  if (at > 0 && is_of_name(text.data[at - 1]) && is_of_name(name[0])) return 0;
  char last = text.data[end - 1];
  return end == text.size || !is_of_name(text.data[end]) || last == '.' || !is_of_name(last);
}

// A type in the words of Python. New reference, NULL with an error set.
static PyObject* in_words(Part type) {
  PyObject* text = PyUnicode_FromString("");
  for (size_t at = 0; text != NULL && at < type.size;) {
    size_t i = 0, count = sizeof(type_words) / sizeof(type_words[0]);
    while (i < count && !is_whole_name(type, at, type_words[i].native)) i++;
    size_t taken = i < count ? strlen(type_words[i].native) : 1;
    while (i == count && at + taken < type.size && (type.data[at + taken] & 0xC0) == 0x80) taken++;  // a character
    PyObject* next = i < count ? PyUnicode_FromString(type_words[i].python)
                               : PyUnicode_FromStringAndSize(type.data + at, (Py_ssize_t)taken);
    PyUnicode_Append(&text, next);  // takes text away when next is NULL
    Py_XDECREF(next);
    at += taken;
  }
  return text;
}

// Where a key ends that is written in the name of a mismatch: at the ": " behind it.
static size_t key_size(Part text) {
  size_t i = 0;
  if (text.size > 0 && text.data[0] == '"') {
    for (i = 1; i < text.size && text.data[i] != '"'; i++) i += text.data[i] == '\\';
  }
  while (i + 1 < text.size && (text.data[i] != ':' || text.data[i + 1] != ' ')) i++;
  return i + 1 < text.size ? i : text.size;
}

// Describes the value that came, such as `Map[value at "a": List[index 1: int]]`: "int at ["a"][1]". New reference,
// NULL with an error set.
static PyObject* what_came(Part got) {
  static const char* const places[] = {"index ", "value at ", "key at "};
  PyObject* path = PyUnicode_FromString("");
  int is_key = 0;
  while (path != NULL && !is_key) {
    const char* bracket = memchr(got.data, '[', got.size);
    if (bracket == NULL || got.data[got.size - 1] != ']') break;
    Part inside = rest(got, (size_t)(bracket + 1 - got.data));
    int i = 0;
    while (i < 3 && !begins(inside, places[i])) i++;
    if (i == 3) break;
    inside = rest(inside, strlen(places[i]));
    size_t size = key_size(inside);
    if (size + 3 > inside.size) break;
    is_key = i == 2;
    PyObject* step = PyUnicode_FromStringAndSize(inside.data, (Py_ssize_t)size);
    PyObject* part = step == NULL ? NULL : is_key ? PyUnicode_FromString("") : PyUnicode_FromFormat("[%U]", step);
    PyUnicode_Append(&path, part);
    Py_XDECREF(step);
    Py_XDECREF(part);
    got = (Part){inside.data + size + 2, inside.size - size - 3};
  }
  PyObject* type = path == NULL ? NULL : in_words(got);
  PyObject* text = NULL;
  if (type != NULL) {
    int has_path = PyUnicode_GET_LENGTH(path) > 0;
    text = PyUnicode_FromFormat("%U%s%s%U", type, is_key ? " as a key" : "", has_path ? " at " : "", path);
  }
  Py_XDECREF(type);
  Py_XDECREF(path);
  return text;
}

PyObject* ss_field_error_in_words(PyObject* message, PyObject* name) {
  Py_ssize_t length;
  const char* data = PyUnicode_AsUTF8AndSize(message, &length);
  const char* field = PyUnicode_AsUTF8(name);
  if (data == NULL || field == NULL) return NULL;
  Part text = {data, (size_t)length};
  static const char start[] = "Cannot convert from type `", between[] = "` to `", end[] = "` (field `";
  if (!begins(text, start)) Py_RETURN_NONE;
  Part got = rest(text, sizeof(start) - 1);
  const char* to = strstr(got.data, between);
  const char* stop = to == NULL ? NULL : strstr(to, end);
  if (stop == NULL || stop[strlen(end)] == '\0' || strncmp(stop + strlen(end), field, strlen(field)) != 0) {
    Py_RETURN_NONE;
  }
  got.size = (size_t)(to - got.data);
  if (got.size == 0) Py_RETURN_NONE;
  Part expected = {to + strlen(between), (size_t)(stop - to) - strlen(between)};
  PyObject *came = what_came(got), *wanted = in_words(expected), *made = NULL;
  if (came != NULL && wanted != NULL) made = PyUnicode_FromFormat("%U: expected %U, got %U", name, wanted, came);
  Py_XDECREF(came);
  Py_XDECREF(wanted);
  return made;
}
