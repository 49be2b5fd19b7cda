// Error objects, the slot of each thread, functions.
// Requirement: A6
#include "check.h"
#include "selfsame/internal/error_links.h"

static TVMFFIErrorCell* cell_of(TVMFFIObjectHandle error) { return (TVMFFIErrorCell*)((TVMFFIObject*)error + 1); }

static int is_text(const TVMFFIByteArray* b, const char* want) {
  return b->size == strlen(want) && memcmp(b->data, want, b->size) == 0;
}

static void create(void) {
  TVMFFIByteArray kind = bytes("KeyError"), message = {"no\0key", 6}, backtrace = bytes("  File \"a\", line 1, in f\n");
  TVMFFIObjectHandle cause = NULL, extra = NULL, error = NULL;
  TVMFFIByteArray empty = {NULL, 0};
  CHECK_EQ(TVMFFIErrorCreate(&kind, &empty, &empty, &cause), 0);
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &extra), 0);
  CHECK_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause, extra, &error), 0);
  TVMFFIErrorCell* cell = cell_of(error);
  CHECK(is_text(&cell->kind, "KeyError"));
  CHECK_EQ(cell->message.size, 6);
  CHECK_EQ(cell->message.data[6], 0);
  CHECK(is_text(&cell->backtrace, "  File \"a\", line 1, in f\n"));
  CHECK(cell->cause_chain == cause && cell->extra_context == extra);
  CHECK_EQ(((TVMFFIObject*)cause)->combined_ref_count, 0x100000002);
  CHECK_EQ(((TVMFFIObject*)extra)->combined_ref_count, 0x100000002);

  TVMFFIByteArray more = bytes("  File \"b\", line 2, in g\n");
  cell->update_backtrace(error, &more, kTVMFFIBacktraceUpdateModeAppend);
  CHECK(is_text(&cell->backtrace, "  File \"a\", line 1, in f\n  File \"b\", line 2, in g\n"));
  cell->update_backtrace(error, &cell->backtrace, kTVMFFIBacktraceUpdateModeReplace);  // a view of itself
  CHECK_EQ(cell->backtrace.size, backtrace.size + more.size);
  cell->update_backtrace(error, &more, kTVMFFIBacktraceUpdateModeReplace);
  CHECK(is_text(&cell->backtrace, more.data));
  cell->update_backtrace(error, &empty, kTVMFFIBacktraceUpdateModeReplace);
  CHECK_EQ(cell->backtrace.size, 0);
  TVMFFIObjectDecRef(error);
  CHECK_EQ(((TVMFFIObject*)cause)->combined_ref_count, 0x100000001);
  TVMFFIObjectDecRef(cause);
  TVMFFIObjectDecRef(extra);
}

// Errors as C++ makes them, with the std::string of the kind behind the cell: by headers up to 0.1.7 and later ones.
static void made_by_headers(void) {
  enum { LIBSTDCXX_SHORT, LIBSTDCXX_LONG, LIBCXX_SHORT, LIBCXX_LONG, STRINGS };
  static const char elsewhere[] = "NotImplementedError";
  for (int is_new = 0; is_new < 2; is_new++) {
    for (int kind = 0; kind < STRINGS; kind++) {
      void* words[32] = {NULL};
      TVMFFIErrorCell* cell = cell_of(words);
      void** string = is_new ? (void**)(cell + 1) : &cell->cause_chain;
      const char* text = elsewhere;
      if (kind == LIBSTDCXX_SHORT) text = (char*)(string + 2);
      if (kind == LIBCXX_SHORT) text = (char*)string + 1;
      if (kind <= LIBSTDCXX_LONG) string[0] = (void*)text;
      if (kind == LIBCXX_SHORT) *(char*)string = 4;  // twice the size
      if (kind == LIBCXX_LONG) string[0] = (void*)33, string[1] = (void*)19, string[2] = (void*)text;
      cell->kind = (TVMFFIByteArray){text, 2};
      CHECK_EQ(ss_error_has_links(cell, text), is_new);
    }
  }
}

