// The signal handlers of a library's Go runtime, and where a signal goes that is not Go's. Each copy of a library has this
// file's code for its own Go runtime.
//
// Go installs its handlers through x_cgo_sigaction of runtime/cgo, which the linker's option --wrap (cgo_linux.go) sends
// here. Each is replaced by on_signal before the kernel learns of it, so that no signal ever finds Go's own handler.
//
// Why Go's signal handlers are called by a function of ours. First, in a forked child the parent's Go is dead, and its
// handlers may wait for a lock that no thread holds. Handlers that other code installed later keep the address of the one
// before theirs, so the address that others see must be one that looks. Second, Go keeps each SIGURG, with which it
// interrupts its threads, to itself. Of two Go runtimes the one that was loaded first would be interrupted no more, and
// once one such signal is lost it never asks again. Third, Go reads the handler to which it passes faults on only once, so
// it is given pass_fault_on, which knows the present one.
//
// A call of a Go function from Python's main thread cannot be interrupted, and Python answers Ctrl-C only when it returns.
// So that nobody waits without knowing why, on_signal stands above Python's handler of SIGINT too. Where that thread is in
// this library's code, it sets a timer of two seconds, whose signal looks whether it is there still. Nothing is asked of
// the calls themselves.
//
// A thread that has called Go calls it once more when it ends, through a pointer in runtime/cgo; a forked child clears that
// pointer.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "image.h"
#include "selfcopy.h"

enum { NUM_SIGNALS = 65 };

// In si_errno, which Linux leaves 0: a Go runtime that was loaded later knows that this SIGURG is of a Go runtime.
enum { OF_GO = 0x60 };

static volatile int is_dead;
static SsImage image;  // of this library; without headers in a program
static struct sigaction before_go[NUM_SIGNALS];
static void (*of_go[NUM_SIGNALS])(int, siginfo_t*, void*);
static int is_go_before[NUM_SIGNALS];  // whether before_go is of another Go runtime
static int is_ending[NUM_SIGNALS];     // a fault of which Go was told that nobody else handles it
static char waits[512];                // what is told when Ctrl-C waits for a Go function

// runtime/cgo's pointer to a function of Go that runs when a thread ends which has called Go. NULL: nothing runs.
extern __attribute__((weak)) void* thread_end_in_go __asm__("x_crosscall2_ptr");

// ---- Ctrl-C while the main thread is in Go ----------------------------------------------------------------------------

// Whether the interrupted thread is the main one, which alone runs Python's handlers, and in this library's code.
static int is_main_in_go(const void* context) {
  const mcontext_t* at = &((const ucontext_t*)context)->uc_mcontext;
#ifdef __x86_64__
  uintptr_t code = (uintptr_t)at->gregs[REG_RIP];
#else
  uintptr_t code = (uintptr_t)at->pc;
#endif
  return syscall(SYS_gettid) == getpid() && ss_image_contains(&image, code);
}

// As the kernel declares it: the C libraries name its thread in ways of their own.
typedef struct {
  void* value;      // which the signal of the timer has
  int number;       // of that signal
  int notify;       // SIGEV_THREAD_ID
  int thread;       // that gets the signal
  char unused[44];  // up to the size that the kernel reads
} TimerEvent;

// Stands in of_go for SIGINT.
static void on_interrupt(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  static int timer, has_timer;  // of the main thread alone
  if (!is_main_in_go(context)) return;
  int error = errno;
  TimerEvent event = {.value = waits, .number = SIGURG, .notify = SIGEV_THREAD_ID, .thread = getpid()};
  struct itimerspec wait = {.it_value = {.tv_sec = 2}};
  has_timer = has_timer || syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0;
  if (has_timer) syscall(SYS_timer_settime, timer, 0, &wait, NULL);
  errno = error;
}

// The timer's signal.
static void on_wait(const void* context) {
  int error = errno;
  ssize_t written = is_main_in_go(context) ? write(STDERR_FILENO, waits, strlen(waits)) : 0;
  (void)written;  // nobody reads it where there is no such file
  errno = error;
}

// ---- where a signal goes ----------------------------------------------------------------------------------------------

// Does what the kernel does with a signal that has no handler.
static void by_default(int number, const siginfo_t* info) {
  if (number == SIGURG || number == SIGCHLD || number == SIGWINCH || number == SIGCONT) return;
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(number, &action, NULL);
  // A fault happens again when the handler returns. Another signal is sent again, and comes when it is not blocked.
  if (info == NULL || info->si_code <= 0 || number == SIGPIPE) raise(number);
}

