// Starting CPython without its headers: the functions are found by name, so that one program runs with any version.
#include "embed.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { FILE_INPUT = 257 };  // Py_file_input

// Functions of CPython, by their names there without "Py".
static struct {
  void (*InitializeEx)(int);
  int (*FinalizeEx)(void);
  wchar_t* (*DecodeLocale)(const char*, size_t*);
  void* (*EvalSaveThread)(void);
  void (*EvalRestoreThread)(void*);
  void* (*DictNew)(void);
  int (*DictSetItemString)(void*, const char*, void*);
  void* (*EvalGetBuiltins)(void);
  void* (*CompileString)(const char*, const char*, int);
  void* (*EvalEvalCode)(void*, void*, void*);
  void (*ErrFetch)(void**, void**, void**);
  void (*ErrNormalizeException)(void**, void**, void**);
  void* (*ObjectStr)(void*);
  void* (*ObjectGetAttrString)(void*, const char*);
  const char* (*UnicodeAsUTF8)(void*);
  void (*ErrClear)(void);
  void (*DecRef)(void*);
  // Before 3.15: what names the program and the home, and two flags.
  void (*SetProgramName)(const wchar_t*);
  void (*SetPythonHome)(const wchar_t*);
  int* IgnoreEnvironmentFlag;
  int* NoUserSiteDirectory;
  // From 3.14 on.
  void* (*InitConfigCreate)(void);
  int (*InitConfigSetInt)(void*, const char*, long long);
  int (*InitConfigSetStr)(void*, const char*, const char*);
  int (*InitializeFromInitConfig)(void*);
  int (*InitConfigGetError)(void*, const char**);
} py;

static void* main_state;

void ss_embed_preload(const char* library, const char* name) {
  if (dlopen(name, RTLD_NOW) == NULL) (void)dlopen(library, RTLD_NOW);
}

int ss_embed_open(const char* library, char* message, size_t size) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);  // global: extension modules link to no library
  if (handle == NULL) {
    (void)snprintf(message, size, "%s", dlerror());
    return -1;
  }
  const struct {
    void* at;
    const char* name;
    int required;
  } functions[] = {
      {&py.InitializeEx, "Py_InitializeEx", 1},
      {&py.FinalizeEx, "Py_FinalizeEx", 1},
      {&py.DecodeLocale, "Py_DecodeLocale", 1},
      {&py.EvalSaveThread, "PyEval_SaveThread", 1},
      {&py.EvalRestoreThread, "PyEval_RestoreThread", 1},
      {&py.DictNew, "PyDict_New", 1},
      {&py.DictSetItemString, "PyDict_SetItemString", 1},
      {&py.EvalGetBuiltins, "PyEval_GetBuiltins", 1},
      {&py.CompileString, "Py_CompileString", 1},
      {&py.EvalEvalCode, "PyEval_EvalCode", 1},
      {&py.ErrFetch, "PyErr_Fetch", 1},
      {&py.ErrNormalizeException, "PyErr_NormalizeException", 1},
      {&py.ObjectStr, "PyObject_Str", 1},
      {&py.ObjectGetAttrString, "PyObject_GetAttrString", 1},
      {&py.UnicodeAsUTF8, "PyUnicode_AsUTF8", 1},
      {&py.ErrClear, "PyErr_Clear", 1},
      {&py.DecRef, "Py_DecRef", 1},
      {&py.SetProgramName, "Py_SetProgramName", 0},
      {&py.SetPythonHome, "Py_SetPythonHome", 0},
      {&py.IgnoreEnvironmentFlag, "Py_IgnoreEnvironmentFlag", 0},
      {&py.NoUserSiteDirectory, "Py_NoUserSiteDirectory", 0},
      {&py.InitConfigCreate, "PyInitConfig_Create", 0},
      {&py.InitConfigSetInt, "PyInitConfig_SetInt", 0},
      {&py.InitConfigSetStr, "PyInitConfig_SetStr", 0},
      {&py.InitializeFromInitConfig, "Py_InitializeFromInitConfig", 0},
      {&py.InitConfigGetError, "PyInitConfig_GetError", 0},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void* found = dlsym(handle, functions[i].name);
    memcpy(functions[i].at, &found, sizeof found);
    if (found == NULL && functions[i].required) {
      (void)snprintf(message, size, "it has no function %s; it is no library of CPython 3.9 or later",
                     functions[i].name);
      return -1;
    }
  }
  return 0;
}

