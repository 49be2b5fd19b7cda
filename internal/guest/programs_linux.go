//go:build selfsame_starts_programs

package guest

// // Read by thread_linux.c.
// __attribute__((visibility("hidden"))) const char ss_guest_starts_programs = 1;
import "C"
