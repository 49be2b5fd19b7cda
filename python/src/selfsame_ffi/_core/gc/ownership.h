// The account of a set of natives: who owns whom, and which of them have an owner that nobody can name.
//
// A native whose strong references all belong to wrappers and natives of the account, with no weak one, is closed: no
// other thread has a reference to it. Everything that a native with an unknown owner leads to is in use.
//
// What can be read, and how:
//   * A native that its wrapper keeps, or that has a record while deaths are postponed (tie.h), is there; so are its
//     fields, and the elements of an Array or Map, which nobody changes while it has several owners.
//   * A native whose owners have all been found, each of them such a native itself, is read like one's own memory.
//   * The rest, the storage of a shared List or Dict and natives that never had a wrapper, may be freed by another
//   thread
//     while it is looked at. It is copied by a system call that fails where there is no memory, and is believed only
//     when all counts agree and a second reading finds the same: a thread that could change it has a reference, which
//     nobody accounts for. This is slow, so there is a limit to it.
#ifndef SELFSAME_PY_ACCOUNT_H_
#define SELFSAME_PY_ACCOUNT_H_

#include "tie/core.h"

enum {
  SS_NODE_SOLE = 1,         // all owners found and closed themselves
  SS_NODE_READ = 2,         // its edges are known
  SS_NODE_THERE = 4,        // its memory stays while the account is made
  SS_NODE_OUTSIDE = 8,      // it, or what leads to it, has an unknown owner
  SS_NODE_VISITED = 16,     // for walks
  SS_NODE_LED_TO = 32,      // a wrapper of the account leads to it
  SS_NODE_UNREADABLE = 64,  // its edges are not known
  SS_NODE_WEAK = 128,       // there are weak references to it
  SS_NODE_BUSY = 256,       // a call under way uses it
};

typedef struct {
  TVMFFIObject* object;
  SsWrapper* wrapper;     // its live wrapper, when that is one of the account's; borrowed
  PyObject* payload;      // the Python object that it owns; borrowed
  uint32_t strong;        // count, when it was read
  uint32_t found;         // edges that lead here
  uint32_t first, count;  // its own edges, in SsAccount.edges
  uint32_t flags;
} SsNode;

static inline uint32_t ss_owners_found(const SsNode* node) { return node->found + (node->wrapper != NULL); }

typedef struct {
  SsNode* nodes;
  uint32_t count, room;
  uint32_t* edges;  // numbers of nodes
  uint32_t edge_count, edge_room;
  uint32_t* hash;  // number of a node plus one
  uint32_t hash_size;
  uint32_t* work;  // room for one number per node
  int failed;      // memory was used up: nothing here is to be believed
  int64_t reads_left;
} SsAccount;

// Empties the account and forgets its memory when it is large.
SS_HIDDEN void ss_account_reset(SsAccount* account);

// Adds a native. `wrapper`: a live wrapper that owns one reference, or NULL for one whose record keeps it there.
SS_HIDDEN void ss_account_add(SsAccount* account, TVMFFIObject* object, SsWrapper* wrapper);

// Reads everything that the natives added lead to and marks what is SS_NODE_OUTSIDE. Returns 0, or -1 when memory was
// used up.
SS_HIDDEN int ss_account_close(SsAccount* account);

// The node of a native, or NULL.
SS_HIDDEN SsNode* ss_account_find(const SsAccount* account, const TVMFFIObject* object);

// Gives `flag` to all nodes that those with it lead to.
SS_HIDDEN void ss_account_spread(SsAccount* account, uint32_t flag);

// Whether count and edges of a node are still what the account says, `more` references of its own apart.
SS_HIDDEN int ss_account_holds(SsAccount* account, const SsNode* node, uint32_t more);

#endif  // SELFSAME_PY_ACCOUNT_H_
