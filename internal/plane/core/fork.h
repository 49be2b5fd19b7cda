// Fork handlers, which startup.c calls: before fork each takes its lock, in the parent each unlocks it, in the child
// each makes a new one.
#ifndef SELFSAME_INTERNAL_PLANE_CORE_FORK_H_
#define SELFSAME_INTERNAL_PLANE_CORE_FORK_H_

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

// The handlers of another package. Its locks are taken before those of the data plane.
typedef struct SsForkHandlers {
  void (*prepare)(void);        // before the fork: takes the package's locks
  void (*parent)(void);         // after it, in the parent: gives them back
  void (*child)(void);          // after it, in the child: sets them up again
  struct SsForkHandlers* next;  // the handlers that were added before; never freed
} SsForkHandlers;

// Adds handlers, which must live as long as the process. Called by a constructor.
void ss_add_fork_handlers(SsForkHandlers* handlers);

// The lock under which the tables of types, attributes and global functions change, so that a child finds each change
// whole or not begun. The writers hold package control's lock `registry` too, which a fork cannot take.
void ss_tables_lock(void);
void ss_tables_unlock(void);
void ss_tables_fork_child(void);

void ss_names_fork_prepare(void);
void ss_names_fork_parent(void);
void ss_names_fork_child(void);

void ss_module_symbols_fork_prepare(void);
void ss_module_symbols_fork_parent(void);
void ss_module_symbols_fork_child(void);

void ss_initonce_fork_child(void);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CORE_FORK_H_
