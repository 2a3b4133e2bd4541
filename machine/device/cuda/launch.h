/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of kernels by a program's host code.
 *
 * k<<<grid, block, shared, stream>>>(args) becomes
 * configure("k", grid, block, shared, stream).names("out,in")([&](auto &...a) { k(a...); })(args).
 * A kernel's own launches are kept until the launch that it is part of has ended (hooks.cpp): a parent cannot wait for its children.
 * The arguments are copied once, and each thread calls the kernel with copies of them. A kernel that CUDA takes as a void * is,
 * with its name, a function_pointer, which still knows the kernel's parameters.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LAUNCH_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LAUNCH_H

namespace riffle_lint {
template <class Call, class... Copies> struct arguments {
    Call call;
    std::tuple<Copies...> copies;
    __attribute__((no_sanitize_thread)) static void enter(void *const *args) {
        arguments *self = static_cast<arguments *>(args[0]);
        std::apply(self->call, self->copies);
    }
    static constexpr unsigned count = sizeof...(Copies);
    /* The arguments that are pointers, by their places. */
    void find_pointers(const void **out) const {
        std::apply([&out](const Copies &...copy) { ((*out++ = pointer(copy)), ...); }, copies);
    }
    template <class T> static const void *pointer(const T &copy) {
        if constexpr (std::is_pointer<T>::value && !std::is_function<typename std::remove_pointer<T>::type>::value)
            return (const void *)copy;
        else
            return nullptr;
    }
};

/* A launch by a kernel. */
template <class Configuration, class All> struct child_launch {
    Configuration with;
    All all;
    static void run(void *own) { static_cast<child_launch *>(own)->with.launch(static_cast<child_launch *>(own)->all); }
};

extern "C" const char *riffle_lint_kernel_name(const void *kernel);

/* Its own name where it has one that is known, without scopes and template arguments. */
template <class... Parameters> const char *name_of_kernel(void (*kernel)(Parameters...), const char *other) {
    const char *own = riffle_lint_kernel_name(reinterpret_cast<const void *>(kernel));
    return own != nullptr ? own : other;
}

/* Dynamic shared memory that launches may ask for: the most that the program has allowed any of its kernels. */
inline size_t &most_shared() {
    static size_t bytes = 48 << 10;
    return bytes;
}

struct configuration {
    const char *kernel;
    dim3 grid, block;
    size_t shared;
    bool cooperative = false;
    const char *parameters = "";
    const void *site = nullptr;
    dim3 cluster = dim3(0, 0, 0);
    __attribute__((noinline)) configuration names(const char *given) const {
        configuration self = *this;
        self.parameters = given;
        return self;
    }
    /* One for all kernels, and a call: what gcc inlines into each launch is most of a program's compilation. */
    __attribute__((noinline)) cudaError_t launch_call(void (*enter)(void *const *), void *call, size_t bytes, const void *const *pointers,
                                                      unsigned count) const {
        const machine_host_launch one = {kernel,         enter, call, bytes, shared, {grid.x, grid.y, grid.z},
                                         {block.x, block.y, block.z}, parameters, pointers, count, site, cooperative,
                                         {cluster.x, cluster.y, cluster.z}, most_shared()};
        const int went = riffle_lint_host.launch(&one);
        riffle_lint_run_children();
        if (went == MACHINE_LAUNCH_LOST) fault() = cudaErrorIllegalAddress;
        if (went == MACHINE_LAUNCH_NOT_ALLOWED) return note(cudaErrorInvalidValue);
        if (went == MACHINE_LAUNCH_TOO_LARGE) return note(cudaErrorCooperativeLaunchTooLarge);
        return note(went == MACHINE_LAUNCH_REFUSED ? cudaErrorInvalidConfiguration : cudaSuccess);
    }
    template <class All> __attribute__((noinline)) cudaError_t launch(All &all) const {
        const void *pointers[All::count + 1];
        all.find_pointers(pointers);
        return launch_call(All::enter, &all, sizeof all, pointers, All::count);
    }
    template <class All> __attribute__((no_sanitize_thread)) void launch_later(const All &all) const {
        const child_launch<configuration, All> one = {*this, all};
        riffle_lint_add_child(one.run, &one, sizeof one);
    }
    /* The configuration lives as long as the statement that launches. */
    template <class Call> auto operator()(Call call) const {
        return [this, call](auto &&...given) {
            arguments<Call, std::decay_t<decltype(given)>...> all{call, {std::forward<decltype(given)>(given)...}};
            if constexpr (std::is_trivially_destructible<decltype(all)>::value) {
                if (is_kernel()) return launch_later(all);
            }
            leave_to_host("a kernel with arguments that have destructors");
            if (capture() == nullptr)
                launch(all); /* with no further copy, as copies may do something when they go */
            else
                in_order(kernel, [self = *this, all]() mutable { return self.launch(all); });
        };
    }
};
inline __attribute__((noinline)) configuration configure(const char *kernel, dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0) {
    configuration made = {kernel, grid, block, shared};
    made.site = RIFFLE_SITE;
    return made;
}

/* A kernel, and how it is launched with the addresses of its arguments. */
struct function_pointer {
    typedef void (*launcher)(const configuration &, const void *, void **);
    const char *name = nullptr;
    const void *address = nullptr;
    launcher launch = nullptr;

