// What the data plane asks of the system: threads and the executable. One file for each system. Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_SYSTEM_H_
#define SELFSAME_INTERNAL_PLANE_CORE_SYSTEM_H_

#pragma GCC visibility push(hidden)

// Whether the caller is the process's first thread. Calls no function of the loader.
int ss_on_first_thread(void);
// Whether this code is part of the executable, not of a library. On Linux and macOS it does not call the loader.
int ss_in_executable(void);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_SYSTEM_H_
