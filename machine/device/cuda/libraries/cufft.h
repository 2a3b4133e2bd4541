/* SPDX-License-Identifier: Apache-2.0
 *
 * cuFFT, by the host's own loops in double precision: a transform of prime factors p takes n times their sum. Its cost on a GPU is not counted. The functions of
 * several GPUs and callbacks compile, and say when they are called that they are not supplied.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUFFT_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUFFT_H

#include "device.h"

#include <complex>
#include <memory>
#include <vector>

typedef enum cufftResult_t {
    CUFFT_SUCCESS,
    CUFFT_INVALID_PLAN,
    CUFFT_ALLOC_FAILED,
    CUFFT_INVALID_TYPE,
    CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR,
    CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED,
    CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA,
    CUFFT_NOT_SUPPORTED = 16,
} cufftResult;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69,
} cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
enum { MAX_CUDA_DESCRIPTOR_GPUS = 64 };
typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT,
    CUFFT_XT_FORMAT_OUTPUT,
    CUFFT_XT_FORMAT_INPLACE,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED,
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE } cufftXtCopyType;
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX,
    CUFFT_CB_LD_COMPLEX_DOUBLE,
    CUFFT_CB_LD_REAL,
    CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX,
    CUFFT_CB_ST_COMPLEX_DOUBLE,
    CUFFT_CB_ST_REAL,
    CUFFT_CB_ST_REAL_DOUBLE,
} cufftXtCallbackType;
typedef struct cudaXtDesc_t {
    int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS];
    void *data[MAX_CUDA_DESCRIPTOR_GPUS];
    size_t size[MAX_CUDA_DESCRIPTOR_GPUS];
    void *cudaXtState;
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
    int version;
    cudaXtDesc *descriptor;
    int library, subFormat;
    void *libDescriptor;
} cudaLibXtDesc;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
typedef cufftComplex (*cufftCallbackLoadC)(void *, size_t, void *, void *);
typedef cufftReal (*cufftCallbackLoadR)(void *, size_t, void *, void *);
typedef void (*cufftCallbackStoreC)(void *, size_t, cufftComplex, void *, void *);
typedef void (*cufftCallbackStoreR)(void *, size_t, cufftReal, void *, void *);

namespace riffle_lint {
typedef std::complex<double> fft_number;

/* Elements of a transform lie in the memory as in an array of these extents, each `stride` from the next; batches are `distance` apart. */
struct fft_layout {
    size_t extent[3], stride, distance;
    size_t place(size_t batch, const size_t at[3]) const {
        return batch * distance + ((at[0] * extent[1] + at[1]) * extent[2] + at[2]) * stride;
    }
};
struct fft_plan {
    cufftType type;
    size_t n[3], batches; /* shapes are of three dimensions, of which the first are 1 */
    bool packed;
    fft_layout in, out;
};
inline std::vector<std::unique_ptr<fft_plan>> &fft_plans() {
    static std::vector<std::unique_ptr<fft_plan>> all;
    return all;
}
inline fft_plan *fft_plan_of(cufftHandle handle) {
    return handle >= 0 && (size_t)handle < fft_plans().size() ? fft_plans()[(size_t)handle].get() : nullptr;
}
inline cufftResult fft_create(cufftHandle *out) {
    fft_plans().emplace_back(new fft_plan());
    *out = (cufftHandle)fft_plans().size() - 1;
    return CUFFT_SUCCESS;
}

/* Every step-th of n numbers; root[k] are the `roots`-th roots of unity. */
inline void fft_line(const fft_number *in, size_t step, fft_number *out, size_t n, const std::vector<fft_number> &root) {
    size_t p = 2;
    if (n == 1) *out = *in;
    if (n == 1) return;
    while (n % p != 0) p = p * p > n ? n : p + 1;
    const size_t m = n / p, roots = root.size();
    for (size_t r = 0; r < p; r++) fft_line(in + r * step, step * p, out + r * m, m, root);
    std::vector<fft_number> part(p);
    for (size_t k = 0; k < m; k++) {
        for (size_t r = 0; r < p; r++) part[r] = out[r * m + k] * root[r * k * (roots / n) % roots];
        for (size_t q = 0; q < p; q++) {
            fft_number sum = 0;
            for (size_t r = 0; r < p; r++) sum += part[r] * root[r * q % p * (roots / p)];
            out[q * m + k] = sum;
        }
    }
}
inline void fft_axis(std::vector<fft_number> &data, size_t n, size_t stride, int sign) {
    std::vector<fft_number> root(n), line(n);
    for (size_t k = 0; k < n; k++) root[k] = std::polar(1.0, sign * 2 * 3.14159265358979323846 * (double)k / (double)n);
    for (size_t first = 0; first < data.size(); first += first % stride == stride - 1 ? (n - 1) * stride + 1 : 1) {
        fft_line(&data[first], stride, line.data(), n, root);
        for (size_t k = 0; k < n; k++) data[first + k * stride] = line[k];
    }
}

