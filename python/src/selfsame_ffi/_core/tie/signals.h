// Keeping signals from a thread while it is made: a new thread takes over the mask of the one that makes it. Windows
// sends no signals to threads.
#ifndef SELFSAME_CORE_TIE_SIGNALS_H_
#define SELFSAME_CORE_TIE_SIGNALS_H_

#ifdef _WIN32

typedef int SsSignals;
static inline void ss_signals_block(SsSignals* before) { *before = 0; }
static inline void ss_signals_restore(const SsSignals* before) { (void)before; }

#else

#include <signal.h>

typedef sigset_t SsSignals;

// Blocks all signals of the calling thread, and stores which were blocked before.
static inline void ss_signals_block(SsSignals* before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, before);
}

static inline void ss_signals_restore(const SsSignals* before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

#endif

#endif  // SELFSAME_CORE_TIE_SIGNALS_H_
