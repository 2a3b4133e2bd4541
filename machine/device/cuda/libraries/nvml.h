/* SPDX-License-Identifier: Apache-2.0
 *
 * NVML's names, with the machine as its one device: its memory and its name are those of the runtime. Clocks, temperatures, power
 * and energy are not supported, as some GPUs' are not; programs have to expect that.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_NVML_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_NVML_H

#include "device.h"

typedef enum nvmlReturn_enum {
    NVML_SUCCESS,
    NVML_ERROR_UNINITIALIZED,
    NVML_ERROR_INVALID_ARGUMENT,
    NVML_ERROR_NOT_SUPPORTED,
    NVML_ERROR_NO_PERMISSION,
    NVML_ERROR_ALREADY_INITIALIZED,
    NVML_ERROR_NOT_FOUND,
    NVML_ERROR_UNKNOWN = 999,
} nvmlReturn_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlMemory_st {
    unsigned long long total, free, used;
} nvmlMemory_t;
typedef struct nvmlUtilization_st {
    unsigned gpu, memory;
} nvmlUtilization_t;
typedef enum nvmlTemperatureSensors_enum { NVML_TEMPERATURE_GPU } nvmlTemperatureSensors_t;
typedef enum nvmlClockType_enum { NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO } nvmlClockType_t;
enum { NVML_DEVICE_NAME_BUFFER_SIZE = 64, NVML_DEVICE_NAME_V2_BUFFER_SIZE = 96, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE = 80 };

namespace riffle_lint {
inline bool nvml_begun;
inline char nvml_device; /* its address is the handle */

/* NVML_SUCCESS for the device, once the library was initialized. */
inline nvmlReturn_t nvml_check(nvmlDevice_t device) {
    if (!nvml_begun) return NVML_ERROR_UNINITIALIZED;
    return (void *)device == &nvml_device ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
inline nvmlReturn_t nvml_text(const char *from, char *to, unsigned bytes) {
    if (!nvml_begun) return NVML_ERROR_UNINITIALIZED;
    return to != nullptr && snprintf(to, bytes, "%s", from) < (int)bytes ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
} // namespace riffle_lint

inline nvmlReturn_t nvmlInit_v2() { return riffle_lint::nvml_begun = true, NVML_SUCCESS; }
inline nvmlReturn_t nvmlShutdown() {
    const bool begun = riffle_lint::nvml_begun;
    riffle_lint::nvml_begun = false;
    return begun ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}
inline const char *nvmlErrorString(nvmlReturn_t error) {
    switch (error) {
    case NVML_SUCCESS: return "Success";
    case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    default: return "Unknown Error";
    }
}
inline nvmlReturn_t nvmlSystemGetDriverVersion(char *out, unsigned bytes) { return riffle_lint::nvml_text("0.0", out, bytes); }
inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *out) {
    if (riffle_lint::nvml_begun) *out = 1;
    return riffle_lint::nvml_begun ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *out) {
    if (!riffle_lint::nvml_begun) return NVML_ERROR_UNINITIALIZED;
    if (index > 0) return NVML_ERROR_INVALID_ARGUMENT;
    *out = (nvmlDevice_t)&riffle_lint::nvml_device;
    return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *, nvmlDevice_t *out) { return nvmlDeviceGetHandleByIndex_v2(0, out); }
inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *out, unsigned bytes) {
    cudaDeviceProp p;
    riffle_lint::describe_device(p);
    const nvmlReturn_t found = riffle_lint::nvml_check(device);
    return found == NVML_SUCCESS ? riffle_lint::nvml_text(p.name, out, bytes) : found;
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *out) {
    size_t left = 0, all = 0;
    const nvmlReturn_t found = riffle_lint::nvml_check(device);
    if (found != NVML_SUCCESS) return found;
    (void)cudaMemGetInfo(&left, &all);
    *out = {all, left, all - left};
    return NVML_SUCCESS;
}
#define RIFFLE_NVML(name)                                                                                      \
    template <class... Any> nvmlReturn_t name(nvmlDevice_t device, const Any &...) {                           \
        const nvmlReturn_t found = riffle_lint::nvml_check(device);                                            \
        return found == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : found;                                       \
    }
RIFFLE_NVML(nvmlDeviceGetUtilizationRates)
RIFFLE_NVML(nvmlDeviceGetTemperature)
RIFFLE_NVML(nvmlDeviceGetPowerUsage)
RIFFLE_NVML(nvmlDeviceGetTotalEnergyConsumption)
RIFFLE_NVML(nvmlDeviceGetEnforcedPowerLimit)
RIFFLE_NVML(nvmlDeviceGetClockInfo)
RIFFLE_NVML(nvmlDeviceGetMaxClockInfo)
RIFFLE_NVML(nvmlDeviceGetFanSpeed)
RIFFLE_NVML(nvmlDeviceSetPersistenceMode)
#undef RIFFLE_NVML
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2

#endif
