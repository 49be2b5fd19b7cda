// The ownership graph: a set of native objects, the references between them, and which of them have an unknown owner.
//
// A native object without weak references whose strong references all belong to wrappers and other native objects of
// the graph is internal: no other thread has a reference to it. One with an unknown owner is external, and so is
// everything that it leads to: it is in use.
//
// How a native object is read:
//   * One that its wrapper owns, or that has a tie record while deaths are postponed (tie.h), is not freed. Its fields
//     are read, and the elements of an Array or Map, which are immutable while it has several owners.
//   * One whose owners have all been found, and are such objects themselves, cannot be changed by any other thread. It
//     is read directly.
//   * Another thread may free all others during the reading: the storage of a shared List or Dict, and native objects
//     that never had a wrapper. They are copied by a system call that fails where nothing is mapped. The copy counts
//     only when all reference counts agree with the graph and a second reading gives the same: a thread that could
//     change the object has a reference, for which the graph has no owner. This is slow, so the number of copies is
//     limited.
#ifndef SELFSAME_CORE_GC_OWNERSHIP_H_
#define SELFSAME_CORE_GC_OWNERSHIP_H_

#include "tie/core.h"

enum {
  SS_NODE_UNSHARED = 1,       // all owners were found and are unshared themselves: no other thread can change it
  SS_NODE_READ = 2,           // its references are known
  SS_NODE_RETAINED = 4,       // its memory is not freed while the graph is made
  SS_NODE_EXTERNAL = 8,       // it, or a node that leads to it, has an unknown owner
  SS_NODE_VISITED = 16,       // for walks
  SS_NODE_FROM_WRAPPER = 32,  // a wrapper of the graph leads to it
  SS_NODE_UNREADABLE = 64,    // its references are not known
  SS_NODE_WEAK = 128,         // there are weak references to it
  SS_NODE_BUSY = 256,         // a call under way uses it
  SS_NODE_HOLDS = 512,        // it owns its wrapper; without the bit its wrapper owns it
};

typedef struct {
  TVMFFIObject* object;   // borrowed
  SsWrapper* wrapper;     // its live wrapper, when that belongs to the graph; borrowed
  PyObject* python;       // the Python object that it owns, or NULL; borrowed
  PyObject* block_class;  // the class that its kept block owns a reference to, or NULL; borrowed
  uint32_t strong;        // its strong count when it was read
  uint32_t owned;         // of these, the wrapper's own and its shares, unless it holds the wrapper; at least 1
  uint32_t found;         // the number of references in the graph that lead to it
  uint32_t first, count;  // its own references, in SsOwnership.references
  uint32_t flags;         // SS_NODE_ bits
} SsNode;

// How many references the wrapper owns.
static inline uint32_t ss_wrapper_owns(const SsNode* node) {
  return node->wrapper != NULL && !(node->flags & SS_NODE_HOLDS) ? node->owned : 0;
}
static inline uint32_t ss_owners_found(const SsNode* node) { return node->found + ss_wrapper_owns(node); }
static inline int ss_is_internal(const SsNode* node) { return (node->flags & SS_NODE_EXTERNAL) == 0; }

// A zeroed SsOwnership is empty.
typedef struct {
  SsNode* nodes;                             // owned, as the arrays below
  uint32_t count, room;                      // how many nodes there are, and fit
  uint32_t kept;                             // the nodes of ss_ownership_add_kept
  uint32_t* by_record;                       // from numbers of tie records to numbers of nodes, plus one
  uint32_t record_end;                       // the length of by_record
  uint32_t* references;                      // each the number of the node that it leads to
  uint32_t reference_count, reference_room;  // how many references there are, and fit
  // From objects to numbers of nodes, plus one; open addressing. The nodes in by_record are here only when all_hashed
  // is set.
  uint32_t* hash;
  uint32_t hash_size;  // places in `hash`, a power of two
  int all_hashed;      // whether `hash` has all nodes
  uint32_t* work;      // one number for each node, for walks
  int failed;          // out of memory: the graph is incomplete, and nobody may use it
  int64_t reads_left;  // how many elements may still be read before the graph gives up
} SsOwnership;

// Empties the graph. Gives its memory back when that is large.
SS_HIDDEN void ss_ownership_reset(SsOwnership* graph);

// Empties the graph, for objects whose tie records have numbers below `record_end`.
SS_HIDDEN void ss_ownership_begin(SsOwnership* graph, uint32_t record_end);

// Adds a native object with a live wrapper; one of the two owns the other. `record` is the number of its tie record;
// no record is added twice.
SS_HIDDEN void ss_ownership_add(SsOwnership* graph, uint32_t record, TVMFFIObject* object, SsWrapper* wrapper);

// Adds a native object with a kept block, which its tie record retains. `record` as above.
SS_HIDDEN void ss_ownership_add_kept(SsOwnership* graph, uint32_t record, TVMFFIObject* object, PyObject* block);

// Adds a native object that holds a wrapper which does not belong to the graph. The wrapper may be in use and needs its
// native object, of which it owns no reference that the count would show: the object is external. `record` as above.
SS_HIDDEN void ss_ownership_add_in_use(SsOwnership* graph, uint32_t record, TVMFFIObject* object);

// Adds everything that the objects added lead to, and sets SS_NODE_EXTERNAL. 0, or -1 without memory.
SS_HIDDEN int ss_ownership_complete(SsOwnership* graph);

// The node of a native object, to which the caller or its wrapper owns a reference; or NULL.
SS_HIDDEN SsNode* ss_ownership_find(const SsOwnership* graph, const TVMFFIObject* object);

// Sets `flag` on all nodes that a node with `flag` leads to, directly or not.
SS_HIDDEN void ss_ownership_spread(SsOwnership* graph, uint32_t flag);

// Whether a node's strong count is `more` above that in the graph, and all else of it is as in the graph.
SS_HIDDEN int ss_ownership_unchanged(SsOwnership* graph, const SsNode* node, uint32_t more);

#endif  // SELFSAME_CORE_GC_OWNERSHIP_H_
