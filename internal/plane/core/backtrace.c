// TVMFFIBacktrace: the calling thread's stack as text, the most recent call first.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "selfsame/internal/attributes.h"
#include "selfsame/internal/process.h"
#include "selfsame/selfsame.h"
#include "symbols.h"

// How an address is shown: by a line, not at all, or as the end of the backtrace.
typedef enum { UNKNOWN, SHOWN, HIDDEN, BOUNDARY } FrameKind;

typedef struct {
  uintptr_t address;  // in the call instruction
  FrameKind kind;     // UNKNOWN: the place is free
  char* line;         // owned
  size_t size;        // of line
} KnownFrame;

// The cache of frames is set-associative: an address selects a group, and a full group replaces its frames in turn.
enum { GROUP = 4, GROUPS = 64, KNOWN_FRAMES = GROUP * GROUPS };

// Per thread: the text, and the frames that were named before, because naming one searches a library's symbols. Both
// are freed when the thread ends.
typedef struct {
  TVMFFIByteArray view;   // of text, as callers get it; valid until the thread's next backtrace
  char* text;             // owned
  size_t size;            // how much of text is in use
  size_t capacity;        // of text
  KnownFrame* known;      // KNOWN_FRAMES of them
  unsigned next_dropped;  // counts the frames of full groups that were replaced
  uint64_t unload_count;  // ss_unload_count when known was filled
} ThreadState;

static __thread ThreadState mine SS_STATIC_TLS;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void forget_frames(void) {
  if (mine.known == NULL) return;
  for (int i = 0; i < KNOWN_FRAMES; i++) free(mine.known[i].line);
  memset(mine.known, 0, KNOWN_FRAMES * sizeof(KnownFrame));
}

static void free_at_exit(void* unused) {
  (void)unused;
  forget_frames();
  free(mine.known);
  free(mine.text);
  memset(&mine, 0, sizeof(mine));
}

static void make_exit_key(void) { pthread_key_create(&exit_key, free_at_exit); }

static void free_when_thread_ends(void) {
  pthread_once(&exit_once, make_exit_key);
  pthread_setspecific(exit_key, &mine);
}

// Returns 0 when out of memory: the text then ends here.
static int append(const char* text, size_t size) {
  if (size > mine.capacity - mine.size) {
    size_t wanted = 2 * (mine.capacity + size);
    char* grown = realloc(mine.text, wanted);
    if (grown == NULL) return 0;
    mine.text = grown;
    mine.capacity = wanted;
    free_when_thread_ends();
  }
  memcpy(mine.text + mine.size, text, size);
  mine.size += size;
  return 1;
}

static const char line_format[] = "  File \"%s\", line %d, in %s\n";

static int append_line(const char* file, int line, const char* function) {
  char small[512];
  int size = snprintf(small, sizeof(small), line_format, file, line, function);
  if (size < 0) return 0;
  if ((size_t)size < sizeof(small)) return append(small, (size_t)size);
  char* text = malloc((size_t)size + 1);
  if (text == NULL) return 0;
  snprintf(text, (size_t)size + 1, line_format, file, line, function);
  int ok = append(text, (size_t)size);
  free(text);
  return ok;
}

// ---- which frames are shown --------------------------------------------------------------------------------

static int begins_with(const char* text, const char* const* prefixes) {
  for (; *prefixes != NULL; prefixes++) {
    if (strncmp(text, *prefixes, strlen(*prefixes)) == 0) return 1;
  }
  return 0;
}

// Functions that implement calls and errors. Mangled too: names are demangled only when libstdc++ is loaded.
static int is_hidden_function(const char* function) {
  static const char* const prefixes[] = {"tvm::ffi::Function",
                                         "tvm::ffi::details::",
                                         "_ZN3tvm3ffi8Function",
                                         "_ZNK3tvm3ffi8Function",
                                         "_ZN3tvm3ffi7details",
                                         "TVMFFIBacktrace",
                                         "TVMFFIErrorSetRaisedFromCStr",
                                         "__libc_",
                                         "ffi_call_",
                                         NULL};
  return begins_with(function, prefixes);
}