static int has_handler(const struct sigaction* action) {
  return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static void call(const struct sigaction* action, int number, siginfo_t* info, void* context) {
  if (action->sa_flags & SA_SIGINFO) {
    action->sa_sigaction(number, info, context);
  } else {
    action->sa_handler(number);
  }
}

// The handler to which Go passes the faults on that are not its own.
static void pass_fault_on(int number, siginfo_t* info, void* context) {
  if (has_handler(&before_go[number])) {
    call(&before_go[number], number, info, context);
    return;
  }
  // As a signal from a program, Go keeps it, and says where its goroutines are.
  if (!is_dead && !__atomic_exchange_n(&is_ending[number], 1, __ATOMIC_SEQ_CST)) {
    siginfo_t kept = *info;
    kept.si_code = SI_USER;
    of_go[number](number, &kept, context);
  }
  by_default(number, info);
}

// Whether the interrupted thread has just sent itself the signal, as raise does.
static int is_raised(const void* context) {
  const mcontext_t* at = &((const ucontext_t*)context)->uc_mcontext;
#ifdef __x86_64__
  return at->gregs[REG_RAX] == 0 && at->gregs[REG_RDI] == getpid() && at->gregs[REG_RSI] == syscall(SYS_gettid) &&
         at->gregs[REG_RDX] == SIGURG;
#else
  return at->regs[0] == 0 && at->regs[8] == SYS_tgkill && (long)at->regs[1] == syscall(SYS_gettid) &&
         at->regs[2] == SIGURG;
#endif
}

// Whether a Go runtime sent this SIGURG: Go sends it to single threads of its process, as pthread_kill does.
static int is_from_go(const siginfo_t* info, const void* context) {
  if (info->si_errno == OF_GO) return 1;
  return info->si_code == SI_TKILL && info->si_pid == getpid() && !is_raised(context);
}

static void on_signal(int number, siginfo_t* info, void* context) {
  const struct sigaction* before = &before_go[number];
  if (info->si_code == SI_TIMER && info->si_value.sival_ptr == waits) {
    on_wait(context);
    return;
  }
  int is_gos = number == SIGURG && is_from_go(info, context);  // before Go changes the context
  if (is_dead) {
    if (has_handler(before)) {
      // What the child's new Go sends is for runtimes of Go only.
      if (!is_gos || is_go_before[number]) call(before, number, info, context);
    } else if (before->sa_handler == SIG_DFL) {
      by_default(number, info);
    }
    return;
  }
  of_go[number](number, info, context);
  if ((number != SIGURG && of_go[number] != on_interrupt) || !has_handler(before)) return;
  if (!is_gos) {
    call(before, number, info, context);
  } else if (is_go_before[number]) {
    siginfo_t marked = *info;
    marked.si_errno = OF_GO;
    call(before, number, &marked, context);
  }
}

// ---- how Go installs one ----------------------------------------------------------------------------------------------

// As runtime/cgo declares it.
typedef struct {
  uintptr_t handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
} GoAction;

int32_t __real_x_cgo_sigaction(intptr_t number, const GoAction* action, GoAction* old)  // NOLINT
    __attribute__((weak));
int32_t __wrap_x_cgo_sigaction(intptr_t number, const GoAction* action, GoAction* old);  // NOLINT

static int is_ours(uintptr_t handler) { return handler == (uintptr_t)on_signal || handler == (uintptr_t)pass_fault_on; }
static int is_of_go(uintptr_t handler) { return !is_ours(handler) && ss_image_contains(&image, handler); }

static int is_fault(intptr_t number) { return number == SIGSEGV || number == SIGBUS || number == SIGFPE; }

static int has_go_note(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  SsImage found = {info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum, info->dlpi_name};
  if (!ss_image_contains(&found, *(const uintptr_t*)data)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
    const char* at = (const char*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);  // NOLINT
    const char* end = at + info->dlpi_phdr[i].p_memsz;
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr)* note = (const void*)at;
      const char* name = at + sizeof *note;
      if (note->n_namesz == 4 && memcmp(name, "Go\0", 4) == 0) return 1;
      at = name + (note->n_namesz + 3U) / 4 * 4 + (note->n_descsz + 3U) / 4 * 4;
    }
  }
  return -1;
}

// Whether a handler lies in a library or program with a Go runtime. Not in a signal handler.
static int is_of_any_go(const struct sigaction* action) {
  uintptr_t handler = (uintptr_t)action->sa_sigaction;  // a handler of either kind: they share their place
  return has_handler(action) && dl_iterate_phdr(has_go_note, &handler) == 1;
}

static void set_before(int number, const struct sigaction* action) {
  before_go[number] = *action;
  is_go_before[number] = is_of_any_go(action);
}

