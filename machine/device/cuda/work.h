/* SPDX-License-Identifier: Apache-2.0
 *
 * Work of the device, in order: it is done at once, unless a stream is being captured; then it goes to the end of the graph
 * that the capture makes (graphs.h).
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_WORK_H
#define RIFFLE_MACHINE_DEVICE_CUDA_WORK_H

#include "host_api.h"

extern "C" {
extern machine_host_api riffle_lint_host;
/* hooks.cpp: launches by kernels, of which `run` gets a copy of the bytes once the launch that runs has ended. */
void riffle_lint_add_child(void (*run)(void *), const void *bytes, unsigned long size);
void riffle_lint_run_children(void);
void riffle_lint_lack(const char *function, const void *site);
}

namespace riffle_lint {
struct work {
    work *next = nullptr;
    virtual cudaError_t run() = 0;
    virtual ~work() {}
};
template <class Step> struct work_of : work {
    Step step;
    explicit work_of(Step step_) : step(step_) {}
    cudaError_t run() override { return step(); }
};
struct work_list {
    work *first = nullptr, *last = nullptr;
    size_t count = 0;
    void add(work *one) {
        (last != nullptr ? last->next : first) = one;
        last = one;
        count++;
    }
    cudaError_t run() const {
        for (work *one = first; one != nullptr; one = one->next) {
            const cudaError_t error = one->run();
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    }
};

inline work_list *&capture() {
    static work_list *list;
    return list;
}

/* The error that calls have noted since somebody asked; and the one of a kernel that no GPU survives, which comes at the first call
 * that waits for it and stays for ever. */
inline cudaError_t &last_error() {
    static cudaError_t error = cudaSuccess;
    return error;
}
inline cudaError_t &fault() {
    static cudaError_t error = cudaSuccess;
    return error;
}
inline cudaError_t note(cudaError_t error) {
    if (error != cudaSuccess) last_error() = error;
    return error;
}
/* The status of a call that has waited for all that was launched. */
inline cudaError_t waited(cudaError_t own) { return note(fault() != cudaSuccess ? fault() : own); }

/* True in a kernel that a program has launched. */
inline __attribute__((no_sanitize_thread)) bool is_kernel() {
    return riffle_lint_host.in_kernel != nullptr && riffle_lint_host.in_kernel();
}

/* Functions of the host's: of those of dynamic parallelism a kernel has launches alone. */
inline __attribute__((noinline, no_sanitize_thread)) void leave_to_host(const char *what) {
    if (is_kernel()) return riffle_lint_lack(what, RIFFLE_SITE);
    if (riffle_lint_host.in_kernel != nullptr) return;
    fprintf(stderr, "riffle: %s: called before main\n", what);
    abort();
}

template <class Step> cudaError_t in_order(const char *what, Step step) {
    leave_to_host(what);
    if (capture() == nullptr) return waited(step());
    capture()->add(new work_of<Step>(step));
    return cudaSuccess;
}

} // namespace riffle_lint

#endif
