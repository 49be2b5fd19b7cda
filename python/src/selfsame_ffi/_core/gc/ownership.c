// Making the ownership graph. Runs inside the collector: nothing here runs Python code or changes a reference count.
#include "gc/ownership.h"

#include <stdlib.h>

#include "gc/read_memory.h"

enum { LARGE = 1 << 16 };  // a graph with more nodes gives its memory back after use

void ss_ownership_reset(SsOwnership* graph) {
  free(graph->by_record);
  graph->by_record = NULL;
  graph->record_end = 0;
  if (graph->room > LARGE) {
    free(graph->nodes);
    free(graph->references);
    free(graph->hash);
    free(graph->work);
    *graph = (SsOwnership){0};
  }
  graph->count = graph->reference_count = graph->kept = 0;
  graph->failed = graph->all_hashed = 0;
  graph->reads_left = 0;
  if (graph->hash != NULL) memset(graph->hash, 0, graph->hash_size * sizeof(uint32_t));
}

void ss_ownership_begin(SsOwnership* graph, uint32_t record_end) {
  ss_ownership_reset(graph);
  graph->by_record = calloc(record_end, sizeof(uint32_t));
  graph->record_end = graph->by_record == NULL ? 0 : record_end;
  if (graph->by_record == NULL) graph->failed = 1;
}

// ---- nodes ----
//
// An object that has a tie record, and is known to be alive so that its header may be read, is looked up by the
// record's number: in an array in the order in which the objects got their records. The hash table, in which each
// look-up misses the cache, has the others. Before the first reference is looked up that may be stale, by its address
// alone, all nodes are put there.

// Objects of one page have entries near each other, as they are near each other in memory and among the nodes. Pages
// are scattered, so that no distance between objects makes their entries collide.
static uint32_t hash_of(const SsOwnership* graph, const TVMFFIObject* object) {
  enum { PAGE_BITS = 12, ALIGNMENT_BITS = 4, PLACES = 1 << (PAGE_BITS - ALIGNMENT_BITS) };
  uint64_t address = (uintptr_t)object;
  uint64_t page = (address >> PAGE_BITS) * UINT64_C(0x9E3779B97F4A7C15);
  uint64_t place = (address >> ALIGNMENT_BITS) % PLACES;
  return (uint32_t)((page >> 32) + place) & (graph->hash_size - 1);
}

// The hash table's entry for an object, or the empty entry where it belongs.
static uint32_t* entry_of(const SsOwnership* graph, const TVMFFIObject* object) {
  uint32_t at = hash_of(graph, object);
  while (graph->hash[at] != 0 && graph->nodes[graph->hash[at] - 1].object != object) {
    at = (at + 1) & (graph->hash_size - 1);
  }
  return &graph->hash[at];
}

// The number of the node that was added for the object's tie record, plus one; 0 for none.
static uint32_t added_for(const SsOwnership* graph, const TVMFFIObject* object) {
  uint32_t record = __atomic_load_n(&object->__padding, __ATOMIC_RELAXED);
  uint32_t number = record < graph->record_end ? graph->by_record[record] : 0;
  return number != 0 && graph->nodes[number - 1].object == object ? number : 0;
}

SsNode* ss_ownership_find(const SsOwnership* graph, const TVMFFIObject* object) {
  if (graph->count == 0 || graph->failed) return NULL;
  uint32_t number = added_for(graph, object);
  if (number == 0) number = *entry_of(graph, object);
  return number == 0 ? NULL : &graph->nodes[number - 1];
}

// Puts the nodes into the hash table that are not in by_record; with all_hashed all of them.
static void hash_nodes(SsOwnership* graph) {
  for (uint32_t i = 0; i < graph->count; i++) {
    if (graph->all_hashed || !(graph->nodes[i].flags & SS_NODE_RETAINED)) {
      *entry_of(graph, graph->nodes[i].object) = i + 1;
    }
  }
}

