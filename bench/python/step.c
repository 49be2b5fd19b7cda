// Counts the instructions that a program's first thread executes between two breakpoints of its own, by stepping over
// them one by one. Callgrind cannot run a Go runtime, and virtual machines often have no counters for perf.
//
// Usage: step OUTPUT COMMAND [ARGUMENT...]
//
// The command executes the instruction int3 to begin and to end a count (begin and end of callgrind.c do, with the
// environment variable SELFSAME_STEP). Each count appends to OUTPUT a line "count N", a line "ADDRESS TIMES" for each
// instruction, and at the first count the memory map, line by line after "map ". An instruction that repeats itself
// (rep movsb) counts once for each repetition, and a locked instruction as often as the environment variable
// SELFSAME_STEP_LOCKED says: once, or about twenty times, which is how long it takes. Other threads are stopped during a count: otherwise those of a Go
// runtime would take a thread that steps for one that is in a long system call. So what is counted must not wait for
// them; GOGC=off keeps Go's collector from starting.
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };
enum { SLOTS = 1 << 20 };  // far more than an operation has instructions; a power of two

typedef struct {
  uint64_t address, times;
} Slot;

static Slot slots[SLOTS];

static void fail(const char* what) {
  fprintf(stderr, "step: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void note(uint64_t address) {
  size_t i = (size_t)(address * 0x9E3779B97F4A7C15u >> 44) % SLOTS;
  while (slots[i].address != address && slots[i].address != 0) i = (i + 1) % SLOTS;
  slots[i].address = address;
  slots[i].times++;
}

static void write_map(FILE* out, pid_t child) {
  char path[64], line[4096];
  snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
  FILE* map = fopen(path, "r");
  if (map == NULL) fail(path);
  while (fgets(line, sizeof line, map) != NULL) fprintf(out, "map %s", line);
  fclose(map);
}

// Whether the instruction at an address is locked: it has the prefix for that, or exchanges a register with memory.
static int is_locked(pid_t child, uint64_t address) {
  enum { LOCK = 0xF0, EXCHANGE_BYTE = 0x86, EXCHANGE = 0x87, TWO_REGISTERS = 3 };
  uint8_t code[2 * sizeof(long)];
  for (size_t i = 0; i < sizeof code; i += sizeof(long)) {
    long word = ptrace(PTRACE_PEEKTEXT, child, (void*)(address + i), NULL);
    memcpy(code + i, &word, sizeof word);
  }
  size_t at = 0;
  const char* prefixes = "\x66\xF2\xF3\x2E\x36\x3E\x26\x64\x65";
  while (at < 4 && code[at] != 0 && strchr(prefixes, code[at]) != NULL) at++;
  if (code[at] == LOCK) return 1;
  if (code[at] >> 4 == 4) at++;  // a prefix for wide or further registers
  return (code[at] == EXCHANGE_BYTE || code[at] == EXCHANGE) && code[at + 1] >> 6 != TWO_REGISTERS;
}

static void write_count(FILE* out, uint64_t steps, pid_t child) {
  const char* given = getenv("SELFSAME_STEP_LOCKED");
  uint64_t cost = given == NULL ? 1 : strtoull(given, NULL, 10);
  fprintf(out, "count %" PRIu64 "\n", steps);
  for (size_t i = 0; i < SLOTS; i++) {
    if (slots[i].address == 0) continue;
    uint64_t times = slots[i].times;
    if (cost != 1 && is_locked(child, slots[i].address)) times *= cost;
    fprintf(out, "%" PRIx64 " %" PRIu64 "\n", slots[i].address, times);
  }
  memset(slots, 0, sizeof slots);
}

// Whether the stop is a breakpoint of the child's own, not the end of a step or a signal from elsewhere.
static int is_breakpoint(pid_t child, int signal) {
  siginfo_t info;
  if (signal != SIGTRAP || ptrace(PTRACE_GETSIGINFO, child, NULL, &info) != 0) return 0;
  return info.si_code == SI_KERNEL;
}

static pid_t stopped[MOST_THREADS];
static int num_stopped;

static void stop_others(pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)child);
  DIR* tasks = opendir(path);
  if (tasks == NULL) fail(path);
  num_stopped = 0;
  for (struct dirent* task; (task = readdir(tasks)) != NULL && num_stopped < MOST_THREADS;) {
    pid_t thread = (pid_t)atoi(task->d_name);
    if (thread == 0 || thread == child) continue;
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0) continue;  // it has ended
    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
    waitpid(thread, NULL, __WALL);
    stopped[num_stopped++] = thread;
  }
  closedir(tasks);
}

static void let_others_run(void) {
  for (int i = 0; i < num_stopped; i++) ptrace(PTRACE_DETACH, stopped[i], NULL, NULL);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: step OUTPUT COMMAND [ARGUMENT...]\n");
    return 2;
  }
  FILE* out = fopen(argv[1], "w");
  if (out == NULL) fail(argv[1]);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    setenv("SELFSAME_STEP", "1", 1);
    setenv("GOGC", "off", 1);
    execvp(argv[2], argv + 2);
    fail(argv[2]);
  }
  int counting = 0, counts = 0, status, started = 0;
  uint64_t steps = 0;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    int signal = WSTOPSIG(status), deliver = 0;
    if (!started) {
      started = 1;  // the stop after exec
    } else if (is_breakpoint(child, signal)) {
      if (counting) {
        write_count(out, steps, child);
        let_others_run();
      } else {
        if (counts++ == 0) write_map(out, child);
        stop_others(child);
      }
      counting = !counting;
      steps = 0;
    } else if (signal != SIGTRAP) {
      deliver = signal;
    } else if (counting) {
      long address = ptrace(PTRACE_PEEKUSER, child, (void*)offsetof(struct user, regs.rip), NULL);
      note((uint64_t)address);
      steps++;
    }
    if (ptrace(counting ? PTRACE_SINGLESTEP : PTRACE_CONT, child, NULL, (void*)(intptr_t)deliver) != 0) fail("ptrace");
  }
  fclose(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
