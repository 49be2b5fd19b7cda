package abi

import "strconv"

var deviceNames = map[int32]string{
	DeviceCPU: "cpu", DeviceCUDA: "cuda", DeviceCUDAHost: "cuda_host", DeviceOpenCL: "opencl", DeviceVulkan: "vulkan",
	DeviceMetal: "metal", DeviceVPI: "vpi", DeviceROCM: "rocm", DeviceROCMHost: "rocm_host", DeviceExtDev: "ext_dev",
	DeviceCUDAManaged: "cuda_managed", DeviceOneAPI: "oneapi", DeviceWebGPU: "webgpu", DeviceHexagon: "hexagon",
	DeviceMAIA: "maia", DeviceTrn: "trn",
}

// String returns the device as it is printed: cuda:1. A device type without a name is "unknown".
func (d Device) String() string {
	name, ok := deviceNames[d.Type]
	if !ok {
		name = "unknown"
	}
	return name + ":" + strconv.Itoa(int(d.ID))
}
