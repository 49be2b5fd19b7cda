// Opening libselfsame.so, or the program if that exports the runtime, and binding the functions by dlsym.
#include "tie/api.h"

#include "tie/core.h"
#include "tie/limits.h"

#include "selfsame/internal/loader.h"

#include <string.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif !defined(_WIN32)
#include <sys/auxv.h>
#endif

SsApi ss_api;
const SelfsameTieTable* ss_table;
int ss_api_hosted;
static void* runtime;  // the library, or the program

// musl gives a library that is opened later no thread-local memory at a fixed distance, for which a runtime asks that was
// not linked for musl.
static const char* explanation(const char* reason) {
  return strstr(reason, "initial-exec TLS") == NULL
             ? ""
             : "; it was not linked for the C library musl: use the wheel with the tag musllinux";
}

int ss_api_is_loaded(const char* path) {
  void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL) dlclose(library);
  return library != NULL;
}

// Whether the program itself has what lies at `address`, and no library.
static int is_of_program(void* address) {
  Dl_info found;
  if (dladdr(address, &found) == 0) return 0;
#ifdef _WIN32
  return found.dli_fbase == (void*)GetModuleHandleW(NULL);
#elif defined(__APPLE__)
  return found.dli_fbase == (void*)_dyld_get_image_header(0);
#else
  Dl_info program;  // its headers lie in its first segment
  return dladdr((void*)getauxval(AT_PHDR), &program) != 0 && found.dli_fbase == program.dli_fbase;
#endif
}

// Opens the program when it exports a runtime: a Go program that is linked with the Go module. A second runtime beside
// it would know none of its functions, and give its objects other wrappers. NULL when it exports none.
static void* open_program(void) {
  void* found = dlsym(RTLD_DEFAULT, "SelfsameTieTableGet");
  return found != NULL && is_of_program(found) ? dlopen(NULL, RTLD_NOW) : NULL;
}

static void* open_library(const char* path) {
  if (!ss_api_is_loaded(path) && ss_limits_check("selfsame_ffi") != 0) return NULL;
  void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    const char* reason = dlerror();
    PyErr_Format(PyExc_ImportError, "selfsame_ffi: cannot load the runtime library: %s%s", reason, explanation(reason));
  }
  return library;
}

// Raises that the runtime of the program or of the library `path` does not fit: `lacks` says why. For the program, whose
// error is whole, the ImportError has the name "selfsame_ffi". Returns -1.
static int refuse(const char* path, const char* lacks) {
  if (path != NULL) {
    PyErr_Format(PyExc_ImportError, "selfsame_ffi: %s %s; it is no selfsame runtime of this version", path, lacks);
    return -1;
  }
  PyObject* name = PyUnicode_FromString("selfsame_ffi");
  PyObject* text = PyUnicode_FromFormat(
      "selfsame_ffi: this program brings a selfsame runtime of its own, which %s; give both the same version: build the "
      "program with that version of the Go module github.com/selfsame-ffi/selfsame, and install that version of "
      "selfsame-ffi for Python",
      lacks);
  if (name != NULL && text != NULL) PyErr_SetImportError(text, name, NULL);
  Py_XDECREF(name);
  Py_XDECREF(text);
  return -1;
}

static int bind(void* library, const char* path) {
  char lacks[128];
#define SS_BIND(name)                                                 \
  *(void**)&ss_api.name = dlsym(library, #name);                      \
  if (ss_api.name == NULL) {                                          \
    (void)snprintf(lacks, sizeof lacks, "has no function %s", #name); \
    return refuse(path, lacks);                                       \
  }
  SS_API_REQUIRED(SS_BIND)
#undef SS_BIND
  *(void**)&ss_api.TVMFFIEnvRegisterCAPI = dlsym(library, "TVMFFIEnvRegisterCAPI");
  TVMFFIVersion version = {0, 0, 0};
  ss_api.TVMFFIGetVersion(&version);
  if (version.major != TVM_FFI_VERSION_MAJOR || version.minor != TVM_FFI_VERSION_MINOR) {
    (void)snprintf(lacks, sizeof lacks, "has version %u.%u of the C ABI and not %d.%d", version.major, version.minor,
                   TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR);
    return refuse(path, lacks);
  }
  const SelfsameTieTable* table = ss_api.SelfsameTieTableGet();
  if (table == NULL || table->version != SELFSAME_TIE_VERSION || table->size < sizeof(SelfsameTieTable))
    return refuse(path, "has a tie table of another version");
  ss_table = table;
  return 0;
}

int ss_api_load(const char* path) {
  void* library = open_program();
  if (library != NULL) path = NULL;
  if (library == NULL) library = open_library(path);
  if (library == NULL || bind(library, path) != 0) return -1;
  runtime = library;
  ss_api_hosted = path == NULL;
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
  if (!ss_api_is_loaded(path) && ss_limits_check("load_extension") != 0) return NULL;
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