template <class Part> fft_number fft_read(const Part &x) { return fft_number(x); }
inline fft_number fft_read(const cufftComplex &x) { return fft_number(x.x, x.y); }
inline fft_number fft_read(const cufftDoubleComplex &x) { return fft_number(x.x, x.y); }
template <class Part> void fft_write(Part &to, fft_number x) { to = (Part)x.real(); }
inline void fft_write(cufftComplex &to, fft_number x) { to = make_float2((float)x.real(), (float)x.imag()); }
inline void fft_write(cufftDoubleComplex &to, fft_number x) { to = make_double2(x.real(), x.imag()); }

/* Calls do(at, number in order) for each place of a shape. */
template <class Do> void fft_each(const size_t n[3], Do each) {
    size_t at[3], number = 0;
    for (at[0] = 0; at[0] < n[0]; at[0]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[2] = 0; at[2] < n[2]; at[2]++) each(at, number++);
}
template <class T> bool fft_holds(const T *start, const fft_layout &as, const size_t n[3], size_t batches) {
    const size_t last[] = {n[0] - 1, n[1] - 1, n[2] - 1};
    return riffle_lint_host.holds(start, (as.place(batches - 1, last) + 1) * sizeof *start) != 0;
}

template <class In, class Out> cufftResult fft(cufftHandle handle, cufftType type, const In *in, Out *out, int sign) {
    const fft_plan *plan = fft_plan_of(handle);
    if (plan == nullptr || plan->batches == 0 || plan->type != type) return CUFFT_INVALID_PLAN;
    const bool halves_out = type == CUFFT_R2C || type == CUFFT_D2Z, halves_in = type == CUFFT_C2R || type == CUFFT_Z2D;
    const size_t *n = plan->n, half = n[2] / 2 + 1;
    const size_t given[] = {n[0], n[1], halves_in ? half : n[2]}, taken[] = {n[0], n[1], halves_out ? half : n[2]};
    fft_layout from = plan->in, to = plan->out;
    if (plan->packed && (const void *)in == (const void *)out) { /* rows of reals have room for their transform */
        fft_layout &real = halves_out ? from : to;
        if (halves_out || halves_in) real.extent[2] = 2 * half;
        if (halves_out || halves_in) real.distance = n[0] * n[1] * 2 * half;
    }
    if (!fft_holds(in, from, given, plan->batches) || !fft_holds(out, to, taken, plan->batches)) return CUFFT_EXEC_FAILED;
    std::vector<fft_number> data(n[0] * n[1] * n[2]);
    for (size_t batch = 0; batch < plan->batches; batch++) {
        fft_each(n, [&](const size_t at[3], size_t number) {
            const size_t other[] = {(n[0] - at[0]) % n[0], (n[1] - at[1]) % n[1], n[2] - at[2]};
            const bool folds = at[2] >= given[2];
            const fft_number x = fft_read(in[from.place(batch, folds ? other : at)]);
            data[number] = folds ? std::conj(x) : x;
        });
        fft_axis(data, n[2], 1, sign);
        fft_axis(data, n[1], n[2], sign);
        fft_axis(data, n[0], n[1] * n[2], sign);
        fft_each(taken, [&](const size_t at[3], size_t) {
            Out &one = out[to.place(batch, at)];
            fft_write(one, data[(at[0] * n[1] + at[1]) * n[2] + at[2]]);
            riffle_lint_host.written(&one, sizeof one);
        });
    }
    return CUFFT_SUCCESS;
}

inline fft_layout fft_layout_of(int rank, const size_t n[3], const int *embed, int stride, int distance, bool halves) {
    const size_t last = halves ? n[2] / 2 + 1 : n[2];
    if (embed == nullptr) return {{n[0], n[1], last}, 1, n[0] * n[1] * last};
    fft_layout as = {{1, 1, 1}, (size_t)stride, (size_t)distance};
    for (int k = 0; k < rank; k++) as.extent[3 - rank + k] = (size_t)embed[k];
    return as;
}
} // namespace riffle_lint

