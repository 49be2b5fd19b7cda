// The functions that load a module from a file: see builtins_fast.h. Go has what is left, a library with a tree of
// modules (module_load.go).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins_fast_call.h"
#include "cxx.h"
#include "module_library.h"
#include "calls/module_symbols.h"
#include "selfsame/internal/loader.h"
#include "core/type_table.h"

static const char loaders[] = "ffi.Module.load_from_file.";

// ---- libraries ---------------------------------------------------------------------------------------------

// Sets the variables of a library for context symbols to what was registered under their names.
static void set_context_symbols(void* library) {
  for (const SsContextSymbol* s = ss_context_symbols(); s != NULL; s = ss_context_symbol_next(s)) {
    void** variable = dlsym(library, s->name);
    if (variable != NULL) *variable = s->symbol;
  }
}

// Opens a library that has no tree of modules, and makes its module.
SS_FAST(load_library) {
  TVMFFIByteArray path;
  const char* message;
  if (!ss_is_call(args, num_args, 2, result) || !ss_is_text(&args[1])) SS_FALL_BACK_TO_GO();
  if (!ss_text_bytes(args, &path) || memchr(path.data, 0, path.size) != NULL) SS_FALL_BACK_TO_GO();
  void* library = ss_library_open(path.data, &message);
  if (library == NULL) {
    return ss_raise("InternalError",
                    "Check failed: (lib_handle_ != nullptr) is false: Failed to load dynamic shared library %s %s",
                    path.data, message);
  }
  // The library stays loaded, so that Go may open it again.
  if (dlsym(library, SS_LIBRARY_BIN) != NULL) SS_FALL_BACK_TO_GO();
  void** context = dlsym(library, SS_LIBRARY_CONTEXT);
  set_context_symbols(library);
  ss_set_none(result);
  if (ss_library_module_in(library, NULL, result) != 0) return -1;
  // Compiled code expects the C++ object, whose vptr lies before the header.
  if (context != NULL) *context = (char*)result->v_obj - sizeof(void*);
  return 0;
}

// ---- files -------------------------------------------------------------------------------------------------

// The name of the loader for a file's extension, of which the last part is the format; NULL raised. From malloc.
static char* loader_of(const TVMFFIByteArray* path, const char** format) {
  const char* dot = path->data + path->size;
  while (dot > path->data && dot[-1] != '.') dot--;
  if (dot == path->data) {
    ss_raise("RuntimeError", "Failed to get file format from %s", path->data);
    return NULL;
  }
  const char* extension = dot;
  if (strcmp(dot, "dll") == 0 || strcmp(dot, "dylib") == 0 || strcmp(dot, "dso") == 0) extension = "so";
  size_t room = sizeof(loaders) + strlen(extension);
  char* name = malloc(room);
  if (name == NULL) {
    ss_raise_no_memory("the name of a module's loader");
    return NULL;
  }
  snprintf(name, room, "%s%s", loaders, extension);
  *format = name + sizeof(loaders) - 1;
  return name;
}

// Loads a file with a loader, which gets its path and format.
static int load_with(const char* name, const char* format, const TVMFFIAny* path, TVMFFIAny* result) {
  TVMFFIByteArray key = {name, strlen(name)};
  TVMFFIAny values[2] = {*path, {.type_index = kTVMFFIRawStr, .v_c_str = format}};
  TVMFFIObjectHandle loader = NULL;
  if (TVMFFIFunctionGetGlobal(&key, &loader) != 0) return -1;
  if (loader == NULL) {
    return ss_raise("RuntimeError",
                    "Loader for `.%s` files is not registered, resolved to (%s) in the global registry.Ensure that you "
                    "have loaded the correct runtime code, andthat you are on the correct hardware architecture.",
                    format, name);
  }
  ss_set_none(result);
  int rc = TVMFFIFunctionCall(loader, values, 2, result);
  ss_decref(loader);
  if (rc != 0 || result->type_index == kTVMFFIModule) return rc;
  const SsType* type = ss_type_at(result->type_index);
  ss_any_clear(result);
  return ss_raise("TypeError", "Cannot convert from type `%s` to `ffi.Module` (result of %s)",
                  type == NULL ? "unregistered type" : type->node.key.data, name);
}

SS_FAST(load_file) {
  TVMFFIByteArray path;
  const char* format;
  if (!ss_is_call(args, num_args, 1, result) || !ss_text_bytes(args, &path)) SS_FALL_BACK_TO_GO();
  char* name = loader_of(&path, &format);
  if (name == NULL) return -1;
  int rc = load_with(name, format, args, result);
  free(name);
  return rc;
}

const SsFastEntry ss_fast_loading[] = {
    {"ffi.Module.load_from_file.so", load_library},
    {"ffi.ModuleLoadFromFile", load_file},
    {NULL, NULL},
};
