package abi

import "testing"

// Requirement: A8
func TestDeviceString(t *testing.T) {
	for device, want := range map[Device]string{
		{DeviceCUDA, 1}:     "cuda:1",
		{DeviceROCMHost, 0}: "rocm_host:0",
		{5, -1}:             "unknown:-1",
		{-3, 2}:             "unknown:2",
	} {
		if got := device.String(); got != want {
			t.Errorf("%#v prints as %s, want %s", device, got, want)
		}
	}
}
