// Opening libselfsame.so and binding its functions by dlsym.
#include "tie/api.h"

#include "tie/core.h"
#include "tie/limits.h"

#include "selfsame/internal/loader.h"

#include <string.h>

SsApi ss_api;
const SelfsameTieTable* ss_table;
static void* runtime;  // the library

// musl gives a library that is opened later no thread-local memory at a fixed distance, for which a runtime asks that was
// not linked for musl.
static const char* explanation(const char* reason) {
  return strstr(reason, "initial-exec TLS") == NULL
             ? ""
             : "; it was not linked for the C library musl: use the wheel with the tag musllinux";
}

static int is_loaded(const char* path) {
  void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL) dlclose(library);
  return library != NULL;
}

int ss_api_load(const char* path) {
  if (!is_loaded(path) && ss_limits_check("selfsame_ffi") != 0) return -1;
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    const char* reason = dlerror();
    PyErr_Format(PyExc_ImportError, "selfsame_ffi: cannot load the runtime library: %s%s", reason, explanation(reason));
    return -1;
  }
#define SS_BIND(name)                                                                                                 \
  *(void**)&ss_api.name = dlsym(library, #name);                                                                      \
  if (ss_api.name == NULL) {                                                                                          \
    PyErr_Format(PyExc_ImportError, "selfsame_ffi: %s has no function %s; it is no selfsame runtime of this version", \
                 path, #name);                                                                                        \
    return -1;                                                                                                        \
  }
  SS_API_REQUIRED(SS_BIND)
#undef SS_BIND
  runtime = library;
  *(void**)&ss_api.TVMFFIEnvRegisterCAPI = dlsym(library, "TVMFFIEnvRegisterCAPI");
  const SelfsameTieTable* table = ss_api.SelfsameTieTableGet();
  if (table == NULL || table->version != SELFSAME_TIE_VERSION || table->size < sizeof(SelfsameTieTable)) {
    PyErr_SetString(PyExc_ImportError, "selfsame_ffi: the process's tie table is of another version");
    return -1;
  }
  ss_table = table;
  return 0;
}

const char* ss_api_foreign_library(void) {
  void* found = dlsym(RTLD_DEFAULT, "TVMFFIGetVersion");
  Dl_info info;
  if (found == NULL || found == (void*)ss_api.TVMFFIGetVersion || dladdr(found, &info) == 0) return NULL;
  return info.dli_fname;
}

PyObject* ss_api_lacking(PyObject* module, PyObject* names) {
  (void)module;
  PyObject* iterator = PyObject_GetIter(names);
  PyObject* lacking = iterator == NULL ? NULL : PyList_New(0);
  PyObject* name;
  while (lacking != NULL && (name = PyIter_Next(iterator)) != NULL) {
    const char* text = PyUnicode_AsUTF8(name);
    int has = text != NULL && (dlsym(runtime, text) != NULL || dlsym(RTLD_DEFAULT, text) != NULL);
    if (text == NULL || (!has && PyList_Append(lacking, name) != 0)) Py_CLEAR(lacking);
    Py_DECREF(name);
  }
  Py_XDECREF(iterator);
  if (PyErr_Occurred()) Py_CLEAR(lacking);
  return lacking;
}

PyObject* ss_api_abi_version(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  TVMFFIVersion version;
  ss_api.TVMFFIGetVersion(&version);
  return Py_BuildValue("(III)", version.major, version.minor, version.patch);
}

void* ss_api_beside(void* symbol, const char* name) {
  Dl_info info;
  void* library = dladdr(symbol, &info) == 0 ? NULL : dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL) return NULL;
  void* found = dlsym(library, name);
  dlclose(library);
  return found;
}

void* ss_api_open_symbol(const char* path, const char* name) {
  if (!is_loaded(path) && ss_limits_check("load_extension") != 0) return NULL;
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    const char* reason = dlerror();
    PyErr_Format(PyExc_ImportError, "load_extension: cannot load %s: %s%s", path, reason, explanation(reason));
    return NULL;
  }
  void* symbol = dlsym(library, name);
  if (symbol == NULL)
    PyErr_Format(PyExc_ImportError, "load_extension: %s does not export %s; it is no selfsame extension", path, name);
  return symbol;
}
