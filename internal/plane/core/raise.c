// The raised error of each thread.
#include "raise.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfsame/internal/refcount.h"
#include "shown.h"

// In the library's static TLS block: an access must not call into the loader, whose lock another thread may hold.
static __thread TVMFFIObject* raised SS_STATIC_TLS;
static __thread int watched SS_STATIC_TLS;
static pthread_key_t exit_key;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void clear_at_exit(void* unused) {
  (void)unused;
  watched = 0;  // set_raised sets it again if a deleter below raises
  TVMFFIObject* error = raised;
  raised = NULL;
  ss_xdecref(error);
}

static void make_exit_key(void) { pthread_key_create(&exit_key, clear_at_exit); }

// Takes over the caller's reference.
static void set_raised(TVMFFIObject* error) {
  TVMFFIObject* old = raised;
  raised = error;
  if (error != NULL && !watched) {
    pthread_once(&exit_once, make_exit_key);
    watched = pthread_setspecific(exit_key, &exit_key) == 0;
  }
  ss_xdecref(old);
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  if (result == NULL) return;
  *result = raised;
  raised = NULL;
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error != NULL && ((TVMFFIObject*)error)->type_index != kTVMFFIError) {
    ss_raise("TypeError", "TVMFFIErrorSetRaised: error must be an ffi.Error, got an object of type index %d",
             ((TVMFFIObject*)error)->type_index);
    return;
  }
  if (error != NULL) ss_incref(error);
  set_raised(error);
}

static void raise_parts(const char* kind, const TVMFFIByteArray* message) {
  TVMFFIByteArray kind_bytes = {kind, strlen(kind)};
  TVMFFIObjectHandle error = NULL;
  const TVMFFIByteArray* backtrace = TVMFFIBacktrace(NULL, 0, NULL, 0);
  if (TVMFFIErrorCreate(&kind_bytes, message, backtrace, &error) != 0) return;  // MemoryError is raised
  set_raised(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIByteArray bytes = {message == NULL ? "" : message, message == NULL ? 0 : strlen(message)};
  raise_parts(kind == NULL ? "RuntimeError" : kind, &bytes);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  size_t size = 0;
  if (message_parts == NULL) num_parts = 0;
  for (int32_t i = 0; i < num_parts; i++) {
    if (message_parts[i] != NULL) size += strlen(message_parts[i]);
  }
  char* text = malloc(size + 1);
  if (text == NULL) {
    ss_raise_no_memory("an error");
    return;
  }
  char* end = text;
  for (int32_t i = 0; i < num_parts; i++) {
    if (message_parts[i] == NULL) continue;
    size_t n = strlen(message_parts[i]);
    memcpy(end, message_parts[i], n);
    end += n;
  }
  TVMFFIByteArray bytes = {text, size};
  raise_parts(kind == NULL ? "RuntimeError" : kind, &bytes);
  free(text);
}

int ss_raise_bytes(const char* kind, const char* message, size_t size) {
  TVMFFIByteArray bytes = {message, size};
  raise_parts(kind, &bytes);
  return -1;
}

int ss_raise(const char* kind, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  char small[512];
  int size = vsnprintf(small, sizeof(small), format, args);
  va_end(args);
  if (size < 0) {
    va_end(again);
    return ss_raise_bytes(kind, format, strlen(format));
  }
  if ((size_t)size < sizeof(small)) {
    va_end(again);
    return ss_raise_bytes(kind, small, (size_t)size);
  }
  char* text = malloc((size_t)size + 1);
  if (text == NULL) {
    va_end(again);
    return ss_raise_no_memory("an error");
  }
  vsnprintf(text, (size_t)size + 1, format, again);
  va_end(again);
  ss_raise_bytes(kind, text, (size_t)size);
  free(text);
  return -1;
}

const TVMFFIObject* ss_raised(void) { return raised; }

const char* ss_raised_message(void) { return raised == NULL ? "" : ((TVMFFIErrorCell*)(raised + 1))->message.data; }

void ss_exit_with_raised(const char* function) {
  fprintf(stderr, "Exception caught during %s:\n", function);
  ss_print_shown(stderr, ss_raised_message(), strlen(ss_raised_message()));
  fputc('\n', stderr);
  exit(-1);
}

int ss_raise_null(const char* function, const char* argument) {
  ss_raise("ValueError", "%s: %s must not be NULL", function, argument);
  return 0;
}

int ss_raise_no_data(const TVMFFIByteArray* b, const char* function, const char* argument) {
  ss_raise("ValueError", "%s: %s has a size of %zu but no data", function, argument, b->size);
  return 0;
}
