// The states of the wrapper word, and one row for each transition between them. Only the function with the row's name
// in tie_word.h makes the transition; the two rows of a native object's death are in internal/tie/tie.c. docs/tie-states.md
// explains the states, and its picture is drawn from this table.
//
//   state      word                what it means
//   Detached   0                   no wrapper
//   Active     W                   W is the canonical wrapper and owns one strong reference to the native object
//   Held       W|8                 Python has dropped W: the native object owns the one Python reference to W, and W owns
//                                  nothing; SS_HELD in W
//   InTransit  W|1                 in the dealloc of W: W gave its block up and still owns its reference to the native
//   Inactive   W|1                 W is finalized; its block is kept, with its type, for the next fetch
//   Gone       (no record)         the native object is dead
//
// InTransit and Inactive have the same bits. A dealloc first ends everything of the wrapper, then writes W|1, and last
// releases the wrapper's reference to the native object. From the store on the word decides who owns the block: a
// native object that dies in that release, or on another thread, frees it like any kept block, and a fetch before that
// revives it. RATIONALE.md, "Why a dropped wrapper passes no baton".
#ifndef SELFSAME_CORE_TIE_TIE_TABLE_H_
#define SELFSAME_CORE_TIE_TIE_TABLE_H_

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
  ROW(bind,         Detached,  Active,    "a native object is fetched for the first time, or constructed")             \
  ROW(revive,       Inactive,  Active,    "a native object is fetched, and its kept block fits its class")             \
  ROW(drop_block,   Inactive,  Detached,  "the kept block does not fit, or the native object gets a wrapper made elsewhere") \
  ROW(keep_block,   Active,    InTransit, "a lean wrapper dies, and its native object may have other owners")          \
  ROW(settle,       InTransit, Inactive,  "its reference to the native object is released, and the native object lives on") \
  ROW(settle_last,  InTransit, Gone,      "its reference turns out to be the last: the native object frees the block") \
  ROW(drop_alone,   Active,    Detached,  "a wrapper dies that is its native object's only owner, or that is stateful") \
  ROW(unbind,       Active,    Detached,  "the handle is moved out of the wrapper")                                    \
  ROW(disown_dying, Active,    Detached,  "a fetch meets a stateful wrapper whose dealloc has passed its finalizer")   \
  ROW(hold,         Active,    Held,      "a stateful wrapper's last Python reference goes, and its native object has other owners") \
  ROW(let_go,       Held,      Active,    "a native object is fetched, or the last of its other owners releases it")   \
  ROW(reclaim,      Inactive,  Gone,      "the native object dies; its kept block is freed")                           \
  ROW(die,          Detached,  Gone,      "the native object dies without a wrapper")
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

// Called at each transition. The race test counts the transitions and aborts when one does not start in the state of
// its row; in the package that ships it does nothing.
#ifndef SS_ON_TRANSITION
#define SS_ON_TRANSITION(transition, seen) ((void)0)
#endif

#endif  // SELFSAME_CORE_TIE_TIE_TABLE_H_
