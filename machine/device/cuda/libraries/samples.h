/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of the CUDA samples' helper_cuda.h, helper_functions.h, helper_string.h and helper_timer.h, where a program has
 * them from no folder of its own: checks of errors, the choice of the device, words of the command line, and stop watches.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_SAMPLES_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_SAMPLES_H

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <strings.h>

#include "driver.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define SPRINTF sprintf

namespace riffle_lint {
template <class Status> void check_sample(Status status, const char *call, const char *file, int line) {
    if ((int)status == 0) return;
    fprintf(stderr, "%s:%d: %s: error %d\n", file, line, call, (int)status);
    exit(EXIT_FAILURE);
}
inline void check_last(const char *what, const char *file, int line) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}
/* The text behind "-name=" or "-name"; NULL if the word is another. */
inline const char *option_value(const char *word, const char *name) {
    while (*word == '-') word++;
    const size_t length = strlen(name);
    if (strncasecmp(word, name, length) != 0 || (word[length] != '\0' && word[length] != '=')) return nullptr;
    return word + length + (word[length] == '=');
}
inline const char *find_option(int argc, const char **argv, const char *name) {
    for (int k = 1; k < argc; k++)
        if (argv[k][0] == '-' && option_value(argv[k], name) != nullptr) return option_value(argv[k], name);
    return nullptr;
}
} // namespace riffle_lint

#define checkCudaErrors(call) ::riffle_lint::check_sample((call), #call, __FILE__, __LINE__)
#define getLastCudaError(what) ::riffle_lint::check_last(what, __FILE__, __LINE__)
#define printLastCudaError(what) ::riffle_lint::check_last(what, __FILE__, __LINE__)

inline int _ConvertSMVer2Cores(int, int) { return 64; }
inline const char *_ConvertSMVer2ArchName(int, int) { return "Ampere"; }
inline int gpuDeviceInit(int device) { return device; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char **) { return 0; }
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) { return major < 8 || (major == 8 && minor == 0); }

inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) {
    return riffle_lint::find_option(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
    const char *value = riffle_lint::find_option(argc, argv, name);
    return value != nullptr ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
    const char *value = riffle_lint::find_option(argc, argv, name);
    return value != nullptr ? (float)atof(value) : 0;
}
template <class T> bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *out) {
    const char *value = riffle_lint::find_option(argc, argv, name);
    if (value != nullptr) *out = (T)atof(value);
    return value != nullptr;
}
inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **out) {
    const char *value = riffle_lint::find_option(argc, argv, name);
    *out = const_cast<char *>(value);
    return value != nullptr;
}
/* A file of that name here, in data/, or beside the program. */
inline char *sdkFindFilePath(const char *name, const char *) {
    for (const char *folder : {"./", "./data/", "../data/", "../../data/"}) {
        const std::string path = std::string(folder) + name;
        if (std::ifstream(path).good()) return strdup(path.c_str());
    }
    return nullptr;
}

struct StopWatchInterface {
    std::chrono::steady_clock::time_point begun;
    double all = 0;
    int runs = 0;
};
inline bool sdkCreateTimer(StopWatchInterface **out) {
    *out = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
    (*timer)->begun = std::chrono::steady_clock::now();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
    (*timer)->all += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - (*timer)->begun).count();
    (*timer)->runs++;
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
    **timer = {std::chrono::steady_clock::now(), 0, 0};
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return (float)(*timer)->all; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (*timer)->runs > 0 ? (float)((*timer)->all / (*timer)->runs) : 0;
}

template <class T> bool compareData(const T *a, const T *b, unsigned count, float epsilon, float share = 0) {
    unsigned wrong = 0;
    for (unsigned k = 0; k < count; k++) wrong += !(fabs((double)a[k] - (double)b[k]) <= epsilon);
    return (float)wrong <= share * (float)count;
}
inline bool sdkCompareL2fe(const float *a, const float *b, unsigned count, float epsilon) {
    double error = 0, all = 0;
    for (unsigned k = 0; k < count; k++) {
        error += (double)(a[k] - b[k]) * (a[k] - b[k]);
        all += (double)a[k] * a[k];
    }
    return all > 0 && sqrt(error) < epsilon * sqrt(all);
}

#endif
