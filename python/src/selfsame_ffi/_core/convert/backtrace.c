// Python tracebacks to backtrace text and back; see backtrace.h.
#include "convert/backtrace.h"

#include <frameobject.h>

// ---- traceback to text ----

enum {
  KEPT_AT_ENDS = 256,   // frames at each end of a long traceback that go into the text
  MAX_WALK = 1 << 15,   // frames that are counted; those behind them are left out
  LONGEST_NAME = 4096,  // bytes of a file or function name
};

// The next frame of a traceback, towards the innermost: new reference, or NULL.
static PyTracebackObject* next_of(PyTracebackObject* traceback) {
  PyTracebackObject* next;
  SS_BEGIN_CRITICAL_SECTION(traceback);  // tb_next can be assigned
  next = traceback->tb_next;
  Py_XINCREF((PyObject*)next);
  SS_END_CRITICAL_SECTION();
  return next;
}

static int grow(SsBacktrace* text, size_t* room, size_t more) {
  if (*room - text->size >= more) return 1;
  size_t wanted = 2 * *room + more;
  char* data = PyMem_Realloc(text->data, wanted);
  if (data == NULL) return 0;
  text->data = data;
  *room = wanted;
  return 1;
}

// The UTF-8 bytes of a name, lone surrogates escaped. *owned keeps them alive. Sets no error.
static TVMFFIByteArray name_bytes(PyObject* name, PyObject** owned) {
  Py_ssize_t size;
  *owned = NULL;
  const char* data = PyUnicode_AsUTF8AndSize(name, &size);
  if (data == NULL) {
    PyErr_Clear();
    *owned = PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
    if (*owned == NULL) {
      PyErr_Clear();
      return (TVMFFIByteArray){"?", 1};
    }
    data = PyBytes_AS_STRING(*owned);
    size = PyBytes_GET_SIZE(*owned);
  }
  return (TVMFFIByteArray){data, (size_t)(size < LONGEST_NAME ? size : LONGEST_NAME)};
}

// Copies the bytes, and returns the address behind them.
static char* put(char* at, const char* bytes, size_t n) {
  memcpy(at, bytes, n);
  return at + n;
}

static int put_frame(SsBacktrace* text, size_t* room, PyTracebackObject* traceback) {
  PyCodeObject* code = PyFrame_GetCode(traceback->tb_frame);
  int line = traceback->tb_lineno;
  if (line < 0) line = PyCode_Addr2Line(code, traceback->tb_lasti);
  PyObject *file_owner, *name_owner;
  TVMFFIByteArray file = name_bytes(code->co_filename, &file_owner), name = name_bytes(code->co_name, &name_owner);
  int fits = grow(text, room, file.size + name.size + 64);
  if (fits) {
    char* at = text->data + text->size;
    at = put(at, "  File \"", 8);
    at = put(at, file.data, file.size);
    at += sprintf(at, "\", line %d, in ", line);
    at = put(at, name.data, name.size);
    *at++ = '\n';
    text->size = (size_t)(at - text->data);
  }
  Py_XDECREF(file_owner);
  Py_XDECREF(name_owner);
  Py_DECREF((PyObject*)code);
  return fits;
}

// The entries of a traceback that go into the text, the outermost first.
typedef struct {
  PyTracebackObject* entries[2 * KEPT_AT_ENDS];  // owned
  size_t count;                                  // of entries
  size_t skipped;                                // entries left out before entries[KEPT_AT_ENDS]
} Selection;

// The first entries, and the last ones in a ring.
static void select_entries(Selection* selection, PyTracebackObject* first) {
  size_t seen = 0;
  selection->count = selection->skipped = 0;
  Py_INCREF((PyObject*)first);
  for (PyTracebackObject* entry = first; entry != NULL; seen++) {
    PyTracebackObject* next = seen < MAX_WALK ? next_of(entry) : NULL;
    size_t at = seen < 2 * KEPT_AT_ENDS ? seen : KEPT_AT_ENDS + seen % KEPT_AT_ENDS;
    if (seen >= 2 * KEPT_AT_ENDS) Py_DECREF((PyObject*)selection->entries[at]);
    selection->entries[at] = entry;
    entry = next;
  }
  selection->count = seen < 2 * KEPT_AT_ENDS ? seen : 2 * KEPT_AT_ENDS;
  selection->skipped = seen - selection->count;
}

