// Error objects.
#include <stdlib.h>
#include <string.h>

#include "raise.h"
#include "selfsame/internal/error_links.h"
#include "selfsame/internal/refcount.h"
#include "selfsame/selfsame.h"
#include "teardown.h"

typedef struct {
  TVMFFIObject header;   // counts, type index and deleter
  TVMFFIErrorCell cell;  // views of kind, message and backtrace; owns cause and extra context
  char* backtrace;       // owned; cell.backtrace views it
} ErrorObject;           // kind and message follow, each NUL-terminated

_Static_assert(sizeof(ErrorObject) - offsetof(ErrorObject, cell) == SS_ERROR_OWN_KIND,
               "ss_error_has_links looks there");

static const char no_text[] = "";

static void release_error(void* self) {
  ErrorObject* error = self;
  free(error->backtrace);
  ss_xdecref(error->cell.cause_chain);
  ss_xdecref(error->cell.extra_context);
}

static void delete_error(void* self, int flags) { ss_delete_owner(self, flags, delete_error, release_error); }

// Out of memory: the error keeps the backtrace it has.
static void update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  ErrorObject* error = self;
  if (error == NULL || backtrace == NULL || (backtrace->data == NULL && backtrace->size != 0)) return;
  size_t kept = update_mode == kTVMFFIBacktraceUpdateModeReplace ? 0 : error->cell.backtrace.size;
  if (backtrace->size > (size_t)PTRDIFF_MAX - kept - 1) return;
  char* text = malloc(kept + backtrace->size + 1);
  if (text == NULL) return;
  if (kept != 0) memcpy(text, error->cell.backtrace.data, kept);
  if (backtrace->size != 0) memcpy(text + kept, backtrace->data, backtrace->size);
  text[kept + backtrace->size] = '\0';
  free(error->backtrace);  // last: `backtrace` may be a view of it
  error->backtrace = text;
  error->cell.backtrace.data = text;
  error->cell.backtrace.size = kept + backtrace->size;
}

static char* put_text(char* at, const TVMFFIByteArray* from, TVMFFIByteArray* view) {
  if (from->size != 0) memcpy(at, from->data, from->size);
  at[from->size] = '\0';
  view->data = at;
  view->size = from->size;
  return at + from->size + 1;
}

// Returns NULL when out of memory, with nothing raised.
static ErrorObject* new_error(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                              const TVMFFIByteArray* backtrace) {
  size_t limit = (size_t)PTRDIFF_MAX / 4;
  if (kind->size > limit || message->size > limit || backtrace->size > limit) return NULL;
  TVMFFICustomAllocator* allocator = TVMFFIGetCustomAllocator();
  ErrorObject* error = allocator->allocate(sizeof(ErrorObject) + kind->size + message->size + 2, _Alignof(ErrorObject),
                                           kTVMFFIError, allocator->context);
  if (error == NULL) return NULL;
  memset(&error->cell, 0, sizeof(error->cell));
  error->backtrace = NULL;
  char* end = put_text((char*)(error + 1), kind, &error->cell.kind);
  put_text(end, message, &error->cell.message);
  error->cell.backtrace.data = no_text;
  error->cell.update_backtrace = update_backtrace;
  ss_object_init(error, kTVMFFIError, delete_error);
  if (backtrace->size != 0) {
    update_backtrace(error, backtrace, kTVMFFIBacktraceUpdateModeReplace);
    if (error->backtrace == NULL) {
      ss_xdecref(&error->header);
      return NULL;
    }
  }
  return error;
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  static const char name[] = "TVMFFIErrorCreateWithCauseAndExtraContext";
  if (!ss_check_ptr(out, name, "out")) return -1;
  *out = NULL;
  if (!ss_check_bytes(kind, name, "kind") || !ss_check_bytes(message, name, "message") ||
      !ss_check_bytes(backtrace, name, "backtrace")) {
    return -1;
  }
  if (cause_chain != NULL && ((TVMFFIObject*)cause_chain)->type_index != kTVMFFIError) {
    return ss_raise("TypeError", "%s: cause_chain must be an ffi.Error, got an object of type index %d", name,
                    ((TVMFFIObject*)cause_chain)->type_index);
  }
  ErrorObject* error = new_error(kind, message, backtrace);
  if (error == NULL) return ss_raise_no_memory("an error");
  if (cause_chain != NULL) ss_incref(cause_chain);
  if (extra_context != NULL) ss_incref(extra_context);
  error->cell.cause_chain = cause_chain;
  error->cell.extra_context = extra_context;
  *out = error;
  return 0;
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  return TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, NULL, NULL, out);
}

// ---- out of memory --------------------------------------------------------------------------------

static void keep_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  (void)self;
  (void)backtrace;
  (void)update_mode;
}

// Raised when there is no memory for an error about memory. Shared by all threads and never freed.
static ErrorObject no_memory = {
    .header = {.combined_ref_count = SS_BOTH_ONE, .type_index = kTVMFFIError, .deleter = NULL},
    .cell = {.kind = {"MemoryError", 11},
             .message = {"out of memory", 13},
             .backtrace = {no_text, 0},
             .update_backtrace = keep_backtrace},
};

// Set while this thread makes an error about memory, which may itself run out of memory.
static __thread int making_error SS_STATIC_TLS;

int ss_raise_no_memory(const char* what) {
  static const TVMFFIByteArray kind = {"MemoryError", 11}, empty = {no_text, 0};
  char text[128] = "out of memory while making ";
  size_t used = strlen(text), size = strlen(what);
  if (size > sizeof(text) - used - 1) size = sizeof(text) - used - 1;
  memcpy(text + used, what, size);
  TVMFFIByteArray message = {text, used + size};
  ErrorObject* error = NULL;
  if (!making_error) {
    making_error = 1;
    error = new_error(&kind, &message, &empty);
    making_error = 0;
  }
  if (error == NULL) {
    TVMFFIErrorSetRaised(&no_memory);
    return -1;
  }
  TVMFFIErrorSetRaised(error);
  ss_xdecref(&error->header);
  return -1;
}
