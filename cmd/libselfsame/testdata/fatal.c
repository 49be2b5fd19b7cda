// Functions without a return code end the process with a message on stderr and status 255.
#include "program.h"

#include <sys/wait.h>
#include <unistd.h>

static TVMFFIByteArray key;

static void get_type_info(void) { TVMFFIGetTypeInfo(99); }
static void get_type_info_negative(void) { TVMFFIGetTypeInfo(-1); }
static void null_key(void) { TVMFFITypeGetOrAllocIndex(NULL, -1, 1, 0, 0, 64); }
static void empty_key(void) { TVMFFITypeGetOrAllocIndex(&(TVMFFIByteArray){"", 0}, -1, 1, 0, 0, 64); }
static void no_parent(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -1); }
static void unknown_parent(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, 4000); }
static void unregistered_parent(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, 100); }
static void wrong_depth(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 2, 0, 0, 64); }
static void taken_index(void) { TVMFFITypeGetOrAllocIndex(&key, 71, 1, 0, 0, 64); }
static void far_index(void) { TVMFFITypeGetOrAllocIndex(&key, 4000, 1, 0, 0, 64); }
static void negative_slots(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 1, -3, 0, 64); }
static void many_slots(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 1, 1 << 24, 0, 64); }
static void child_of_error(void) { TVMFFITypeGetOrAllocIndex(&key, -1, 2, 0, 1, kTVMFFIError); }
static void inherited_limit(void) {
  int32_t closed = new_type("fatal.Closed", 64, 1, 0);
  int32_t child = new_type("fatal.Child", closed, 0, 1);  // may not overflow either, whatever its argument says
  TVMFFITypeGetOrAllocIndex(&key, -1, 3, 0, 1, child);
}
static void hostile_key(void) {
  static const char text[] = "fatal.\x1b[31m\xe2\x80\xae\xff\xf3\xa0\x81\x81\xc3\xbc";
  TVMFFITypeGetOrAllocIndex(&(TVMFFIByteArray){text, sizeof(text) - 1}, -1, 1, -3, 0, 64);
}
static void null_attr(void) { TVMFFIGetTypeAttrColumn(NULL); }

static const struct {
  void (*run)(void);
  const char* function;
  const char* message;
} cases[] = {
    {get_type_info, "TVMFFIGetTypeInfo", "Cannot find type info for type_index=99"},
    {get_type_info_negative, "TVMFFIGetTypeInfo", "Cannot find type info for type_index=-1"},
    {null_key, "TVMFFITypeGetOrAllocIndex", "type_key must not be NULL"},
    {empty_key, "TVMFFITypeGetOrAllocIndex", "type_key must not be empty"},
    {no_parent, "TVMFFITypeGetOrAllocIndex", "a type without a static index needs one"},
    {unknown_parent, "TVMFFITypeGetOrAllocIndex", "(4000 vs. "},
    {unregistered_parent, "TVMFFITypeGetOrAllocIndex", "no type has index 100"},
    {wrong_depth, "TVMFFITypeGetOrAllocIndex", "(2 vs. 1)"},
    {taken_index, "TVMFFITypeGetOrAllocIndex", "Conflicting static index 71 between ffi.Array and fatal.Key"},
    {far_index, "TVMFFITypeGetOrAllocIndex", "(4000 vs. "},
    {negative_slots, "TVMFFITypeGetOrAllocIndex", "num_child_slots of `fatal.Key` must be between"},
    {many_slots, "TVMFFITypeGetOrAllocIndex", "num_child_slots of `fatal.Key` must be between"},
    {hostile_key, "TVMFFITypeGetOrAllocIndex",
     "num_child_slots of `fatal.\\x1b[31m\\u202e\\xff\\U000e0041\xc3\xbc` must"},
    {child_of_error, "TVMFFITypeGetOrAllocIndex", "Reach maximum number of sub-classes for ffi.Error"},
    {inherited_limit, "TVMFFITypeGetOrAllocIndex", "Reach maximum number of sub-classes for fatal.Child"},
    {null_attr, "TVMFFIGetTypeAttrColumn", "attr_name must not be NULL"},
};

static void run_case(const char* program, int i) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  char number[16];
  snprintf(number, sizeof(number), "%d", i);
  pid_t child = fork();
  if (child == 0) {  // a fresh process: Go does not survive fork
    dup2(ends[1], 2);
    execl(program, program, number, (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  char text[4096];
  size_t size = 0;
  for (ssize_t n; size < sizeof(text) - 1 && (n = read(ends[0], text + size, sizeof(text) - 1 - size)) > 0;) {
    size += (size_t)n;
  }
  text[size] = '\0';
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  char head[128];
  snprintf(head, sizeof(head), "Exception caught during %s:\n", cases[i].function);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 255 || strncmp(text, head, strlen(head)) != 0 ||
      strstr(text, cases[i].message) == NULL) {
    fprintf(stderr, "case %d: status %x, output: %s\n", i, status, text);
    failures++;
  }
}

int main(int argc, char** argv) {
  key = bytes("fatal.Key");
  if (argc == 2) {
    wait_for_start();
    cases[atoi(argv[1])].run();
    return 0;  // the case did not end the process
  }
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) run_case(argv[0], (int)i);
  return failures != 0;
}