// The place in `entries` of the entry number i of the selection.
static size_t place_of(const Selection* selection, size_t i) {
  if (i < KEPT_AT_ENDS || selection->skipped == 0) return i;
  return KEPT_AT_ENDS + (selection->skipped + i) % KEPT_AT_ENDS;
}

SsBacktrace ss_backtrace_of(PyObject* exception) {
  size_t room = 1024;
  SsBacktrace text = {PyMem_Malloc(room), 0};
  PyObject* traceback = PyException_GetTraceback(exception);
  if (text.data == NULL || traceback == NULL || !PyTraceBack_Check(traceback)) {
    Py_XDECREF(traceback);
    return text;
  }
  PyObject *type, *value, *set;
  PyErr_Fetch(&type, &value, &set);
  Selection selection;
  select_entries(&selection, (PyTracebackObject*)traceback);
  int fits = 1;
  for (size_t i = selection.count; i > 0; i--) {
    PyTracebackObject* entry = selection.entries[place_of(&selection, i - 1)];
    fits = fits && put_frame(&text, &room, entry);
    if (fits && i - 1 == KEPT_AT_ENDS && selection.skipped > 0 && grow(&text, &room, 64)) {
      text.size += (size_t)sprintf(text.data + text.size, "  [%zu frames are left out]\n", selection.skipped);
    }
    Py_DECREF((PyObject*)entry);
  }
  Py_DECREF(traceback);
  if (!fits) {
    PyMem_Free(text.data);
    text = (SsBacktrace){NULL, 0};
  }
  PyErr_Restore(type, value, set);
  return text;
}

// ---- comparing texts ----

static int is_frame(const char* line, size_t size) {
  static const char open[] = "File \"";
  while (size > 0 && *line == ' ') line++, size--;
  return size >= sizeof(open) - 1 && memcmp(line, open, sizeof(open) - 1) == 0;
}

// Takes the next line that is a frame off a text. 0 at the end.
static int next_frame(TVMFFIByteArray* text, TVMFFIByteArray* line) {
  while (text->size > 0) {
    const char* newline = memchr(text->data, '\n', text->size);
    size_t size = newline == NULL ? text->size : (size_t)(newline - text->data);
    size_t taken = newline == NULL ? size : size + 1;
    *line = (TVMFFIByteArray){text->data, size};
    text->data += taken;
    text->size -= taken;
    if (is_frame(line->data, line->size)) return 1;
  }
  return 0;
}

int ss_backtrace_rest(TVMFFIByteArray longer, TVMFFIByteArray shorter, TVMFFIByteArray* rest) {
  TVMFFIByteArray theirs, ours;
  while (next_frame(&shorter, &ours)) {
    if (!next_frame(&longer, &theirs)) return 0;
    if (ours.size != theirs.size || memcmp(ours.data, theirs.data, ours.size) != 0) return 0;
  }
  *rest = longer;
  return 1;
}

// ---- text to traceback ----

// The first place of `text` between two addresses, or NULL.
static const char* find(const char* from, const char* end, const char* text, size_t size) {
  while ((size_t)(end - from) >= size && (from = memchr(from, text[0], (size_t)(end - from))) != NULL) {
    if ((size_t)(end - from) >= size && memcmp(from, text, size) == 0) return from;
    from++;
  }
  return NULL;
}

