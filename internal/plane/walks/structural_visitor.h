// Structural visitors and mutators: objects whose C functions visit or mutate a value. Hooks of classes and callbacks
// get them to continue with the parts of a value. Compiled C++ code makes its own; structural_callbacks.c and
// structural_map.c make those of the walks that run here (SsOwnWalk).
//
// The outcome of a visit is an owned value: None to continue, a VisitInterrupt to stop, or an Error. The outcome of a
// mutation is a replacement, the marker kTVMFFIUnchanged, or an Error. Values are views, borrowed.
#ifndef SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_VISITOR_H_
#define SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_VISITOR_H_

#include "core/object_table.h"
#include "selfsame/internal/values.h"
#include "structural_region.h"

#pragma GCC visibility push(hidden)

// The first fields of every StructuralVisitor and StructuralMutator, as compiled code reads them. The maker of the
// object may put fields of its own behind them.
typedef struct {
  TVMFFIObject header;  // counts, type index and deleter
  const void* table;    // its functions: an SsVisitorTable or SsMutatorTable
  int32_t region;       // an SsRegion
} SsWalker;

typedef struct {
  TVMFFIAny (*visit)(SsWalker* visitor, TVMFFIAny value);  // goes on with a value; the result is an owned outcome
} SsVisitorTable;

typedef struct {
  // goes on with a borrowed value; the result is an owned outcome
  TVMFFIAny (*mutate)(SsWalker* mutator, TVMFFIAny value);
  TVMFFIAny (*mutate_in_place)(SsWalker* mutator, TVMFFIAny value);  // the same for a value that nobody else has
  TVMFFIAny (*remap_get)(SsWalker* mutator, TVMFFIAny variable);     // what stands for a variable, owned
  // sets what stands for a variable
  TVMFFIAny (*remap_set)(SsWalker* mutator, TVMFFIAny variable, TVMFFIAny value);
} SsMutatorTable;

static inline const SsVisitorTable* ss_visitor_table(const SsWalker* visitor) { return visitor->table; }
static inline const SsMutatorTable* ss_mutator_table(const SsWalker* mutator) { return mutator->table; }

// A callback for the values of a type and of its subtypes.
typedef struct {
  int32_t type_index;      // the type whose values the callback is for
  int16_t with_region;     // the callback gets the region as an argument
  int16_t with_mode;       // the callback gets whether it may change the value in place
  TVMFFIObject* function;  // owned
} SsLink;

// A visitor or mutator of a walk that runs here.
//
// One thread at a time uses it: the thread of the walk, or, while the walk waits for foreign code (a hook, callback,
// getter or setter), one that this code calls it on. `use` decides which.
typedef struct {
  SsWalker base;            // as compiled code reads it
  const char* walk;         // the walk's name in errors: "StructuralVisit"
  const char* class;        // the name of the object's class in errors: "StructuralVisitor"
  int32_t use;              // atomic: SS_USE_*
  int32_t pre_order;        // callbacks run before the parts of their value, else after them
  int32_t freely;           // callbacks get this object and continue with the parts themselves
  int32_t num_links;        // of links
  SsLink* links;            // owned
  SsObjectTable variables;  // of a mutator: the variables that have a replacement, with its number in `replacements`
  TVMFFIAny* replacements;  // owned values
  size_t room;              // in `replacements`
} SsOwnWalk;

enum {
  SS_USE_ENDED,    // the walk has ended
  SS_USE_RUNNING,  // a thread uses the walk
  SS_USE_WAITING,  // the walk waits for foreign code
  SS_USE_SHARED,   // foreign code returned while another thread used the walk, which fails for both
};

// Makes the visitor or mutator of a walk, in use by the calling thread: a new reference, or NULL raised. `type_key` is
// that of its class. ss_walk_end ends the walk and releases this reference.
SsOwnWalk* ss_walk_new(const char* type_key, const void* table, const char* walk, const char* class);
void ss_walk_end(SsOwnWalk* w);

// Adds the callbacks of an Array or List of pairs of a type index and a Function, or of triples with a bool, the mode.
// Returns 0, or -1 raised: TypeError when the elements are others, MemoryError.
int ss_walk_add_links(SsOwnWalk* w, const TVMFFIAny* links, int size, int with_region);
// The first callback for values of a type; NULL when there is none.
const SsLink* ss_walk_link(const SsOwnWalk* w, int32_t type_index);
// Calls a Function with n borrowed arguments, as foreign code of the walk; `w` may be NULL (ss_walk_leave). The result
// is owned; an Error when the call failed.
TVMFFIAny ss_walk_call(SsOwnWalk* w, TVMFFIObject* function, const TVMFFIAny* args, int32_t n);

