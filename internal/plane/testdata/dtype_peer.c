// Shows how another library parses data types: each line of input is a text in hexadecimal and a full stop,
// each line of output the data type, or kind and message of the error, in hexadecimal.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/c_api.h"

static void print_hex(const char* data, size_t size) {
  for (size_t i = 0; i < size; i++) printf("%02x", (unsigned char)data[i]);
}

static void* symbol(void* library, const char* name) {
  void* s = dlsym(library, name);
  if (s != NULL) return s;
  fprintf(stderr, "%s\n", dlerror());
  exit(2);
}

int main(int argc, char** argv) {
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL) {
    fprintf(stderr, "usage: dtype_peer LIBRARY: %s\n", argc == 2 ? dlerror() : "one argument");
    return 2;
  }
  int (*parse)(const TVMFFIByteArray*, DLDataType*);
  void (*take)(TVMFFIObjectHandle*);
  int (*release)(TVMFFIObjectHandle);
  *(void**)&parse = symbol(library, "TVMFFIDataTypeFromString");
  *(void**)&take = symbol(library, "TVMFFIErrorMoveFromRaised");
  *(void**)&release = symbol(library, "TVMFFIObjectDecRef");

  char* line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    size_t n = strcspn(line, ".") / 2;
    char* text = malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
      unsigned byte = 0;
      if (sscanf(line + 2 * i, "%2x", &byte) != 1) return 2;
      text[i] = (char)byte;
    }
    TVMFFIByteArray bytes = {text, n};
    DLDataType t = {0, 0, 0};
    if (parse(&bytes, &t) == 0) {
      char out[32];
      print_hex(out, (size_t)snprintf(out, sizeof(out), "%d %d %d", t.code, t.bits, t.lanes));
    } else {
      TVMFFIObjectHandle error = NULL;
      take(&error);
      TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
      print_hex(cell->kind.data, cell->kind.size);
      print_hex(": ", 2);
      print_hex(cell->message.data, cell->message.size);
      release(error);
    }
    putchar('\n');
    free(text);
  }
  free(line);
  return 0;
}
