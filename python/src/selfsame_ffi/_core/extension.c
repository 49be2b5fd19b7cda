// The module's functions that load libraries with Go packages. A loaded library stays for the life of the process.
#include "module.h"

#include "convert/errors.h"

// The name of the capsules with the SelfsameExtensionSetenv of a library.
#define SETENV "selfsame_ffi._core.setenv"

// Loads the library at a path; gives its SelfsameExtensionInit, or NULL with an exception set.
static int (*open_init(PyObject* path))(void) {
  PyObject* bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
  int (*init)(void) = NULL;
  *(void**)&init = ss_api_open_symbol(PyBytes_AS_STRING(bytes), "SelfsameExtensionInit");
  Py_DECREF(bytes);
  return init;
}

// Returns what an extension's packages wait for, as text, "" where that is not known. Returns None when they are
// initialised, or do not say.
static PyObject* ss_extension_open(PyObject* module, PyObject* path) {
  (void)module;
  void* init = (void*)open_init(path);
  if (init == NULL) return NULL;
  int (*is_initialising)(const char**) = NULL;
  *(void**)&is_initialising = ss_api_beside(init, "SelfsameExtensionIsInitialising");
  const char* text = NULL;
  if (is_initialising == NULL || !is_initialising(&text)) Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(text == NULL ? "" : text);
}

static PyObject* ss_extension_load(PyObject* module, PyObject* path) {
  (void)module;
  int (*init)(void) = open_init(path);
  if (init == NULL) return NULL;
  PyThreadState* state = PyEval_SaveThread();  // it waits for another thread, whose registrations may call Python
  int rc = init();
  PyEval_RestoreThread(state);
  if (rc != 0) return ss_raise_native_null();
  void* set = ss_api_beside((void*)init, "SelfsameExtensionSetenv");
  if (set == NULL) Py_RETURN_NONE;
  return PyCapsule_New(set, SETENV, NULL);
}

static PyObject* ss_extension_setenv(PyObject* module, PyObject* args) {
  (void)module;
  PyObject *capsule, *name, *value;
  if (!PyArg_ParseTuple(args, "OSO:setenv_of_extension", &capsule, &name, &value)) return NULL;
  if (value != Py_None && !PyBytes_Check(value)) {
    return PyErr_Format(PyExc_TypeError, "setenv_of_extension: argument 'value': expected bytes or None, got %s",
                        Py_TYPE(value)->tp_name);
  }
  void (*set)(const char*, const char*) = NULL;
  *(void**)&set = PyCapsule_GetPointer(capsule, SETENV);
  if (set == NULL) return NULL;
  const char* text = value == Py_None ? NULL : PyBytes_AS_STRING(value);
  PyThreadState* state = PyEval_SaveThread();  // the arguments keep the texts
  set(PyBytes_AS_STRING(name), text);
  PyEval_RestoreThread(state);
  Py_RETURN_NONE;
}

static PyObject* ss_extension_foreign_runtime(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  const char* path = ss_api_foreign_library();
  if (path == NULL) Py_RETURN_NONE;
  return PyUnicode_DecodeFSDefault(path);
}

// Asks without the GIL: a library that is being loaded may wait for it.
static PyObject* ss_extension_is_loaded(PyObject* module, PyObject* path) {
  (void)module;
  PyObject* bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
  int is_loaded;
  Py_BEGIN_ALLOW_THREADS is_loaded = ss_api_is_loaded(PyBytes_AS_STRING(bytes));
  Py_END_ALLOW_THREADS Py_DECREF(bytes);
  return PyBool_FromLong(is_loaded);
}

PyMethodDef ss_extension_functions[] = {
    {"open_extension", ss_extension_open, METH_O,
     "Load a shared library with a SelfsameExtensionInit and do not enter Go; what its packages wait for, \"\" where that is not "
     "known, None when they are initialised."},
    {"load_extension", ss_extension_load, METH_O,
     "Load a shared library and run its SelfsameExtensionInit without the GIL; what setenv_of_extension takes, None where it has "
     "none."},
    {"setenv_of_extension", ss_extension_setenv, METH_VARARGS,
     "Tell the Go of a loaded library of a variable's value in the environment, None when it is gone."},
    {"is_loaded", ss_extension_is_loaded, METH_O,
     "Whether a library is loaded, so that loading it from this path would load nothing new."},
    {"foreign_runtime", ss_extension_foreign_runtime, METH_NOARGS,
     "Path of another runtime library that the process's tvm-ffi symbols come from, or None."},
    {NULL, NULL, 0, NULL}};
