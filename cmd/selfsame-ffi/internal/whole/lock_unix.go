//go:build unix && !solaris && !illumos && !aix

package whole

import (
	"errors"
	"os"
	"syscall"
)

// noLink opens no link.
const noLink = syscall.O_NOFOLLOW

// lockOpen takes the lock of an open file or folder, which ends with it.
func lockOpen(file *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(file.Fd()), how)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrBusy
		case errors.Is(err, syscall.EBADF), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.EOPNOTSUPP):
			return errNone
		}
		return err
	}
}
