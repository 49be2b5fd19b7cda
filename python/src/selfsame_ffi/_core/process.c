// The start and the end of the module in a process, and its forks.
#include "module.h"

#include <pthread.h>

#include "convert/convert.h"
#include "convert/errors.h"
#include "convert/function.h"
#include "gc/collectors.h"
#include "gc/full_collection.h"
#include "gc/graph.h"
#include "selfsame/internal/process.h"
#include "tie/attach.h"
#include "tie/deferred.h"
#include "tie/python_owner.h"
#include "tie/word_lock.h"
#include "types/field_storage.h"
#include "wrapper/classes.h"

static PyObject* ss_process_shut_down(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_run_deferred();
  if (ss_let_go_at_exit() != 0) return NULL;
  ss_attach_stop();
  Py_RETURN_NONE;
}

// Runs in every forked child, also when native code called fork.
static void in_child(void) {
  ss_attach_after_fork();
  ss_deferred_after_fork();
  ss_field_storage_after_fork();
  ss_in_forked_child = 1;
  ss_same_owner_after_fork();
#if SS_FREE_THREADED
  ss_word_lock_after_fork();
  ss_graph_requests_after_fork();
  ss_table->after_fork();
#endif
}

static PyObject* ss_process_before_fork(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_attach_before_fork();
  Py_RETURN_NONE;
}

static PyObject* ss_process_after_fork_in_parent(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  ss_attach_after_fork_in_parent();
  Py_RETURN_NONE;
}

// Runs in the child of os.fork, whose only thread is the main one.
static PyObject* ss_process_after_fork(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
#if SS_FREE_THREADED
  ss_object_locks_after_fork();
#endif
  ss_attach_start();
  Py_RETURN_NONE;
}

static int load_runtime(PyObject* module, PyObject* path) {
  (void)module;
  PyObject* bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes)) return -1;
  int rc = ss_api_load(PyBytes_AS_STRING(bytes));
  Py_DECREF(bytes);
  if (rc != 0) return -1;
  ss_table->set_reclaim(ss_reclaim_block);
  ss_table->set_hand_back(ss_hand_back);
  if (ss_api.TVMFFIEnvRegisterCAPI != NULL &&
      (ss_api.TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", (void*)PyErr_CheckSignals) != 0 ||
       ss_api.TVMFFIEnvRegisterCAPI("PyGILState_Ensure", (void*)ss_gilstate_ensure) != 0 ||
       ss_api.TVMFFIEnvRegisterCAPI("PyGILState_Release", (void*)PyGILState_Release) != 0)) {
    return ss_raise_native();
  }
  if (ss_watch_forks(ss_same_owner_before_fork, ss_same_owner_after_fork, in_child) != 0) return ss_no_memory();
  ss_callbacks_init();
  ss_attach_start();
  ss_python_set_alive(1);
  return 0;
}

static PyObject* ss_process_start(PyObject* module, PyObject* args) {
  PyObject* path;
  int release_gil;
  if (!PyArg_ParseTuple(args, "Op:start", &path, &release_gil)) return NULL;
  if (ss_table != NULL) Py_RETURN_FALSE;  // the module was imported again; the state is the process's
  ss_release_gil_default = release_gil;
  if (load_runtime(module, path) != 0) return NULL;
  if (ss_class_register(kTVMFFIFunction, &SsFunction_Type) != 0 ||
      ss_class_register(kTVMFFIError, &SsError_Type) != 0 ||
      ss_class_register(kTVMFFIShape, &SsShapeObject_Type) != 0 || ss_collection_init() != 0 ||
      ss_collectors_init() != 0 || ss_handlers_init() != 0) {
    return NULL;
  }
  Py_RETURN_TRUE;
}

PyMethodDef ss_process_functions[] = {
    {"start", ss_process_start, METH_VARARGS,
     "start(library, release_gil)\n--\n\nOpen the runtime library and bind its functions, once in a process. Whether "
     "this was the first call."},
    {"shut_down", ss_process_shut_down, METH_NOARGS,
     "shut_down()\n--\n\nFor atexit: from here on no release is deferred and no block kept."},
    {"before_fork", ss_process_before_fork, METH_NOARGS, "before_fork()\n--\n\nFor os.register_at_fork."},
    {"after_fork_in_parent", ss_process_after_fork_in_parent, METH_NOARGS,
     "after_fork_in_parent()\n--\n\nFor os.register_at_fork."},
    {"after_fork", ss_process_after_fork, METH_NOARGS,
     "after_fork()\n--\n\nFor os.register_at_fork, in the child, whose only thread is the main one."},
    {NULL, NULL, 0, NULL}};
