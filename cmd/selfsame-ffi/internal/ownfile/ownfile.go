// Package ownfile opens what this user made, in places where other users may write: it follows no links, and checks owners
// and rights.
package ownfile

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
)

// Folder fails unless path is a folder of this user that nobody else can enter.
func Folder(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() || owner(info) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("expected %s to be a folder that only this user can enter, got %s of user %d", path, info.Mode(), owner(info))
	}
	return nil
}

// Read returns the content of a small file of this user that nobody else can read.
func Read(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noLink, 0)
	if err != nil {
		if linked, e := os.Lstat(path); e == nil && !linked.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: expected a file that only this user can read, got %s", path, linked.Mode())
		}
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || owner(info) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: expected a file that only this user can read, got %s of user %d", path, info.Mode(), owner(info))
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s: expected at most %d bytes, got %d", path, most, info.Size())
	}
	return io.ReadAll(io.LimitReader(file, most))
}

// Dial connects to the socket of a process of this user.
func Dial(ctx context.Context, path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != fs.ModeSocket || owner(info) != os.Getuid() {
		return nil, fmt.Errorf("%s: expected a socket of this user, got %s of user %d", path, info.Mode(), owner(info))
	}
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	user, err := peer(connection)
	if err == nil && user != os.Getuid() {
		err = fmt.Errorf("%s: expected a process of this user, got one of user %d", path, user)
	}
	if err != nil {
		connection.Close()
		return nil, err
	}
	return connection, nil
}
