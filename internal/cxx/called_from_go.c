// The C functions of this package that Go calls: see called.h. A test compares the list with the Go files.
#include "called.h"

SS_CALLED_FROM_GO(ss_library_module);
SS_CALLED_FROM_GO(ss_library_symbol);
SS_CALLED_FROM_GO(ss_module_add_import);
SS_CALLED_FROM_GO(ss_module_clear_imports);
SS_CALLED_FROM_GO(ss_module_doc);
SS_CALLED_FROM_GO(ss_module_formats);
SS_CALLED_FROM_GO(ss_module_function);
SS_CALLED_FROM_GO(ss_module_function_of_imports);
SS_CALLED_FROM_GO(ss_module_implements);
SS_CALLED_FROM_GO(ss_module_import);
SS_CALLED_FROM_GO(ss_module_imports_getter);
SS_CALLED_FROM_GO(ss_module_kind);
SS_CALLED_FROM_GO(ss_module_metadata);
SS_CALLED_FROM_GO(ss_module_property_mask);
SS_CALLED_FROM_GO(ss_module_source);
SS_CALLED_FROM_GO(ss_module_write);