// Parses a frame's line into NUL-terminated strings of at most `room` bytes. 0 for any other line.
static int parse_line(const char* line, size_t size, char* file, char* function, size_t room, int* number) {
  static const char open[] = "File \"", middle[] = "\", line ", close[] = ", in ";
  const char* end = line + size;
  while (line < end && *line == ' ') line++;
  if ((size_t)(end - line) < sizeof(open) - 1 || memcmp(line, open, sizeof(open) - 1) != 0) return 0;
  line += sizeof(open) - 1;
  const char* quote = find(line, end, middle, sizeof(middle) - 1);
  if (quote == NULL || (size_t)(quote - line) >= room) return 0;
  memcpy(file, line, (size_t)(quote - line));
  file[quote - line] = 0;
  line = quote + sizeof(middle) - 1;
  long n = 0;
  for (; line < end && *line >= '0' && *line <= '9' && n < 100000000; line++) n = n * 10 + (*line - '0');
  if ((size_t)(end - line) < sizeof(close) - 1 || memcmp(line, close, sizeof(close) - 1) != 0) return 0;
  line += sizeof(close) - 1;
  size_t length = (size_t)(end - line);
  if (length >= room) length = room - 1;
  memcpy(function, line, length);
  function[length] = 0;
  *number = (int)n;
  return 1;
}

#if PY_VERSION_HEX < 0x030A0000
// Tells linecache that a file has no lines. CPython 3.9's raises SyntaxError for a file that is no text, such as the
// library that stands in a frame without a line number, and so would every attempt to print the traceback. Drops its
// own failures.
static void has_no_lines(const char* file) {
  PyObject* linecache = PyImport_ImportModule("linecache");
  PyObject* cache = linecache == NULL ? NULL : PyObject_GetAttrString(linecache, "cache");
  PyObject* name = PyUnicode_DecodeFSDefault(file);
  PyObject* entry = name == NULL ? NULL : Py_BuildValue("(iO[]O)", 0, Py_None, name);  // size, no time: never stale
  if (entry != NULL && cache != NULL && PyDict_Check(cache)) (void)PyDict_SetDefault(cache, name, entry);
  Py_XDECREF(entry);
  Py_XDECREF(name);
  Py_XDECREF(cache);
  Py_XDECREF(linecache);
  PyErr_Clear();
}
#endif

// Adds one frame around the error that is set.
static void add_frame(const char* file, const char* function, int line) {
  static PyObject* globals;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (globals == NULL) globals = PyDict_New();
#if PY_VERSION_HEX < 0x030A0000
  if (line == 0) has_no_lines(file);
#endif
  PyCodeObject* code = PyCode_NewEmpty(file, function, line);
  PyFrameObject* frame = NULL;
  if (code != NULL && globals != NULL) frame = PyFrame_New(PyThreadState_Get(), code, globals, NULL);
  PyErr_Restore(type, value, traceback);  // drops the error of a failure above
  if (frame != NULL) PyTraceBack_Here(frame);
  Py_XDECREF((PyObject*)frame);
  Py_XDECREF((PyObject*)code);
}

void ss_backtrace_add(PyObject* exception, const char* text, size_t size) {
  if (size == 0) return;
  PyObject *outer_type, *outer_value, *outer_traceback;
  PyErr_Fetch(&outer_type, &outer_value, &outer_traceback);
  // Copied: allocating a frame may run the collector and so Python code, which may replace the Error's backtrace.
  PyObject* copy = PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
  if (copy == NULL) {
    PyErr_Restore(outer_type, outer_value, outer_traceback);
    return;
  }
  text = PyBytes_AS_STRING(copy);
  PyObject* type = (PyObject*)Py_TYPE(exception);
  Py_INCREF(type);
  Py_INCREF(exception);
  PyErr_Restore(type, exception, PyException_GetTraceback(exception));
  char file[1024], function[1024];
  const char* end = text + size;
  while (text < end) {
    const char* newline = memchr(text, '\n', (size_t)(end - text));
    const char* stop = newline == NULL ? end : newline;
    int line;
    if (parse_line(text, (size_t)(stop - text), file, function, sizeof(file), &line)) add_frame(file, function, line);
    text = stop + 1;
  }
  PyObject *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (traceback != NULL) PyException_SetTraceback(exception, traceback);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  Py_DECREF(copy);
  PyErr_Restore(outer_type, outer_value, outer_traceback);
}