    template <class... Parameters, size_t... K>
    static void launch_with(const configuration &with, void (*kernel)(Parameters...), void **args, std::index_sequence<K...>) {
        with([kernel](auto &...a) __attribute__((no_sanitize_thread)) { kernel(a...); })(
            *static_cast<std::decay_t<Parameters> *>(args[K])...);
    }
    template <class... Parameters> static void launch_as(const configuration &with, const void *kernel, void **args) {
        launch_with(with, reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(kernel)), args,
                    std::index_sequence_for<Parameters...>());
    }

    function_pointer() = default;
    function_pointer(const void *any) : address(any) {}
    template <class... Parameters>
    function_pointer(void (*kernel)(Parameters...), const char *name_ = "cudaLaunchKernel")
        : name(name_), address(reinterpret_cast<const void *>(kernel)), launch(launch_as<Parameters...>) {}
    operator void *() const { return const_cast<void *>(address); }

    cudaError_t run(configuration with, void **args) const {
        if (launch == nullptr) {
            fprintf(stderr, "riffle: cudaLaunchKernel: a kernel of which only a void * is known cannot be launched\n");
            return note(cudaErrorInvalidDeviceFunction);
        }
        with.kernel = name;
        launch(with, address, args);
        return last_error();
    }
};
/* A kernel that is handed over by its address: a host's call of cudaLaunchKernel(k, ...) becomes cudaLaunchKernel(named("k", k), ...). */
template <class... Parameters> function_pointer named(const char *name, void (*kernel)(Parameters...)) {
    return function_pointer(kernel, name);
}
inline function_pointer named(const char *, function_pointer any) { return any; }

/* Kernels whose addresses the program has made void pointers of: a host's (void const *)k becomes untyped(k). */
struct untyped_kernel {
    function_pointer kernel;
    untyped_kernel *next;
};
inline untyped_kernel *&untyped_kernels() {
    static untyped_kernel *first = nullptr;
    return first;
}
inline function_pointer typed(const void *kernel) {
    for (const untyped_kernel *one = untyped_kernels(); one != nullptr; one = one->next)
        if (one->kernel.address == kernel) return one->kernel;
    return function_pointer(kernel);
}
template <class... Parameters> const void *untyped(void (*kernel)(Parameters...)) {
    const function_pointer one(kernel, name_of_kernel(kernel, "cudaLaunchKernelExC"));
    if (typed(one.address).launch == nullptr) untyped_kernels() = new untyped_kernel{one, untyped_kernels()};
    return one.address;
}
template <class Other> RIFFLE_INLINE __attribute__((no_sanitize_thread)) const void *untyped(Other other) { return (const void *)other; }
} // namespace riffle_lint

/* In brackets, their names are none of the calls that are rewritten so. */
inline __attribute__((noinline)) cudaError_t (cudaLaunchKernel)(riffle_lint::function_pointer kernel, dim3 grid, dim3 block, void **args,
                                                              size_t shared = 0, cudaStream_t = 0) {
    riffle_lint::configuration with = {nullptr, grid, block, shared};
    with.site = RIFFLE_SITE;
    return kernel.run(with, args);
}
inline __attribute__((noinline)) cudaError_t (cudaLaunchCooperativeKernel)(riffle_lint::function_pointer kernel, dim3 grid, dim3 block,
                                                                         void **args, size_t shared = 0, cudaStream_t = 0) {
    riffle_lint::configuration with = {nullptr, grid, block, shared, true};
    with.site = RIFFLE_SITE;
    return kernel.run(with, args);
}

template <class T> cudaError_t cudaFuncSetAttribute(T, cudaFuncAttribute which, int value) {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || value > 227 << 10) return riffle_lint::note(cudaErrorInvalidValue);
    if ((size_t)value > riffle_lint::most_shared()) riffle_lint::most_shared() = (size_t)value;
    return cudaSuccess;
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T, cudaFuncCache) { return cudaSuccess; }
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T, cudaSharedMemConfig) { return cudaSuccess; }
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, T) {
    memset(static_cast<void *>(out), 0, sizeof *out);
    out->maxThreadsPerBlock = 1024;
    out->numRegs = 32;
    out->ptxVersion = out->binaryVersion = __CUDA_ARCH__ / 10;
    out->maxDynamicSharedSizeBytes = 48 << 10;
    return cudaSuccess;
}

/* By threads, blocks and dynamic shared memory alone: the machine has no registers to run out of. */
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T, int threads, size_t shared) {
    *blocks = threads > 0 ? riffle_lint_host.resident((unsigned)threads, shared) : 0;
    return cudaSuccess;
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int threads, size_t shared, unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T, size_t = 0, int most = 0) {
    *grid = 264;
    *block = most > 0 && most < 1024 ? most : 1024;
    return cudaSuccess;
}
template <class T, class Shared>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel, Shared, int most = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, 0, most);
}

#endif
