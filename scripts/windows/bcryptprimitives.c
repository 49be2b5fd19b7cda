// The one function of bcryptprimitives.dll that Go's runtime calls, for a wine that has no such library.
#include <windows.h>

// ntsecapi.h needs windows.h first.
#include <ntsecapi.h>

__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T count) { return RtlGenRandom(bytes, (ULONG)count); }