static int grow_nodes(SsOwnership* graph) {
  if (graph->count < graph->room) return 0;
  if (graph->room > UINT32_MAX / 4) return -1;
  uint32_t room = graph->room == 0 ? 256 : 2 * graph->room;
  SsNode* nodes = realloc(graph->nodes, room * sizeof(SsNode));
  if (nodes != NULL) graph->nodes = nodes;
  uint32_t* work = realloc(graph->work, room * sizeof(uint32_t));
  if (work != NULL) graph->work = work;
  uint32_t* hash = calloc(2 * (size_t)room, sizeof(uint32_t));
  if (nodes == NULL || work == NULL || hash == NULL) {
    free(hash);
    return -1;
  }
  free(graph->hash);
  graph->hash = hash;
  graph->hash_size = 2 * room;
  graph->room = room;
  hash_nodes(graph);
  return 0;
}

// The number of an object's node, which is made when there is none. `alive`: the object is not freed before the graph
// is made. UINT32_MAX without memory.
static uint32_t number_of(SsOwnership* graph, TVMFFIObject* object, int alive) {
  uint32_t added = alive ? added_for(graph, object) : 0;
  if (added != 0) return added - 1;
  if (!alive && !graph->all_hashed) {
    graph->all_hashed = 1;
    hash_nodes(graph);
  }
  if (grow_nodes(graph) != 0) {
    graph->failed = 1;
    return UINT32_MAX;
  }
  uint32_t* entry = entry_of(graph, object);
  if (*entry == 0) {
    graph->nodes[graph->count] = (SsNode){.object = object, .owned = 1};
    *entry = ++graph->count;
  }
  return *entry - 1;
}

static void note_counts(SsNode* node, uint64_t counts) {
  node->strong = (uint32_t)counts;
  // The strong references own one weak count together. Another thread may promote any further weak reference.
  if (counts >> 32 > 1) node->flags |= SS_NODE_WEAK;
  if (node->strong == 0 || counts >> 32 != 1) node->flags |= SS_NODE_EXTERNAL;
}

static uint64_t counts_of(const TVMFFIObject* object) {
  return __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
}

static SsNode* add_retained(SsOwnership* graph, uint32_t record, TVMFFIObject* object) {
  if (graph->failed || grow_nodes(graph) != 0) {
    graph->failed = 1;
    return NULL;
  }
  SsNode* node = &graph->nodes[graph->count++];
  *node = (SsNode){.object = object, .owned = 1, .flags = SS_NODE_RETAINED};
  graph->by_record[record] = graph->count;
  note_counts(node, counts_of(object));
  return node;
}

void ss_ownership_add(SsOwnership* graph, uint32_t record, TVMFFIObject* object, SsWrapper* wrapper) {
  SsNode* node = add_retained(graph, record, object);
  if (node == NULL) return;
  node->wrapper = wrapper;
  node->owned = ss_owned(wrapper);
  if (ss_flags(wrapper) & SS_HELD) node->flags |= SS_NODE_HOLDS;
  // The pin is a call that may change the object without owning a reference.
  if (ss_is_pinned(wrapper)) node->flags |= SS_NODE_EXTERNAL | SS_NODE_BUSY;
}

void ss_ownership_add_kept(SsOwnership* graph, uint32_t record, TVMFFIObject* object, PyObject* block) {
  SsNode* node = add_retained(graph, record, object);
  graph->kept++;
  if (node != NULL && (Py_TYPE(block)->tp_flags & Py_TPFLAGS_HEAPTYPE)) node->block_class = (PyObject*)Py_TYPE(block);
}

void ss_ownership_add_in_use(SsOwnership* graph, uint32_t record, TVMFFIObject* object) {
  SsNode* node = add_retained(graph, record, object);
  if (node != NULL) node->flags |= SS_NODE_EXTERNAL;
}

// ---- references ----

typedef struct {
  SsOwnership* graph;  // borrowed; gets the references
  uint32_t node;       // the number of the node that is read
  int alive;           // no thread changes the node's object, so the objects that it owns are alive
} Reader;

static int add_reference(void* arg, TVMFFIObject* child) {
  Reader* reader = arg;
  SsOwnership* graph = reader->graph;
  if (graph->reference_count == graph->reference_room) {
    uint32_t room = graph->reference_room == 0 ? 1024 : 2 * graph->reference_room;
    uint32_t* references = room < graph->reference_room ? NULL : realloc(graph->references, room * sizeof(uint32_t));
    if (references == NULL) {
      graph->failed = 1;
      return 1;
    }
    graph->references = references;
    graph->reference_room = room;
  }
  uint32_t number = number_of(graph, child, reader->alive);
  if (number == UINT32_MAX) return 1;
  graph->references[graph->reference_count++] = number;
  graph->nodes[reader->node].count++;
  graph->nodes[number].found++;
  return 0;
}

