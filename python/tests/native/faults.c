// The extension module `faults`: allocations that fail on demand, Python's and the runtime's, on every thread.
//
// begin(kind, first, count): from now on, the allocations number first to first + count - 1 of that kind fail, counted
// from 1. end(): no more allocations fail; returns how many were requested and how many failed.
//
// Python's allocations count only if the package's C core or the runtime requests them, directly or through functions
// of the C API. Those of the interpreter for running Python code do not fail, because CPython itself leaks and crashes
// then (a call of a function with cell variables, the frame of a traceback). Nor does the allocation of the items of a
// new list on a free-threaded CPython 3.13, which would free an uninitialised pointer.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <stdint.h>
#include <string.h>

#include "selfsame/c_api.h"

static int active;
static long long first, last, seen, failed;

// Whether this allocation must fail. The threads of a scenario take turns, so that the numbers are the same in each
// run.
static int fails(void) {
  if (!__atomic_load_n(&active, __ATOMIC_ACQUIRE)) return 0;
  long long number = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
  if (number < first || number > last) return 0;
  __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
  return 1;
}

// ---- Python ----

// Whether the C core or the runtime requests this allocation: one of them is nearer on the stack than the interpreter's
// loop and its function for calling Python functions.
static int is_ours(void) {
  void* stack[64];
  int depth = backtrace(stack, 64);
#ifdef Py_GIL_DISABLED
  int is_items = 1;  // until the allocation of the list itself is found on the stack
#endif
  for (int i = 0; i < depth; i++) {
    Dl_info info;
    if (dladdr(stack[i], &info) == 0 || info.dli_fname == NULL) continue;
#ifdef Py_GIL_DISABLED
    if (info.dli_sname != NULL && strcmp(info.dli_sname, "_PyObject_GC_New") == 0) is_items = 0;
    if (is_items && info.dli_sname != NULL && strcmp(info.dli_sname, "PyList_New") == 0) return 0;
#endif
    if (strstr(info.dli_fname, "/_core.") != NULL || strstr(info.dli_fname, "libselfsame.so") != NULL) return 1;
    if (info.dli_sname == NULL) continue;
    if (strcmp(info.dli_sname, "_PyEval_EvalFrameDefault") == 0 ||
        strcmp(info.dli_sname, "_PyFunction_Vectorcall") == 0)
      return 0;
  }
  return 0;
}

static int python_fails(void) { return __atomic_load_n(&active, __ATOMIC_ACQUIRE) && is_ours() && fails(); }

static const PyMemAllocatorDomain domains[] = {PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};
enum { DOMAINS = 3 };
static PyMemAllocatorEx own[DOMAINS];

static void* py_malloc(void* ctx, size_t size) {
  PyMemAllocatorEx* base = ctx;
  return python_fails() ? NULL : base->malloc(base->ctx, size);
}

static void* py_calloc(void* ctx, size_t count, size_t size) {
  PyMemAllocatorEx* base = ctx;
  return python_fails() ? NULL : base->calloc(base->ctx, count, size);
}

static void* py_realloc(void* ctx, void* block, size_t size) {
  PyMemAllocatorEx* base = ctx;
  return python_fails() ? NULL : base->realloc(base->ctx, block, size);
}

static void py_free(void* ctx, void* block) {
  PyMemAllocatorEx* base = ctx;
  base->free(base->ctx, block);
}

static void python_hooks(int install) {
  for (int i = 0; i < DOMAINS; i++) {
    PyMemAllocatorEx hook = {&own[i], py_malloc, py_calloc, py_realloc, py_free};
    if (install) PyMem_GetAllocator(domains[i], &own[i]);
    PyMem_SetAllocator(domains[i], install ? &hook : &own[i]);
  }
}

// ---- the runtime ----

static TVMFFICustomAllocator* (*get_allocator)(void);
static int (*set_allocator)(TVMFFICustomAllocator*);
static TVMFFICustomAllocator* builtin;

static void* native_allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)context;
  return fails() ? NULL : builtin->allocate(size, alignment, type_index, builtin->context);
}

static TVMFFICustomAllocator failing = {native_allocate, NULL};

static int bind_runtime(void) {
  *(void**)&get_allocator = dlsym(RTLD_DEFAULT, "TVMFFIGetCustomAllocator");
  *(void**)&set_allocator = dlsym(RTLD_DEFAULT, "TVMFFISetCustomAllocator");
  if (get_allocator != NULL && set_allocator != NULL) return 0;
  PyErr_SetString(PyExc_ImportError, "import selfsame_ffi first: its library has the allocator");
  return -1;
}

// ---- the module ----

static int kind;  // 0 none, 1 Python, 2 the runtime

static PyObject* begin(PyObject* module, PyObject* args) {
  (void)module;
  const char* name;
  long long from, count;
  if (!PyArg_ParseTuple(args, "sLL", &name, &from, &count)) return NULL;
  int wanted = strcmp(name, "python") == 0 ? 1 : strcmp(name, "native") == 0 ? 2 : 0;
  if (wanted == 0 || kind != 0 || from < 1 || count < 1) {
    PyErr_SetString(
        PyExc_ValueError,
        "begin: expected kind 'python' or 'native', first and count from 1, and end() before the next begin()");
    return NULL;
  }
  first = from;
  last = count > INT64_MAX - from ? INT64_MAX : from + count - 1;
  seen = failed = 0;
  kind = wanted;
  if (kind == 1) {
    python_hooks(1);
  } else {
    builtin = get_allocator();
    set_allocator(&failing);
  }
  __atomic_store_n(&active, 1, __ATOMIC_RELEASE);
  Py_RETURN_NONE;
}

static PyObject* end(PyObject* module, PyObject* unused) {
  (void)module;
  (void)unused;
  __atomic_store_n(&active, 0, __ATOMIC_RELEASE);
  if (kind == 1) python_hooks(0);
  if (kind == 2) set_allocator(NULL);
  kind = 0;
  return Py_BuildValue("LL", seen, failed);
}

static PyMethodDef methods[] = {{"begin", begin, METH_VARARGS, "begin(kind, first, count)"},
                                {"end", end, METH_NOARGS, "end() -> (requested, failed)"},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "faults", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit_faults(void) {
  void* stack[4];
  backtrace(stack, 4);  // the first call loads a library, which must not happen within an allocation
  PyObject* module = bind_runtime() == 0 ? PyModule_Create(&definition) : NULL;
#ifdef Py_GIL_DISABLED
  if (module != NULL) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
  return module;
}
