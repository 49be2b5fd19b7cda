// Backtraces name the exported functions on the stack, innermost first, down to where another language called
// in.
// Requirement: A6
#include "check.h"

static char text[8192];

// The arguments of a call of TVMFFIBacktrace.
static struct {
  const char* file;
  const char* function;
  int cross;
} request;

// Keeps the compiler from turning a call into a jump, which would leave no frame.
static volatile int calls;

__attribute__((noinline)) void innermost_frame(void) {
  const TVMFFIByteArray* trace = TVMFFIBacktrace(request.file, 12, request.function, request.cross);
  CHECK(trace != NULL && trace->size < sizeof(text));
  if (trace->size != 0) memcpy(text, trace->data, trace->size);
  text[trace->size] = '\0';
  calls++;
}

__attribute__((noinline)) void middle_frame(void) {
  innermost_frame();
  calls++;
}

// Named as a function of an interpreter, where the interpreter's own frames begin.
__attribute__((noinline)) void _PyObject_CallSomething(void) {
  middle_frame();
  calls++;
}

__attribute__((noinline)) void outermost_frame(void) {
  _PyObject_CallSomething();
  calls++;
}

__attribute__((noinline)) int deep(int n) {
  if (n == 0) {
    innermost_frame();
    return 0;
  }
  return deep(n - 1) + 1;
}

static void ask(const char* file, const char* function, int cross) {
  request.file = file;
  request.function = function;
  request.cross = cross;
  outermost_frame();
}

static int lines(void) {
  int n = 0;
  for (const char* p = text; (p = strchr(p, '\n')) != NULL; p++) n++;
  return n;
}

static int comes_before(const char* a, const char* b) {
  const char *x = strstr(text, a), *y = strstr(text, b);
  return x != NULL && y != NULL && x < y;
}

static void frames(void) {
  ask(NULL, NULL, 0);
  CHECK(comes_before("in innermost_frame\n", "in middle_frame\n"));
  CHECK(strstr(text, "CallSomething") == NULL && strstr(text, "outermost_frame") == NULL);
  CHECK_EQ(lines(), 2);
  ask("source.cc", "named", 0);
  CHECK(strncmp(text, "  File \"source.cc\", line 12, in named\n", 38) == 0);
  CHECK(strstr(text, "innermost_frame") == NULL);  // it is the one that is named
  CHECK(comes_before("in named\n", "in middle_frame\n"));
  ask(NULL, NULL, 1);
  CHECK(comes_before("in middle_frame\n", "in _PyObject_CallSomething\n"));
  CHECK(comes_before("in _PyObject_CallSomething\n", "in outermost_frame\n"));
  ask("source.cc", NULL, 0);  // a file alone names nothing
  CHECK(strstr(text, "source.cc") == NULL && strstr(text, "in innermost_frame\n") != NULL);
  ask("/x/include/tvm/ffi/error.h", "thrower", 0);
  CHECK(strstr(text, "thrower") == NULL && strstr(text, "in middle_frame\n") != NULL);
}

static void limits(void) {
  setenv("TVM_TRACEBACK_LIMIT", "1", 1);
  ask("source.cc", "named", 0);
  CHECK_EQ(lines(), 1);
  setenv("TVM_TRACEBACK_LIMIT", "0", 1);
  ask("source.cc", "named", 0);
  CHECK_EQ(lines(), 0);
  setenv("TVM_TRACEBACK_LIMIT", "-5 lines", 1);
  ask("source.cc", "named", 0);
  CHECK_EQ(lines(), 2);
  unsetenv("TVM_TRACEBACK_LIMIT");
  request.file = request.function = NULL;
  CHECK_EQ(deep(50), 50);
  CHECK(lines() >= 51);
}

// Raised errors carry it.
__attribute__((noinline)) void raising_frame(void) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "here");
  calls++;
}

static void in_errors(void) {
  raising_frame();
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  CHECK(strstr(cell->backtrace.data, "in raising_frame\n") != NULL);
  CHECK(strstr(cell->backtrace.data, "TVMFFIErrorSetRaisedFromCStr") == NULL);
  TVMFFIObjectDecRef(error);
}

static void* on_thread(void* arg) {
  frames();
  in_errors();
  return arg;
}

int main(void) {
  frames();
  frames();  // the names are known now
  limits();
  in_errors();
  pthread_t thread;
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, NULL, on_thread, NULL);
    pthread_join(thread, NULL);
  }
  return failures != 0;
}
