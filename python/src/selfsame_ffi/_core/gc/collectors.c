#include "gc/collectors.h"

#include <stdlib.h>
#include <time.h>

#include "selfsame/internal/process.h"
#include "tie/api.h"
#include "tie/attach.h"
#include "tie/deferred.h"

// Growth of the native memory behind other collectors' objects that makes a full collection run them.
#define MUCH ((int64_t)1 << 20)

static PyObject* gc_collect;  // gc.collect, never released

// Runs CPython's collector, also when the program has disabled it, as gc.collect does.
static int64_t collect_python(SelfsameCollector* self) {
  (void)self;
  int64_t found = 0;
  SsAttachment attachment;
  ss_attachment_begin(&attachment);
  if (attachment.how == SS_ATTACH_REFUSED || attachment.how == SS_ATTACH_NO_MEMORY) return 0;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* count = PyObject_CallObject(gc_collect, NULL);
  if (count != NULL && PyLong_Check(count)) found = PyLong_AsLongLong(count);
  if (PyErr_Occurred() || found < 0) {
    PyErr_Clear();
    found = 0;
  }
  Py_XDECREF(count);
  ss_run_deferred();
  PyErr_Restore(type, value, traceback);
  ss_attachment_end(&attachment);
  return found;
}

static SelfsameCollector own = {.name = "Python", .collect = collect_python};

// Whether cleanups that run on threads of their own have not ended.
static int cleanups_run(void) {
  for (const SelfsameCollector* c = ss_table->collectors(); c != NULL; c = c->next) {
    if (c->pending != NULL && __atomic_load_n(c->pending, __ATOMIC_ACQUIRE) != 0) return 1;
  }
  return 0;
}

static void wait_for_cleanups(double seconds) {
  struct timespec millisecond = {.tv_nsec = 1000000};
  for (double left = seconds; left > 0 && cleanups_run(); left -= 0.001) nanosleep(&millisecond, NULL);
}

#ifdef _WIN32
// At the end of the interpreter, as long as other threads run: drop.c waits on other systems, and says in both cases for
// how many cleanups it was not long enough.
static void wait_at_the_end(void) {
  char buffer[32];
  const char* given = ss_variable("SELFSAME_DROP_TIMEOUT", buffer, sizeof(buffer));
  wait_for_cleanups(given == NULL ? SELFSAME_DROP_SECONDS : strtod(given, NULL));
}
#endif

int ss_collectors_init(void) {
#ifdef _WIN32
  if (Py_AtExit(wait_at_the_end) != 0) {
    PyErr_SetString(PyExc_ImportError, "selfsame_ffi: CPython has no room for another function to call at its end");
    return -1;
  }
#endif
  PyObject* module = PyImport_ImportModule("gc");
  if (module == NULL) return -1;
  gc_collect = PyObject_GetAttrString(module, "collect");
  Py_DECREF(module);
  if (gc_collect == NULL) return -1;
  ss_table->add_collector(&own);
  return 0;
}

// How many bytes the other collectors' objects keep; with `fresh` those that came since the collectors ran last.
static int64_t kept_by_others(int fresh) {
  int64_t bytes = 0;
  for (const SelfsameCollector* c = ss_table->collectors(); c != NULL; c = c->next) {
    if (c->kept == NULL || c->settled == NULL) continue;
    int64_t kept = __atomic_load_n(c->kept, __ATOMIC_RELAXED);
    int64_t more = fresh ? kept - __atomic_load_n(c->settled, __ATOMIC_RELAXED) : kept;
    if (more > 0) bytes += more;
  }
  return bytes;
}

static int64_t run_others(void) {
  int64_t found = 0;
  for (SelfsameCollector* c = ss_table->collectors(); c != NULL; c = c->next) {
    if (c != &own) found += c->collect(c);
  }
  return found;
}

int64_t ss_collect_others(void) {
  PyThreadState* state = PyEval_SaveThread();
  int64_t found = run_others();
  PyEval_RestoreThread(state);
  ss_run_deferred();
  return found;
}

void ss_collect_others_if_much(void) {
  if (kept_by_others(1) >= MUCH) ss_collect_others();
}

static PyObject* ss_collectors_run(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  return PyLong_FromLongLong(ss_collect_others());
}

static PyObject* ss_collectors_wait(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  if (!cleanups_run()) Py_RETURN_FALSE;
  PyThreadState* state = PyEval_SaveThread();
  wait_for_cleanups(SELFSAME_DROP_SECONDS);
  PyEval_RestoreThread(state);
  ss_run_deferred();
  return PyBool_FromLong(!cleanups_run());
}

static PyObject* ss_collectors_exit(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  // With the GIL: daemon threads that make objects without end would take it for most of the time, and leave new garbage
  // for each further round.
  for (int round = 0; round < 4 && kept_by_others(0) > 0; round++) {
    int64_t found = run_others();
    ss_run_deferred();
    if (found == 0) break;
  }
  Py_RETURN_NONE;
}

static PyObject* ss_collectors_list(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  PyObject* list = PyList_New(0);
  for (const SelfsameCollector* c = ss_table->collectors(); list != NULL && c != NULL; c = c->next) {
    PyObject* row = c->kept == NULL
                        ? Py_BuildValue("(sO)", c->name, Py_None)
                        : Py_BuildValue("(sL)", c->name, (long long)__atomic_load_n(c->kept, __ATOMIC_RELAXED));
    if (row == NULL || PyList_Append(list, row) != 0) Py_CLEAR(list);
    Py_XDECREF(row);
  }
  return list;
}

PyMethodDef ss_collectors_functions[] = {
    {"wait_for_cleanups", ss_collectors_wait, METH_NOARGS,
     "wait_for_cleanups()\n--\n\nWait, with the GIL let go, for cleanups of dead objects that run on other threads. Whether "
     "there were any, and all have ended."},
    {"collect_others", ss_collectors_run, METH_NOARGS,
     "collect_others()\n--\n\nRun the collectors of other languages once each; how many objects they gave back."},
    {"collect_at_exit", ss_collectors_exit, METH_NOARGS,
     "collect_at_exit()\n--\n\nFor atexit, before shut_down: run the other collectors until they find nothing more, unless "
     "their objects keep nothing. Keeps the GIL."},
    {"collectors", ss_collectors_list, METH_NOARGS,
     "collectors()\n--\n\nThe collectors of the process: (language, bytes kept by its objects or None)."},
    {NULL, NULL, 0, NULL}};
