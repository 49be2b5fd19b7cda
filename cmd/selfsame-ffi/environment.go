package main

import "os"

// setEnvironment sets variables until restore is called.
func setEnvironment(variables map[string]string) (restore func(), err error) {
	var undo []func() error
	restore = func() {
		for _, f := range undo {
			_ = f()
		}
	}
	for name, value := range variables {
		before, set := os.LookupEnv(name)
		if set {
			undo = append(undo, func() error { return os.Setenv(name, before) })
		} else {
			undo = append(undo, func() error { return os.Unsetenv(name) })
		}
		if err := os.Setenv(name, value); err != nil {
			restore()
			return nil, err
		}
	}
	return restore, nil
}