static int is_hidden_file(const char* file) {
  static const char* const parts[] = {"include/tvm/ffi/error.h",
                                      "include/tvm/ffi/function_details.h",
                                      "include/tvm/ffi/function.h",
                                      "include/tvm/ffi/any.h",
                                      "include/c++/",
                                      NULL};
  for (const char* const* part = parts; *part != NULL; part++) {
    if (strstr(file, *part) != NULL) return 1;
  }
  return 0;
}

// Functions at which one language's frames end: the caller's language reports its own frames.
static int is_boundary(const char* function) {
  static const char* const prefixes[] = {
      "TVMFFIFunctionCall", "slot_tp_call", "object_is_not_callable", "_Py", "PyObject", NULL};
  return begins_with(function, prefixes);
}

typedef struct {
  int skip;            // how many of the innermost frames are still to be left out
  int left;            // how many more frames may be written
  int cross_boundary;  // whether frames below a call from another language are written
} Walk;

static void name_frame(uintptr_t address, KnownFrame* frame) {
  SsSymbol symbol;
  free(frame->line);
  memset(frame, 0, sizeof(*frame));
  frame->address = address;
  frame->kind = HIDDEN;
  if (!ss_symbol_at(address, &symbol)) return;
  if (is_boundary(symbol.function)) {
    frame->kind = BOUNDARY;
  } else if (is_hidden_function(symbol.function)) {
    return;
  } else {
    frame->kind = SHOWN;
  }
  char line[sizeof(symbol) + 64];
  int size = snprintf(line, sizeof(line), line_format, symbol.module, 0, symbol.function);
  frame->line = size < 0 ? NULL : malloc((size_t)size + 1);
  if (frame->line == NULL) {
    frame->kind = HIDDEN;
    return;
  }
  memcpy(frame->line, line, (size_t)size + 1);
  frame->size = (size_t)size;
}

static const KnownFrame* frame_at(uintptr_t address) {
  KnownFrame* group = &mine.known[(address * UINT64_C(0x9E3779B97F4A7C15) >> 32) % GROUPS * GROUP];
  KnownFrame* place = NULL;
  for (int i = 0; i < GROUP; i++) {
    if (group[i].kind == UNKNOWN) {
      place = &group[i];
      break;
    }
    if (group[i].address == address) return &group[i];
  }
  if (place == NULL) place = &group[mine.next_dropped++ % GROUP];
  name_frame(address, place);
  return place;
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context* context, void* data) {
  Walk* w = data;
  if (w->left <= 0) return _URC_END_OF_STACK;
  uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  if (w->skip > 0) {
    w->skip--;
    return _URC_NO_REASON;
  }
  const KnownFrame* frame = frame_at(address - 1);  // the call instruction ends at the return address
  if (frame->kind == BOUNDARY && !w->cross_boundary) return _URC_END_OF_STACK;
  if (frame->kind == HIDDEN) return _URC_NO_REASON;
  w->left--;
  return append(frame->line, frame->size) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// Makes the cache of frames, and clears it when a library was unloaded since: another may have its addresses.
static int prepare_frames(void) {
  if (mine.known == NULL) {
    mine.known = calloc(KNOWN_FRAMES, sizeof(KnownFrame));
    if (mine.known == NULL) return 0;
    free_when_thread_ends();
  }
  uint64_t count = ss_unload_count();
  if (count != mine.unload_count) forget_frames();
  mine.unload_count = count;
  return 1;
}

static int line_limit(void) {
  char buffer[16];
  const char* text = ss_variable("TVM_TRACEBACK_LIMIT", buffer, sizeof(buffer));
  if (text == NULL) return 512;
  char* end;
  long limit = strtol(text, &end, 10);
  return end == text || limit < 0 || limit > 1 << 20 ? 512 : (int)limit;
}

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  Walk w = {.skip = 1, .left = line_limit(), .cross_boundary = cross_ffi_boundary};
  mine.size = 0;
  if (filename != NULL && func != NULL) {
    w.skip = 2;  // this function, and `func`
    if (w.left > 0 && !is_hidden_file(filename) && !is_hidden_function(func)) {
      append_line(filename, lineno, func);
      w.left--;
    }
  }
  if (prepare_frames()) _Unwind_Backtrace(visit_frame, &w);
  mine.view.data = mine.text;
  mine.view.size = mine.size;
  return &mine.view;
}