// What SIGPIPE does is inherited by the programs that a process starts, if it is ignored. So it stays ignored, which is all
// that Go needs.
static int stays_ignored(intptr_t number) {
  struct sigaction present;
  return number == SIGPIPE && sigaction(SIGPIPE, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
}

int32_t __wrap_x_cgo_sigaction(intptr_t number, const GoAction* action, GoAction* old) {  // NOLINT
  int is_library = image.num_headers != 0 && number > 0 && number < NUM_SIGNALS;
  GoAction changed;
  if (is_library && action != NULL && is_of_go(action->handler) && !stays_ignored(number)) {
    struct sigaction present;
    if (sigaction((int)number, NULL, &present) == 0 && !is_ours((uintptr_t)present.sa_sigaction))
      set_before((int)number, &present);
    changed = *action;
    of_go[number] = (void (*)(int, siginfo_t*, void*))changed.handler;  // NOLINT
    changed.handler = (uintptr_t)on_signal;
    action = &changed;
  }
  if (is_library && action != NULL && is_of_go(action->handler)) action = NULL;
  int32_t rc = __real_x_cgo_sigaction(number, action, old);
  if (!is_library || rc != 0 || old == NULL) return rc;
  if (old->handler == (uintptr_t)on_signal) {
    old->handler = (uintptr_t)of_go[number];
  } else if (is_fault(number)) {
    old->handler = (uintptr_t)pass_fault_on;
  }
  return rc;
}

// ---- other handlers than Go's -----------------------------------------------------------------------------------------

// Sends every thread a SIGURG as if from a Go runtime. A runtime whose own was lost while its handler was not there would
// never send that thread another.
static void interrupt_all(void) {
  DIR* folder = opendir("/proc/self/task");
  if (folder == NULL) return;
  siginfo_t info = {.si_signo = SIGURG, .si_errno = OF_GO, .si_code = SI_TKILL};
  info.si_pid = getpid();
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    long thread = strtol(entry->d_name, NULL, 10);
    if (thread > 0) syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, SIGURG, &info);
  }
  closedir(folder);
}

void ss_self_copy_below_go(const int* numbers, int count, void (*change)(void* data), void* data) {
  struct sigaction top[NUM_SIGNALS];
  int is_aside[NUM_SIGNALS] = {0};
  for (int i = 0; i < count; i++) {
    int number = numbers[i];
    is_aside[number] = of_go[number] != NULL && sigaction(number, NULL, &top[number]) == 0 &&
                       is_of_any_go(&top[number]) && sigaction(number, &before_go[number], NULL) == 0;
  }
  change(data);
  for (int i = 0; i < count; i++) {
    struct sigaction changed;
    int number = numbers[i];
    if (!is_aside[number] || sigaction(number, NULL, &changed) != 0) continue;
    if (of_go[number] == on_interrupt && !has_handler(&changed)) continue;  // ignored, or the end of the process
    sigaction(number, &top[number], NULL);
    set_before(number, &changed);
    if (number == SIGURG) interrupt_all();
  }
}

// ---- the start, and forks ---------------------------------------------------------------------------------------------

static void in_child(void) {
  is_dead = 1;
  if (&thread_end_in_go != NULL) thread_end_in_go = NULL;
}

// Puts on_signal above Python's handler of SIGINT. Go leaves it there, unless its package asks for the signal itself.
static void watch_interrupts(void) {
  struct sigaction action;
  if (image.num_headers == 0 || sigaction(SIGINT, NULL, &action) != 0 || !has_handler(&action)) return;
  const char* name = strrchr(image.path, '/');
  snprintf(waits, sizeof waits,
           "selfsame_ffi: a Go function of %.200s runs and cannot be interrupted: Python answers Ctrl-C when it "
           "returns.\n  Ctrl-\\ ends the process. A Go function that takes a context.Context can be interrupted.\n",
           name != NULL ? name + 1 : image.path);
  set_before(SIGINT, &action);
  of_go[SIGINT] = on_interrupt;
  action.sa_sigaction = on_signal;
  action.sa_flags |= SA_SIGINFO | SA_ONSTACK;  // a goroutine's stack is too small for a handler
  sigaction(SIGINT, &action, NULL);
}

// Go's part of loading the library is a constructor without a priority, which runs later.
__attribute__((constructor(101))) static void before_start(void) {
  char message[1];
  // Kept, because in a child the loader may be locked. Not found in a program, which has no copies.
  if (!ss_image_find(&is_dead, &image, message, sizeof message)) image.num_headers = 0;
  pthread_atfork(NULL, NULL, in_child);
  watch_interrupts();
}
