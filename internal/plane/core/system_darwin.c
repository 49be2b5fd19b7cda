// What the plane asks of the system, on macOS: see system.h.
#ifdef __APPLE__

#include "system.h"

#include <mach-o/loader.h>
#include <pthread.h>

int ss_on_first_thread(void) { return pthread_main_np(); }

// Of this code's library or program: a name of the linker.
extern const struct mach_header_64 own_image __asm__("___dso_handle");

int ss_in_executable(void) { return own_image.filetype == MH_EXECUTE; }

#endif  // __APPLE__
