// Attaching native threads to the interpreter, and what a fork and the interpreter's shutdown mean for them.
//
// A thread that CPython did not make has no thread state. To run Python code it makes one, or takes back the state that
// it released when Python called native code on it.
#ifndef SELFSAME_CORE_TIE_ATTACH_H_
#define SELFSAME_CORE_TIE_ATTACH_H_

#include "tie/interp.h"

// 1 from ss_attach_start's ss_python_set_alive(1) until the interpreter begins to shut down. Any thread.
extern SS_HIDDEN int ss_alive;
static inline int ss_python_alive(void) { return __atomic_load_n(&ss_alive, __ATOMIC_SEQ_CST); }
SS_HIDDEN void ss_python_set_alive(int alive);

// Whether the calling thread is attached to the main interpreter. Any thread.
SS_HIDDEN int ss_have_gil(void);

// The calling thread's state while a native function runs for it with the GIL released; NULL otherwise.
extern SS_HIDDEN __thread PyThreadState* ss_released_state SS_STATIC_TLS;

// How a thread was attached, so that ss_attachment_end can undo exactly that.
typedef struct {
  enum {
    SS_ATTACH_REFUSED,    // the interpreter shuts down
    SS_ATTACH_NO_MEMORY,  // for a thread state
    SS_ATTACHED_BEFORE,   // the thread was attached already
    SS_ATTACH_RESTORED,   // with ss_released_state
    SS_ATTACH_KEPT,       // with the state that the thread of Go's keeps
    SS_ATTACH_ENSURED,    // with a state that was made for it, or one of other native code's
  } how;
  int counted;               // whether `attached` counts the thread
  PyThreadState* restored;   // of SS_ATTACH_RESTORED; borrowed
  PyGILState_STATE ensured;  // of SS_ATTACH_ENSURED
  uint64_t blocked;          // signals that a thread of Go's blocks outside of Python; 0: it keeps its mask
  PyObject* context;         // the empty context of a call with a kept state; NULL: the state's own
} SsAttachment;

// Attaches the calling thread. May wait for the GIL. After SS_ATTACH_REFUSED and SS_ATTACH_NO_MEMORY the thread is not
// attached, no error is set and there is nothing to undo; otherwise the caller calls ss_attachment_end on this thread.
SS_HIDDEN void ss_attachment_begin_slow(SsAttachment* attachment);
SS_HIDDEN void ss_attachment_end_slow(SsAttachment* attachment);
static inline void ss_attachment_begin(SsAttachment* attachment) {
  if (SS_LIKELY(ss_have_gil())) {
    attachment->how = SS_ATTACHED_BEFORE;
  } else {
    ss_attachment_begin_slow(attachment);
  }
}
static inline void ss_attachment_end(SsAttachment* attachment) {
  if (SS_UNLIKELY(attachment->how != SS_ATTACHED_BEFORE)) ss_attachment_end_slow(attachment);
}

// Whether the calling thread is the main thread, inside a native function that runs with the GIL released. Any thread.
SS_HIDDEN int ss_main_thread_released(void);

// Runs `work` attached; does nothing when the thread cannot be attached. May wait for the GIL.
SS_HIDDEN void ss_run_attached(void (*work)(void));

// PyGILState_Ensure, for threads that may meet a fork. Ends the process when there is no memory for a thread state.
SS_HIDDEN PyGILState_STATE ss_gilstate_ensure(void);

// Called on the main thread, before any other thread is attached, and in a forked child by the thread that is left.
SS_HIDDEN void ss_attach_start(void);

// Once the interpreter shuts down, lets a thread other than the one that shuts it down wait for the end of the process,
// as CPython lets daemon threads wait. Without it such a thread would print that its call into Python was refused. The
// caller is attached, and has returned from native code.
SS_HIDDEN void ss_attach_halt(void);

// Refuses to attach threads from here on. Waits up to a second, with the GIL released, until the threads attached
// already are done.
SS_HIDDEN void ss_attach_stop(void);

// Called around os.fork, by the thread that forks.
SS_HIDDEN void ss_attach_before_fork(void);
SS_HIDDEN void ss_attach_after_fork_in_parent(void);

// Called in a forked child, where the attached threads of the parent do not exist. Needs no interpreter.
SS_HIDDEN void ss_attach_after_fork(void);

#endif  // SELFSAME_CORE_TIE_ATTACH_H_
