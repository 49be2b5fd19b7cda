// Proxies of held wrappers (weakref.proxy).
//
// Each operation on a proxy makes a strong reference for its time, without the call of a weak reference. It may pass that on:
// a bound method keeps it, and a special method written in Python may keep `self`. From the first proxy of a
// held wrapper on, the slots of CPython's two classes of proxies are ours: they let the wrapper own its native object for the
// operation's time, and call CPython's.
#ifndef SELFSAME_PY_WEAK_PROXIES_H_
#define SELFSAME_PY_WEAK_PROXIES_H_

#include "tie/core.h"

// To be called when a wrapper that has a proxy is about to be held. Any attached thread.
SS_HIDDEN void ss_weak_proxies_watch(void);

#endif  // SELFSAME_PY_WEAK_PROXIES_H_