static void refused(void) {
  TVMFFIByteArray kind = bytes("KeyError"), no_data = {NULL, 1};
  TVMFFIObjectHandle out = &out, extra = NULL;
  CHECK_EQ(TVMFFIErrorCreate(&kind, &no_data, &kind, &out), -1);
  CHECK(out == NULL);
  CHECK_RAISED("ValueError", "message has a size of 1 but no data");
  CHECK_EQ(TVMFFIErrorCreate(NULL, &kind, &kind, &out), -1);
  CHECK_RAISED("ValueError", "kind must not be NULL");
  CHECK_EQ(SelfsameObjectAlloc(24, 8, 64, ss_delete_plain, &extra), 0);
  CHECK_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &kind, &kind, extra, NULL, &out), -1);
  CHECK_RAISED("TypeError", "cause_chain must be an ffi.Error");
  TVMFFIErrorSetRaised(extra);
  CHECK_RAISED("TypeError", "error must be an ffi.Error");
  TVMFFIObjectDecRef(extra);
}

static void slot(void) {
  TVMFFIObjectHandle error = NULL, taken = &error;
  TVMFFIByteArray kind = bytes("E"), message = bytes("m");
  TVMFFIErrorMoveFromRaised(&taken);
  CHECK(taken == NULL);
  CHECK_EQ(TVMFFIErrorCreate(&kind, &message, &kind, &error), 0);
  TVMFFIErrorSetRaised(error);
  CHECK_EQ(((TVMFFIObject*)error)->combined_ref_count, 0x100000002);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "replaces it");
  CHECK_EQ(((TVMFFIObject*)error)->combined_ref_count, 0x100000001);
  CHECK_RAISED("TypeError", "replaces it");
  TVMFFIErrorSetRaised(error);
  TVMFFIErrorSetRaised(error);  // the same again
  CHECK_EQ(((TVMFFIObject*)error)->combined_ref_count, 0x100000002);
  TVMFFIErrorMoveFromRaised(&taken);
  CHECK(taken == error);
  TVMFFIObjectDecRef(taken);
  TVMFFIErrorSetRaised(error);
  TVMFFIErrorSetRaised(NULL);
  TVMFFIErrorMoveFromRaised(&taken);
  CHECK(taken == NULL);
  CHECK_EQ(((TVMFFIObject*)error)->combined_ref_count, 0x100000001);
  TVMFFIObjectDecRef(error);
  const char* parts[] = {"one ", NULL, "", "two"};
  TVMFFIErrorSetRaisedFromCStrParts("IndexError", parts, 4);
  CHECK_RAISED("IndexError", "one two");
  char longer[2000];
  memset(longer, 'x', sizeof(longer));
  longer[sizeof(longer) - 1] = '\0';
  ss_raise("ValueError", "%s end", longer);
  CHECK_RAISED("ValueError", "xx end");
}

static void* raise_and_leave(void* arg) {
  TVMFFIObjectHandle before = arg;
  TVMFFIErrorMoveFromRaised(&before);
  CHECK(before == NULL);  // the other thread's error is not here
  TVMFFIErrorSetRaisedFromCStr("ValueError", "left behind");
  return NULL;
}

static void threads(void) {
  TVMFFIErrorSetRaisedFromCStr("KeyError", "of the first thread");
  int64_t live = SelfsameLiveObjects(kTVMFFIError);
  pthread_t thread;
  for (int i = 0; i < 4; i++) {
    pthread_create(&thread, NULL, raise_and_leave, &live);
    pthread_join(thread, NULL);
    CHECK_EQ(SelfsameLiveObjects(kTVMFFIError), live);  // released with its thread
  }
  CHECK_RAISED("KeyError", "of the first thread");
}

// ---- functions ----------------------------------------------------------------------------------------------

typedef struct {
  int called, deleted;
} state;

static int count_call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ((state*)handle)->called++;
  if (num_args == 0) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "needs one");
    return -1;
  }
  return TVMFFIAnyViewToOwnedAny(args, result);
}

static void count_delete(void* self) { ((state*)self)->deleted++; }

static int give_handle(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  result->type_index = kTVMFFIOpaquePtr;
  result->v_ptr = handle;
  return 0;
}