inline cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist,
                                     cufftType type, int batch, size_t *work) {
    riffle_lint::fft_plan *plan = riffle_lint::fft_plan_of(handle);
    if (plan == nullptr) return CUFFT_INVALID_PLAN;
    if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_VALUE;
    *plan = {type, {1, 1, 1}, (size_t)batch, inembed == nullptr || onembed == nullptr, {}, {}};
    for (int k = 0; k < rank; k++) {
        if (n[k] < 1) return CUFFT_INVALID_SIZE;
        plan->n[3 - rank + k] = (size_t)n[k];
    }
    const bool packed = plan->packed;
    plan->in = riffle_lint::fft_layout_of(rank, plan->n, packed ? nullptr : inembed, istride, idist, type == CUFFT_C2R || type == CUFFT_Z2D);
    plan->out = riffle_lint::fft_layout_of(rank, plan->n, packed ? nullptr : onembed, ostride, odist, type == CUFFT_R2C || type == CUFFT_D2Z);
    if (work != nullptr) *work = 0;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work) {
    return cufftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work) {
    int n[] = {nx, ny};
    return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work) {
    int n[] = {nx, ny, nz};
    return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
inline cufftResult cufftCreate(cufftHandle *out) { return riffle_lint::fft_create(out); }
inline cufftResult cufftDestroy(cufftHandle plan) {
    if (riffle_lint::fft_plan_of(plan) == nullptr) return CUFFT_INVALID_PLAN;
    riffle_lint::fft_plans()[(size_t)plan].reset();
    return CUFFT_SUCCESS;
}
inline cufftResult cufftPlan1d(cufftHandle *out, int nx, cufftType type, int batch) {
    riffle_lint::fft_create(out);
    return cufftMakePlan1d(*out, nx, type, batch, nullptr);
}
inline cufftResult cufftPlan2d(cufftHandle *out, int nx, int ny, cufftType type) {
    riffle_lint::fft_create(out);
    return cufftMakePlan2d(*out, nx, ny, type, nullptr);
}
inline cufftResult cufftPlan3d(cufftHandle *out, int nx, int ny, int nz, cufftType type) {
    riffle_lint::fft_create(out);
    return cufftMakePlan3d(*out, nx, ny, nz, type, nullptr);
}
inline cufftResult cufftPlanMany(cufftHandle *out, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType type,
                                 int batch) {
    riffle_lint::fft_create(out);
    return cufftMakePlanMany(*out, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int sign) { return riffle_lint::fft(plan, CUFFT_C2C, in, out, sign); }
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) { return riffle_lint::fft(plan, CUFFT_R2C, in, out, CUFFT_FORWARD); }
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) { return riffle_lint::fft(plan, CUFFT_C2R, in, out, CUFFT_INVERSE); }
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int sign) {
    return riffle_lint::fft(plan, CUFFT_Z2Z, in, out, sign);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) {
    return riffle_lint::fft(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) {
    return riffle_lint::fft(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
inline cufftResult cufftSetStream(cufftHandle, cudaStream_t) { return CUFFT_SUCCESS; }
inline cufftResult cufftSetAutoAllocation(cufftHandle, int) { return CUFFT_SUCCESS; }
inline cufftResult cufftSetWorkArea(cufftHandle, void *) { return CUFFT_SUCCESS; }
inline cufftResult cufftGetSize(cufftHandle, size_t *out) {
    *out = 0;
    return CUFFT_SUCCESS;
}
/* No transform wants memory besides. */
inline cufftResult cufftGetSize1d(cufftHandle plan, int, cufftType, int, size_t *out) { return cufftGetSize(plan, out); }
inline cufftResult cufftGetSize2d(cufftHandle plan, int, int, cufftType, size_t *out) { return cufftGetSize(plan, out); }
inline cufftResult cufftGetSize3d(cufftHandle plan, int, int, int, cufftType, size_t *out) { return cufftGetSize(plan, out); }
inline cufftResult cufftGetSizeMany(cufftHandle plan, int, int *, int *, int, int, int *, int, int, cufftType, int, size_t *out) { return cufftGetSize(plan, out); }
inline cufftResult cufftEstimate1d(int, cufftType, int, size_t *out) { return cufftGetSize(0, out); }
inline cufftResult cufftEstimate2d(int, int, cufftType, size_t *out) { return cufftGetSize(0, out); }
inline cufftResult cufftEstimate3d(int, int, int, cufftType, size_t *out) { return cufftGetSize(0, out); }
inline cufftResult cufftEstimateMany(int, int *, int *, int, int, int *, int, int, cufftType, int, size_t *out) { return cufftGetSize(0, out); }
inline cufftResult cufftGetVersion(int *out) {
    *out = CUDART_VERSION;
    return CUFFT_SUCCESS;
}

#define RIFFLE_NO_CUFFT(name) RIFFLE_NOT_SUPPLIED(cufftResult, name, #name ": not supplied of cuFFT", CUFFT_NOT_SUPPORTED)
RIFFLE_NO_CUFFT(cufftMakePlanMany64)
RIFFLE_NO_CUFFT(cufftGetSizeMany64)
RIFFLE_NO_CUFFT(cufftSetPlanPropertyInt64)
RIFFLE_NO_CUFFT(cufftGetPlanPropertyInt64)
RIFFLE_NO_CUFFT(cufftResetPlanProperty)
RIFFLE_NO_CUFFT(cufftXtSetGPUs)
RIFFLE_NO_CUFFT(cufftXtMalloc)
RIFFLE_NO_CUFFT(cufftXtMemcpy)
RIFFLE_NO_CUFFT(cufftXtFree)
RIFFLE_NO_CUFFT(cufftXtSetCallback)
RIFFLE_NO_CUFFT(cufftXtClearCallback)
RIFFLE_NO_CUFFT(cufftXtMakePlanMany)
RIFFLE_NO_CUFFT(cufftXtExec)
RIFFLE_NO_CUFFT(cufftXtExecDescriptor)
RIFFLE_NO_CUFFT(cufftXtExecDescriptorC2C)
RIFFLE_NO_CUFFT(cufftXtExecDescriptorR2C)
RIFFLE_NO_CUFFT(cufftXtExecDescriptorC2R)
RIFFLE_NO_CUFFT(cufftXtQueryPlan)
#undef RIFFLE_NO_CUFFT

#endif
