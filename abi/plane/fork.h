// Fork handlers of the data plane's files, which startup.c calls: before fork each takes its lock, in the parent each
// unlocks it, in the child each makes a new one.
#ifndef SELFSAME_ABI_PLANE_FORK_H_
#define SELFSAME_ABI_PLANE_FORK_H_

#pragma GCC visibility push(hidden)

void ss_names_fork_prepare(void);
void ss_names_fork_parent(void);
void ss_names_fork_child(void);

void ss_module_symbols_fork_prepare(void);
void ss_module_symbols_fork_parent(void);
void ss_module_symbols_fork_child(void);

void ss_initonce_fork_child(void);

#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_FORK_H_