static int initialise_by_config(const char* executable, const char* home, int isolated, char* message, size_t size) {
  void* config = py.InitConfigCreate();  // never freed: it is made once
  // It begins as for an isolated Python. The settings are those of the program python3, but that signals stay Go's.
  int failed = config == NULL || py.InitConfigSetInt(config, "isolated", 0) != 0 ||
               py.InitConfigSetInt(config, "use_environment", !isolated) != 0 ||
               py.InitConfigSetInt(config, "user_site_directory", !isolated) != 0 ||
               py.InitConfigSetInt(config, "install_signal_handlers", 0) != 0 ||
               py.InitConfigSetStr(config, "program_name", executable) != 0 ||
               (*home != 0 && py.InitConfigSetStr(config, "home", home) != 0) ||
               py.InitializeFromInitConfig(config) != 0;
  if (!failed) return 0;
  const char* reason = NULL;
  if (config != NULL) (void)py.InitConfigGetError(config, &reason);
  (void)snprintf(message, size, "%s", reason == NULL ? "no memory" : reason);
  return -1;
}

int ss_embed_initialise(const char* executable, const char* home, int isolated, char* message, size_t size) {
  if (py.InitConfigCreate != NULL) return initialise_by_config(executable, home, isolated, message, size);
  // The program's name tells CPython where the virtual environment is, and what sys.executable is. CPython keeps both.
  wchar_t* program = py.DecodeLocale(executable, NULL);
  wchar_t* folder = *home == 0 ? NULL : py.DecodeLocale(home, NULL);
  if (program == NULL || (*home != 0 && folder == NULL) || py.SetProgramName == NULL || py.SetPythonHome == NULL) {
    (void)snprintf(message, size, "its path cannot be read as text");
    return -1;
  }
  if (isolated && py.IgnoreEnvironmentFlag != NULL && py.NoUserSiteDirectory != NULL)
    *py.IgnoreEnvironmentFlag = *py.NoUserSiteDirectory = 1;
  py.SetProgramName(program);
  if (folder != NULL) py.SetPythonHome(folder);
  py.InitializeEx(0);  // without handlers of signals
  return 0;
}

static void copy_text(void* text, char* out, size_t size) {
  const char* utf8 = text == NULL ? NULL : py.UnicodeAsUTF8(text);
  (void)snprintf(out, size, "%s", utf8 == NULL ? "?" : utf8);
  if (text != NULL) py.DecRef(text);
  py.ErrClear();
}

static void describe_exception(char* kind, char* message, size_t size) {
  void *type = NULL, *value = NULL, *traceback = NULL;
  py.ErrFetch(&type, &value, &traceback);
  py.ErrNormalizeException(&type, &value, &traceback);
  copy_text(py.ObjectGetAttrString(type, "__name__"), kind, size);
  copy_text(py.ObjectStr(value), message, size);
}

int ss_embed_run(const char* name, const char* source, char* kind, char* message, size_t size) {
  void* globals = py.DictNew();
  void* code = py.CompileString(source, name, FILE_INPUT);
  void* result = NULL;
  if (globals != NULL && code != NULL && py.DictSetItemString(globals, "__builtins__", py.EvalGetBuiltins()) == 0)
    result = py.EvalEvalCode(code, globals, globals);
  if (result == NULL) describe_exception(kind, message, size);
  if (result != NULL) py.DecRef(result);
  if (code != NULL) py.DecRef(code);
  if (globals != NULL) py.DecRef(globals);
  return result == NULL ? -1 : 0;
}

void ss_embed_detach(void) { main_state = py.EvalSaveThread(); }

int ss_embed_finalise(void) {
  py.EvalRestoreThread(main_state);
  return py.FinalizeEx();
}
