// Handlers of signals that Python installs after Go's.
#ifndef SELFSAME_CORE_HANDLERS_H_
#define SELFSAME_CORE_HANDLERS_H_

#include "tie/core.h"

// Has faulthandler.enable, faulthandler.disable and signal.signal for SIGURG put their handlers below Go's from here on,
// for the life of the process: SelfsameBelowGo in selfsame.h. The caller holds the GIL. 0, or -1 with an error set.
SS_HIDDEN int ss_handlers_init(void);

#endif  // SELFSAME_CORE_HANDLERS_H_
