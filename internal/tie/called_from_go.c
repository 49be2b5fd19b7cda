// The C functions of this package that Go calls: see called.h. A test compares the list with the Go files.
#include "called.h"

SS_CALLED_FROM_GO(ss_tie_join);
