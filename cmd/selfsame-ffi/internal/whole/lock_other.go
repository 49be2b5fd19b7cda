//go:build !unix || solaris || illumos || aix

package whole

import "os"

// noLink is no flag: the system has none.
const noLink = 0

// lockOpen takes no lock: packages are built on Linux only.
func lockOpen(*os.File, bool) error { return errNone }
