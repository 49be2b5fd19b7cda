// The loader of shared libraries under POSIX's names, also where the system is Windows. Paths are UTF-8.
//
// On Windows `dlopen` takes a lock of the loader, as elsewhere. RTLD_GLOBAL and RTLD_LAZY mean nothing there: a library
// finds what it imports by the name of the file that has it. RTLD_DEFAULT looks in each loaded library, in the order in
// which they were loaded.
#ifndef SELFSAME_INTERNAL_LOADER_H_
#define SELFSAME_INTERNAL_LOADER_H_

#ifndef _WIN32
#include <dlfcn.h>

#define SS_PATH_SEPARATOR '/'

#ifdef __APPLE__
#define SS_RUNTIME_FILE "libtvm_ffi.dylib"
#else
#define SS_RUNTIME_FILE "libtvm_ffi.so"
#endif

#else  // Windows

#include <stdio.h>
#include <string.h>

// clang-format off
#include <windows.h>
#include <psapi.h>
// clang-format on

#define SS_PATH_SEPARATOR '\\'
#define SS_RUNTIME_FILE "tvm_ffi.dll"

enum { RTLD_LAZY = 1, RTLD_NOW = 2, RTLD_LOCAL = 0, RTLD_GLOBAL = 4, RTLD_NOLOAD = 8 };
#define RTLD_DEFAULT ((void*)0)

// What dladdr tells. The texts are the calling thread's and stay until its next dladdr in this file.
typedef struct {
  const char* dli_fname;  // path of the library or program
  void* dli_fbase;
  const char* dli_sname;  // the exported name of exactly this address, else NULL
  void* dli_saddr;        // the address, if it has such a name, else NULL
} Dl_info;

enum { SS_LOADER_PATH = 1024, SS_LOADER_MODULES = 1024 };

static __thread DWORD ss_loader_failure;  // of the last dlopen

// Lists the loaded libraries and the program, in the order in which they were loaded. Returns how many fit.
static inline DWORD ss_loader_modules(HMODULE modules[SS_LOADER_MODULES]) {
  DWORD bytes = 0;
  DWORD room = SS_LOADER_MODULES * (DWORD)sizeof(HMODULE);
  if (!EnumProcessModules(GetCurrentProcess(), modules, room, &bytes)) return 0;
  return (bytes < room ? bytes : room) / (DWORD)sizeof(HMODULE);
}

// Writes a loaded library's path into `path`. Returns 0 when it has none or does not fit.
static inline int ss_loader_path(HMODULE module, char path[SS_LOADER_PATH]) {
  WCHAR wide[SS_LOADER_PATH / 2];
  DWORD length = GetModuleFileNameW(module, wide, SS_LOADER_PATH / 2);
  if (length == 0 || length == SS_LOADER_PATH / 2) return 0;
  return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, SS_LOADER_PATH, NULL, NULL) != 0;
}

// NULL: it cannot be loaded, or is not loaded with RTLD_NOLOAD; dlerror then says why.
static inline void* dlopen(const char* path, int mode) {
  WCHAR wide[SS_LOADER_PATH / 2];
  HMODULE module = NULL;
  if (MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, SS_LOADER_PATH / 2) == 0) {
    ss_loader_failure = ERROR_FILENAME_EXCED_RANGE;
    return NULL;
  }
  for (WCHAR* c = wide; *c != 0; c++) {
    if (*c == L'/') *c = L'\\';
  }
  if (mode & RTLD_NOLOAD) {
    GetModuleHandleExW(0, wide, &module);
  } else {
    // A library finds others beside itself, if its path is absolute.
    int absolute = wide[0] == L'\\' || (wide[0] != 0 && wide[1] == L':');
    module = LoadLibraryExW(wide, NULL, absolute ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
  }
  ss_loader_failure = module == NULL ? GetLastError() : 0;
  return (void*)module;
}

static inline int dlclose(void* library) { return FreeLibrary((HMODULE)library) ? 0 : -1; }

static inline void* dlsym(void* library, const char* name) {
  if (library != RTLD_DEFAULT) return (void*)(uintptr_t)GetProcAddress((HMODULE)library, name);
  HMODULE modules[SS_LOADER_MODULES];
  DWORD count = ss_loader_modules(modules);
  for (DWORD i = 0; i < count; i++) {
    void* found = (void*)(uintptr_t)GetProcAddress(modules[i], name);
    if (found != NULL) return found;
  }
  return NULL;
}

// The reason why the last dlopen failed, as the system says it; the calling thread's until its next dlerror.
static inline const char* dlerror(void) {
  static __thread char text[512];
  WCHAR wide[256];
  DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, ss_loader_failure, 0,
                                wide, 256, NULL);
  while (length > 0 && wide[length - 1] < L' ') length--;
  int size = WideCharToMultiByte(CP_UTF8, 0, wide, (int)length, text, (int)sizeof(text) - 1, NULL, NULL);
  text[size] = '\0';
  if (size == 0) snprintf(text, sizeof(text), "error %lu of Windows", (unsigned long)ss_loader_failure);
  return text;
}

// The exported name that begins at an address of a library, or NULL. The text is the library's.
static inline const char* ss_loader_export_at(HMODULE module, const void* address) {
  const char* base = (const char*)module;
  const IMAGE_NT_HEADERS* headers = (const IMAGE_NT_HEADERS*)(base + ((const IMAGE_DOS_HEADER*)base)->e_lfanew);
  const IMAGE_DATA_DIRECTORY* place = &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
  if (place->Size == 0) return NULL;
  const IMAGE_EXPORT_DIRECTORY* exports = (const IMAGE_EXPORT_DIRECTORY*)(base + place->VirtualAddress);
  const DWORD* functions = (const DWORD*)(base + exports->AddressOfFunctions);
  const DWORD* names = (const DWORD*)(base + exports->AddressOfNames);
  const WORD* ordinals = (const WORD*)(base + exports->AddressOfNameOrdinals);
  for (DWORD i = 0; i < exports->NumberOfNames; i++) {
    if (base + functions[ordinals[i]] == (const char*)address) return base + names[i];
  }
  return NULL;
}

// 0: the address is in no library.
static inline int dladdr(const void* address, Dl_info* info) {
  static __thread char path[SS_LOADER_PATH];
  HMODULE module = NULL;
  DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExW(how, (LPCWSTR)address, &module) || !ss_loader_path(module, path)) return 0;
  info->dli_fname = path;
  info->dli_fbase = (void*)module;
  info->dli_sname = ss_loader_export_at(module, address);
  info->dli_saddr = info->dli_sname == NULL ? NULL : (void*)(uintptr_t)address;
  return 1;
}

#endif  // Windows
#endif  // SELFSAME_INTERNAL_LOADER_H_
