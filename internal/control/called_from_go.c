// The C functions of this package that Go calls: see called.h. A test compares the list with the Go files.
#include "called.h"

SS_CALLED_FROM_GO(TVMFFIFunctionCreate);
SS_CALLED_FROM_GO(ss_auto_init_new);
SS_CALLED_FROM_GO(ss_builtin_class);
SS_CALLED_FROM_GO(ss_builtin_creator);
SS_CALLED_FROM_GO(ss_builtin_getter);
SS_CALLED_FROM_GO(ss_builtin_setter);
SS_CALLED_FROM_GO(ss_closure_new);
SS_CALLED_FROM_GO(ss_constructor_fields);
SS_CALLED_FROM_GO(ss_context_symbol_next);
SS_CALLED_FROM_GO(ss_context_symbols);
SS_CALLED_FROM_GO(ss_fast_call);
SS_CALLED_FROM_GO(ss_fast_function);
SS_CALLED_FROM_GO(ss_fast_set_missing);
SS_CALLED_FROM_GO(ss_go_state);
SS_CALLED_FROM_GO(ss_library_open);
SS_CALLED_FROM_GO(ss_mutate_container_hook);
SS_CALLED_FROM_GO(ss_mutate_container_in_place_hook);
SS_CALLED_FROM_GO(ss_mutate_leaf_hook);
SS_CALLED_FROM_GO(ss_repr_has_addresses);
SS_CALLED_FROM_GO(ss_structural_key_comparer);
SS_CALLED_FROM_GO(ss_structural_key_hasher);
SS_CALLED_FROM_GO(ss_symbol_size);
SS_CALLED_FROM_GO(ss_system_module_find);
SS_CALLED_FROM_GO(ss_system_module_put);
SS_CALLED_FROM_GO(ss_visit_map_hook);
SS_CALLED_FROM_GO(ss_visit_sequence_hook);
SS_CALLED_FROM_GO(ss_walk_builtin);
