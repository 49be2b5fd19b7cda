package kinds

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// Device is a kind of device: a row of Devices.
type Device struct {
	Type  int32
	Texts []string // the names that a text may have for it; none: only a number can name it
}

// Devices are the kinds of devices, by number.
var Devices = []Device{
	{abi.DeviceCPU, []string{"cpu"}},
	{abi.DeviceCUDA, []string{"cuda"}},
	{abi.DeviceCUDAHost, nil},
	{abi.DeviceOpenCL, []string{"opencl"}},
	{abi.DeviceVulkan, []string{"vulkan"}},
	{abi.DeviceMetal, []string{"metal", "mps"}},
	{abi.DeviceVPI, []string{"vpi"}},
	{abi.DeviceROCM, []string{"rocm"}},
	{abi.DeviceROCMHost, nil},
	{abi.DeviceExtDev, []string{"ext_dev"}},
	{abi.DeviceCUDAManaged, nil},
	{abi.DeviceOneAPI, nil},
	{abi.DeviceWebGPU, []string{"webgpu", "wgpu"}},
	{abi.DeviceHexagon, []string{"hexagon"}},
	{abi.DeviceMAIA, []string{"maia"}},
	{abi.DeviceTrn, []string{"trn"}},
}

// Name returns the name that is printed for the kind.
func (d Device) Name() string {
	name, _, _ := strings.Cut(abi.Device{Type: d.Type}.String(), ":")
	return name
}
