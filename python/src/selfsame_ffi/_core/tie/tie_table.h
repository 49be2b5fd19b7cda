// The states of the word in a tie record, and every transition between them: one row each. The function of a row's name
// in tie_word.h makes the transition, and nothing else does; the two with which a native dies are in abi/tie/tie.c.
// docs/tie-states.md explains the states, and its picture is drawn from this table.
//
//   state      word                what it means
//   Detached   0                   no wrapper
//   Active     W                   W is the canonical wrapper and owns one strong reference to the native
//   Held       W, SS_HELD in W     Active, and the native owns one Python reference to W: for wrappers with state
//   InTransit  W|1                 in the dealloc of W: its block is the native's, its last reference not yet released
//   Inactive   W|1                 W's Python life is over; its block is kept, with its type, for the next fetch
//   Gone       (no record)         the native is dead
//
// InTransit needs no bits of its own. A dealloc first ends everything of the wrapper, then writes W|1, and its last act
// is the release. From the store on the block is whoever's the word says: a native that dies in that very release, or
// on another thread, frees it like any kept block, and a fetch by then revives it. No baton has to be passed.
#ifndef SELFSAME_PY_TIE_TABLE_H_
#define SELFSAME_PY_TIE_TABLE_H_

#define SS_TIE_STATES(STATE) \
  STATE(Detached)            \
  STATE(Active)              \
  STATE(Held)                \
  STATE(InTransit)           \
  STATE(Inactive)            \
  STATE(Gone)

// ROW(name, from, to, when)
// clang-format off
#define SS_TIE_TRANSITIONS(ROW)                                                                                        \
  ROW(bind,         Detached,  Active,    "a native is fetched for the first time, or constructed")                    \
  ROW(revive,       Inactive,  Active,    "a native is fetched, and its kept block fits its class")                    \
  ROW(drop_block,   Inactive,  Detached,  "the kept block does not fit, or the native gets a wrapper made elsewhere")   \
  ROW(keep_block,   Active,    InTransit, "a wrapper without state dies, and its native may have other owners")        \
  ROW(settle,       InTransit, Inactive,  "its reference to the native is released, and the native lives on")          \
  ROW(settle_last,  InTransit, Gone,      "its reference turns out to be the last: the native frees the block")        \
  ROW(drop_alone,   Active,    Detached,  "a wrapper dies that is alone with its native, or has state")                \
  ROW(unbind,       Active,    Detached,  "the handle is moved out of the wrapper")                                    \
  ROW(disown_dying, Active,    Detached,  "a fetch meets a wrapper with state in the midst of its dealloc")            \
  ROW(hold,         Active,    Held,      "a crossing, or the finalizer, sees other owners of the native")             \
  ROW(let_go,       Held,      Active,    "a crossing, or the collector, sees none")                                   \
  ROW(reclaim,      Inactive,  Gone,      "the native dies; its kept block is freed")                                  \
  ROW(die,          Detached,  Gone,      "the native dies without a wrapper")
// clang-format on

typedef enum {
#define SS_STATE(name) SS_STATE_##name,
  SS_TIE_STATES(SS_STATE)
#undef SS_STATE
} SsTieState;

typedef enum {
#define SS_ROW(name, from, to, when) SS_##name,
  SS_TIE_TRANSITIONS(SS_ROW)
#undef SS_ROW
      SS_TRANSITION_COUNT
} SsTieTransition;

// Called at each transition. A test counts them and stops when one does not start in the state its row names; in what
// ships it is nothing.
#ifndef SS_ON_TRANSITION
#define SS_ON_TRANSITION(transition, seen) ((void)0)
#endif

#endif  // SELFSAME_PY_TIE_TABLE_H_