// Lets the calling thread use a walk that waits for foreign code, until ss_walk_suspend. Returns 1, or 0 with
// RuntimeError raised: the walk has ended, or is in use.
int ss_walk_resume(SsOwnWalk* w);
void ss_walk_suspend(SsOwnWalk* w);

// Enclose foreign code that the walk runs. `w` is NULL for a visitor or mutator of others, which sees to itself.
// ss_walk_left takes over and returns the outcome of the code, or an Error in its place.
void ss_walk_leave(SsOwnWalk* w);
TVMFFIAny ss_walk_left(SsOwnWalk* w, TVMFFIAny outcome);

// ---- what both kinds of walk need --------------------------------------------------------------------------

// Takes the calling thread's raised error as an owned value. An InternalError when none is raised.
TVMFFIAny ss_raised_value(void);
// Makes the outcome an owned result: an Error becomes the raised error. Returns 0, or -1.
int ss_outcome(TVMFFIAny outcome, TVMFFIAny* result);
// Returns an owned result that is an outcome of a visit as it is; releases any other and returns a TypeError. `wanted`
// says in it what was expected.
TVMFFIAny ss_visit_outcome(TVMFFIAny result, const char* wanted);
// Adds a value, when it is an object, to the VisitErrorContext of an Error that passes it on its way to the root. The
// Error stays as it is when memory runs out.
void ss_error_passes(TVMFFIAny error, TVMFFIAny value);
// Whether the calling thread's stack has room for another level of a walk. Raises RecursionError, which names the walk,
// when it has not.
int ss_walk_has_stack(const char* walk);
// The type index of a class that the runtime registers; *cache is 0 at first.
int32_t ss_walk_class(int32_t* cache, const char* type_key);
// The type key of a type index, for errors.
const char* ss_walk_key(int32_t type_index);

static inline int ss_is_error(TVMFFIAny outcome) { return outcome.type_index == kTVMFFIError; }
static inline int ss_is_object_value(TVMFFIAny value) { return value.type_index >= kTVMFFIStaticObjectBegin; }
// Whether the outcome of a mutation is another value than `value`.
static inline int ss_changes(TVMFFIAny outcome, TVMFFIAny value) {
  return outcome.type_index != kTVMFFIUnchanged &&
         (outcome.type_index != value.type_index || outcome.zero_padding != value.zero_padding ||
          outcome.v_uint64 != value.v_uint64);
}
// Whether a value is an object with a single owner.
static inline int ss_owned_once(TVMFFIAny value) { return ss_is_object_value(value) && ss_strong(value.v_obj) == 1; }
static inline void ss_retain(TVMFFIAny value) {
  if (ss_is_object_value(value)) ss_incref(value.v_obj);
}
static inline TVMFFIAny ss_none_value(void) {
  TVMFFIAny none;
  ss_set_none(&none);
  return none;
}
static inline TVMFFIAny ss_walker_value(const SsWalker* walker) {
  TVMFFIAny value;
  ss_set_object(&value, (void*)walker);
  return value;
}

// ---- visiting and mutating ---------------------------------------------------------------------------------

// Visits the parts of a value with a visitor: by the hook of the value's class, or field by field when the class has
// none. `own` is the walk behind `visitor` when this library runs that walk and the calling thread uses it; NULL for
// every other visitor.
TVMFFIAny ss_visit_parts(SsWalker* visitor, SsOwnWalk* own, TVMFFIAny value);
// Visits a value in a walk that the calling thread uses.
TVMFFIAny ss_walk_value(SsOwnWalk* w, TVMFFIAny value);
// The walk of a visitor that was made here; NULL for others.
SsOwnWalk* ss_own_visitor(SsWalker* visitor);

// The same for mutators. With in_place, an object may be changed instead of replaced: nobody else sees the change.
TVMFFIAny ss_mutate_parts(SsWalker* mutator, SsOwnWalk* own, TVMFFIAny value, int in_place);
TVMFFIAny ss_mutation_value(SsOwnWalk* w, TVMFFIAny value, int in_place);
TVMFFIAny ss_mutation_get(SsOwnWalk* w, TVMFFIAny variable);
TVMFFIAny ss_mutation_set(SsOwnWalk* w, TVMFFIAny variable, TVMFFIAny value);

#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_WALKS_STRUCTURAL_VISITOR_H_