// Removes the references of a node whose reading failed.
static void forget_references(SsOwnership* graph, SsNode* node) {
  while (node->count > 0) {
    node->count--;
    graph->nodes[graph->references[--graph->reference_count]].found--;
  }
}

static int is_newly_unshared(const SsNode* node) {
  return (node->flags & (SS_NODE_EXTERNAL | SS_NODE_UNSHARED)) == 0 && node->strong == ss_owners_found(node);
}

// Reads the nodes whose owners are all unshared, beginning with the first `count` nodes.
static void read_unshared(SsOwnership* graph, uint32_t count) {
  uint32_t pending = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (is_newly_unshared(&graph->nodes[i])) {
      graph->nodes[i].flags |= SS_NODE_UNSHARED;
      graph->work[pending++] = i;
    }
    while (pending > 0 && !graph->failed) {
      uint32_t number = graph->work[--pending];
      SsNode* node = &graph->nodes[number];
      node->flags |= SS_NODE_READ;
      node->python = ss_owned_python_object(node->object);
      node->first = graph->reference_count;
      Reader reader = {graph, number, 1};
      ss_read_own(node->object, add_reference, &reader);
      uint32_t first = graph->nodes[number].first;
      for (uint32_t e = first; e < graph->reference_count; e++) {
        SsNode* child = &graph->nodes[graph->references[e]];
        if (child->strong == 0 && !(child->flags & SS_NODE_EXTERNAL)) note_counts(child, counts_of(child->object));
        if (is_newly_unshared(child)) {
          child->flags |= SS_NODE_UNSHARED;
          graph->work[pending++] = graph->references[e];
        }
      }
    }
  }
}

// Copies of the heads of the next nodes to be copied. Nodes are read in the order of their numbers, so one system call
// copies many.
static struct {
  uint32_t numbers[SS_HEADS];  // of the nodes whose heads are copied
  int at;                      // the first of them that was not read yet
  SsHeads copy;                // their heads, in the same order
} ahead;

// A copy of the head of a node's object; NULL when it cannot be read. Copies those of following nodes along, except
// nodes with a flag in `skipped`.
static const char* head_of(const SsOwnership* graph, uint32_t number, uint32_t skipped) {
  while (ahead.at < ahead.copy.count) {
    int at = ahead.at++;
    if (ahead.numbers[at] == number) return ahead.copy.heads[at];
  }
  TVMFFIObject* objects[SS_HEADS];
  int n = 0;
  for (uint32_t i = number; i < graph->count && n < SS_HEADS; i++) {
    if (i != number && (graph->nodes[i].flags & (skipped | SS_NODE_RETAINED)) != 0) continue;
    ahead.numbers[n] = i;
    objects[n++] = graph->nodes[i].object;
  }
  ss_copy_heads(objects, n, &ahead.copy);
  ahead.at = 1;
  return ahead.copy.count > 0 ? ahead.copy.heads[0] : NULL;
}

static void forget_heads(void) { ahead.copy.count = ahead.at = 0; }

// The Python object that the node's object owns. `head` is as for ss_read_shared.
static PyObject* python_of(const SsNode* node, const char* head) {
  return head == NULL ? ss_owned_python_object(node->object) : ss_owned_python_object_in_head(head);
}

// Reads a node that other threads may change. 0, or -1 when it cannot be read.
static int read_shared(SsOwnership* graph, uint32_t number) {
  SsNode* node = &graph->nodes[number];
  const char* head = NULL;
  if (!(node->flags & SS_NODE_RETAINED)) {
    if (--graph->reads_left < 0) return -1;
    head = head_of(graph, number, SS_NODE_READ | SS_NODE_EXTERNAL);
    if (head == NULL) return -1;
    note_counts(node, ((const TVMFFIObject*)head)->combined_ref_count);
  }
  node->python = python_of(node, head);
  node->first = graph->reference_count;
  Reader reader = {graph, number, 0};
  return ss_read_shared(node->object, head, &graph->reads_left, add_reference, &reader);
}

