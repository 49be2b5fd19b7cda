// Python tracebacks to backtrace text and back; see backtrace.h.
#include "convert/backtrace.h"

#include <frameobject.h>

static PyObject* frame_line(PyObject* traceback) {
  PyObject* frame = PyObject_GetAttrString(traceback, "tb_frame");
  PyObject* code = frame == NULL ? NULL : PyObject_GetAttrString(frame, "f_code");
  PyObject* file = code == NULL ? NULL : PyObject_GetAttrString(code, "co_filename");
  PyObject* name = file == NULL ? NULL : PyObject_GetAttrString(code, "co_name");
  PyObject* line = name == NULL ? NULL : PyObject_GetAttrString(traceback, "tb_lineno");
  PyObject* text = line == NULL ? NULL : PyUnicode_FromFormat("  File \"%U\", line %S, in %U\n", file, line, name);
  Py_XDECREF(frame);
  Py_XDECREF(code);
  Py_XDECREF(file);
  Py_XDECREF(name);
  Py_XDECREF(line);
  return text;
}

PyObject* ss_backtrace_of(PyObject* exception) {
  PyObject* lines = PyList_New(0);
  PyObject* traceback = lines == NULL ? NULL : PyException_GetTraceback(exception);
  while (lines != NULL && traceback != NULL && traceback != Py_None) {
    PyObject* line = frame_line(traceback);
    PyObject* next = line == NULL ? NULL : PyObject_GetAttrString(traceback, "tb_next");
    if (next == NULL || PyList_Append(lines, line) != 0) {
      Py_CLEAR(lines);
    }
    Py_XDECREF(line);
    Py_DECREF(traceback);
    traceback = next;
  }
  Py_XDECREF(traceback);
  if (lines == NULL) return NULL;
  PyObject* text = NULL;
  PyObject* empty = PyUnicode_FromString("");
  if (empty != NULL && PyList_Reverse(lines) == 0) text = PyUnicode_Join(empty, lines);
  Py_XDECREF(empty);
  Py_DECREF(lines);
  return text;
}

// Parses a frame's line into NUL-terminated strings of at most `room` bytes. 0 for any other line.
static int parse_line(const char* line, size_t size, char* file, char* function, size_t room, int* number) {
  static const char open[] = "File \"", middle[] = "\", line ", close[] = ", in ";
  const char* end = line + size;
  while (line < end && *line == ' ') line++;
  if ((size_t)(end - line) < sizeof(open) - 1 || memcmp(line, open, sizeof(open) - 1) != 0) return 0;
  line += sizeof(open) - 1;
  const char* quote = memmem(line, (size_t)(end - line), middle, sizeof(middle) - 1);
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

// Adds one frame around the error that is set.
static void add_frame(const char* file, const char* function, int line) {
  static PyObject* globals;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (globals == NULL) globals = PyDict_New();
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