static void functions(void) {
  state s = {0, 0};
  TVMFFIObjectHandle f = NULL;
  CHECK_EQ(TVMFFIFunctionCreate(&s, count_call, count_delete, &f), 0);
  TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)((TVMFFIObject*)f + 1);
  CHECK(cell->safe_call != count_call && cell->cpp_call == NULL);
  TVMFFIAny arg = {.type_index = kTVMFFIRawStr, .v_c_str = "a string of some length"};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  CHECK_EQ(TVMFFIFunctionCall(f, &arg, 1, &result), 0);
  CHECK_EQ(result.type_index, kTVMFFIStr);
  ss_any_clear(&result);
  CHECK_EQ(TVMFFIFunctionCall(f, NULL, 0, &result), -1);
  CHECK_RAISED("TypeError", "needs one");
  CHECK_EQ(s.called, 2);
  ss_weak_incref(f);
  TVMFFIObjectDecRef(f);
  CHECK_EQ(s.deleted, 1);
  ss_weak_decref(f);
  CHECK_EQ(s.deleted, 1);
  // With nothing to carry, the callback is the function's own, and gets its handle.
  CHECK_EQ(TVMFFIFunctionCreate(NULL, give_handle, NULL, &f), 0);
  CHECK(((TVMFFIFunctionCell*)((TVMFFIObject*)f + 1))->safe_call == give_handle);
  CHECK_EQ(TVMFFIFunctionCall(f, NULL, 0, &result), 0);
  CHECK(result.v_ptr == f);
  TVMFFIObjectDecRef(f);
  // A deleter alone is something to carry.
  CHECK_EQ(TVMFFIFunctionCreate(&s, give_handle, NULL, &f), 0);
  CHECK_EQ(TVMFFIFunctionCall(f, NULL, 0, &result), 0);
  CHECK(result.v_ptr == &s);
  TVMFFIObjectDecRef(f);
  CHECK_EQ(TVMFFIFunctionCreate(NULL, NULL, NULL, &f), -1);
  CHECK(f == NULL);
  CHECK_RAISED("ValueError", "safe_call must not be NULL");
}

static int opaque_deleted;
static void delete_opaque(void* handle) { opaque_deleted += *(int*)handle; }

static void opaque(void) {
  int one = 1;
  TVMFFIObjectHandle h = NULL;
  CHECK_EQ(TVMFFIObjectCreateOpaque(&one, kTVMFFIOpaquePyObject, delete_opaque, &h), 0);
  CHECK(*(void**)((TVMFFIObject*)h + 1) == &one);
  ss_weak_incref(h);
  TVMFFIObjectDecRef(h);
  CHECK_EQ(opaque_deleted, 1);
  ss_weak_decref(h);
  CHECK_EQ(opaque_deleted, 1);
  CHECK_EQ(TVMFFIObjectCreateOpaque(&one, 64, delete_opaque, &h), -1);
  CHECK(h == NULL);
  CHECK_RAISED("RuntimeError", "Only kTVMFFIOpaquePyObject is supported for now");
}

// ---- init-once ----------------------------------------------------------------------------------------------

static int inits, deinits;
static void *once, *inner;
static int init_inner(void** result) {
  *result = &inits;
  return 0;
}
static int init_nested(void** result) {
  inits++;
  *result = &inits;
  return TVMFFIHandleInitOnce(&inner, init_inner);
}
static int init_nothing(void** result) {
  (void)result;
  return 0;
}
static int init_fails(void** result) {
  (void)result;
  return 7;
}
static int deinit(void* handle) {
  deinits++;
  CHECK(handle == &inits);
  return 5;
}

static void* init_from_thread(void* arg) {
  (void)arg;
  CHECK_EQ(TVMFFIHandleInitOnce(&once, init_nested), 0);
  return NULL;
}

static void init_once(void) {
  void* slot_for_failures = NULL;
  CHECK_EQ(TVMFFIHandleInitOnce(&slot_for_failures, init_fails), 7);
  CHECK_EQ(TVMFFIHandleInitOnce(&slot_for_failures, init_nothing), -1);
  CHECK_RAISED("RuntimeError", "init_func must return a non-NULL handle");
  CHECK(slot_for_failures == NULL);
  pthread_t threads_[8];
  for (int i = 0; i < 8; i++) pthread_create(&threads_[i], NULL, init_from_thread, NULL);
  for (int i = 0; i < 8; i++) pthread_join(threads_[i], NULL);
  CHECK_EQ(inits, 1);
  CHECK(once == &inits && inner == &inits);
  CHECK_EQ(TVMFFIHandleDeinitOnce(&once, deinit), 5);
  CHECK_EQ(TVMFFIHandleDeinitOnce(&once, deinit), 0);
  CHECK_EQ(deinits, 1);
  CHECK_EQ(TVMFFIHandleInitOnce(NULL, init_nested), -1);
  CHECK_RAISED("ValueError", "handle_addr must not be NULL");
}

int main(void) { return RUN(create, made_by_headers, refused, slot, threads, functions, opaque, init_once); }