// Asks for the memory of the objects of later nodes, which lie apart: their headers and the fields behind. No access, so
// the memory need not be there.
static void prefetch_ahead(const SsOwnership* graph, uint32_t i) {
  enum { AHEAD = 8, LINE = 64 };
  if (i + AHEAD >= graph->count) return;
  const char* object = (const char*)graph->nodes[i + AHEAD].object;
  __builtin_prefetch(object);
  __builtin_prefetch(object + LINE);
}

static void read_others(SsOwnership* graph) {
  forget_heads();
  for (uint32_t i = 0; i < graph->count && !graph->failed; i++) {
    prefetch_ahead(graph, i);
    SsNode* node = &graph->nodes[i];
    if (node->flags & (SS_NODE_READ | SS_NODE_EXTERNAL)) continue;
    if (read_shared(graph, i) != 0) {
      node = &graph->nodes[i];
      forget_references(graph, node);
      node->python = NULL;
      node->flags |= SS_NODE_EXTERNAL | SS_NODE_UNREADABLE;
    }
    graph->nodes[i].flags |= SS_NODE_READ;
  }
}

// ---- the second reading ----

typedef struct {
  const SsOwnership* graph;  // borrowed
  const SsNode* node;        // the node that is read again
  uint32_t seen;             // how many references the second reading has met
} Comparison;

static int compare_reference(void* arg, TVMFFIObject* child) {
  Comparison* comparison = arg;
  const SsOwnership* graph = comparison->graph;
  uint32_t at = comparison->seen++;
  return at >= comparison->node->count || graph->nodes[graph->references[comparison->node->first + at]].object != child;
}

int ss_ownership_unchanged(SsOwnership* graph, const SsNode* node, uint32_t more) {
  Comparison comparison = {graph, node, 0};
  int64_t reads_left = INT64_MAX;
  uint64_t expected = ((uint64_t)1 << 32) + node->strong + more;
  int same;
  const char* head = NULL;
  if (node->flags & SS_NODE_UNSHARED || more > 0) {
    same = ss_read_own(node->object, compare_reference, &comparison) == 0;
  } else {
    if (!(node->flags & SS_NODE_RETAINED)) {
      head = head_of(graph, (uint32_t)(node - graph->nodes), SS_NODE_UNSHARED | SS_NODE_EXTERNAL);
      if (head == NULL) return 0;
    }
    same = ss_read_shared(node->object, head, &reads_left, compare_reference, &comparison) == 0;
  }
  const char* from = head == NULL ? (const char*)node->object : head;
  return same && comparison.seen == node->count && ((const TVMFFIObject*)from)->combined_ref_count == expected &&
         python_of(node, head) == node->python;
}

// ---- external nodes ----

void ss_ownership_spread(SsOwnership* graph, uint32_t flag) {
  uint32_t pending = 0;
  for (uint32_t i = 0; i < graph->count; i++) {
    if (graph->nodes[i].flags & flag) graph->work[pending++] = i;
  }
  while (pending > 0) {
    const SsNode* node = &graph->nodes[graph->work[--pending]];
    for (uint32_t e = 0; e < node->count; e++) {
      SsNode* child = &graph->nodes[graph->references[node->first + e]];
      if (child->flags & flag) continue;
      child->flags |= flag;
      graph->work[pending++] = graph->references[node->first + e];
    }
  }
}

int ss_ownership_complete(SsOwnership* graph) {
  uint32_t given = graph->count;
  graph->reads_left = 64 + 16 * (int64_t)given;
  read_unshared(graph, given);
  read_others(graph);
  if (graph->failed) return -1;
  for (uint32_t i = 0; i < graph->count; i++) {
    SsNode* node = &graph->nodes[i];
    if (node->strong != ss_owners_found(node)) node->flags |= SS_NODE_EXTERNAL;
  }
  ss_ownership_spread(graph, SS_NODE_EXTERNAL);
  int changed = 0;
  forget_heads();
  for (uint32_t i = 0; i < graph->count; i++) {
    prefetch_ahead(graph, i);
    SsNode* node = &graph->nodes[i];
    if (!(node->flags & (SS_NODE_EXTERNAL | SS_NODE_UNSHARED)) && !ss_ownership_unchanged(graph, node, 0)) {
      node->flags |= SS_NODE_EXTERNAL;
      changed = 1;
    }
  }
  if (changed) ss_ownership_spread(graph, SS_NODE_EXTERNAL);
  return 0;
}
