/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, textures and surfaces. An array lies in rows, as an allocation does, so a fetch is an access to the texel's bytes: the
 * machine counts the sectors of these. (A GPU lays arrays out in tiles of its own, which nobody has described.) A linear fetch
 * reads the 2, 4 or 8 texels around it.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_TEXTURES_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_TEXTURES_H

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone,
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D,
};
enum {
    cudaArrayDefault = 0,
    cudaArrayLayered = 1,
    cudaArraySurfaceLoadStore = 2,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8,
};
enum { cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3, cudaTextureType1DLayered = 0xf1, cudaTextureType2DLayered = 0xf2 };
enum { cudaSurfaceType1D = 1, cudaSurfaceType2D = 2, cudaSurfaceType3D = 3 };

struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

namespace riffle_lint {
/* The numbers that a texel has: how many, and of which type. */
template <class T> struct texel {
    typedef T number;
    static constexpr int count = 1;
};
#define RIFFLE_TEXEL(name, type)                                                                               \
    template <> struct texel<name##1> { typedef type number; static constexpr int count = 1; };                \
    template <> struct texel<name##2> { typedef type number; static constexpr int count = 2; };                \
    template <> struct texel<name##3> { typedef type number; static constexpr int count = 3; };                \
    template <> struct texel<name##4> { typedef type number; static constexpr int count = 4; };
RIFFLE_TEXEL(char, signed char)
RIFFLE_TEXEL(uchar, unsigned char)
RIFFLE_TEXEL(short, short)
RIFFLE_TEXEL(ushort, unsigned short)
RIFFLE_TEXEL(int, int)
RIFFLE_TEXEL(uint, unsigned)
RIFFLE_TEXEL(float, float)
#undef RIFFLE_TEXEL

template <class T> constexpr cudaChannelFormatDesc format_of() {
    typedef typename texel<T>::number number;
    constexpr int bits = 8 * sizeof(number), count = texel<T>::count;
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            std::is_floating_point<number>::value ? cudaChannelFormatKindFloat
            : std::is_signed<number>::value       ? cudaChannelFormatKindSigned
                                                  : cudaChannelFormatKindUnsigned};
}
inline size_t texel_bytes(const cudaChannelFormatDesc &d) { return (size_t)(d.x + d.y + d.z + d.w) / 8; }
} // namespace riffle_lint
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { return riffle_lint::format_of<T>(); }

/* A width, height and depth of 0 is a dimension that the array has not. */
struct cudaArray {
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
    char *start;
    size_t pitch() const { return extent.width * riffle_lint::texel_bytes(format); }
    size_t rows() const { return extent.height > 0 ? extent.height : 1; }
    size_t slice() const { return pitch() * rows(); }
    riffle_lint::box_side at(size_t byte, size_t y, size_t z) const { return {start + z * slice() + y * pitch() + byte, pitch(), slice()}; }
};
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

inline cudaError_t cudaMalloc3DArray(cudaArray_t *out, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags = 0) {
    cudaArray *one = new cudaArray{*format, extent, flags, nullptr};
    const size_t depth = extent.depth > 0 ? extent.depth : 1;
    const cudaError_t error = riffle_lint::allocate((void **)&one->start, one->slice() * depth, false);
    if (error != cudaSuccess) return error;
    *out = one;
    return cudaSuccess;
}
inline cudaError_t cudaMallocArray(cudaArray_t *out, const cudaChannelFormatDesc *format, size_t width, size_t height = 0,
                                   unsigned flags = 0) {
    return cudaMalloc3DArray(out, format, {width, height, 0}, flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    const cudaError_t error = array != nullptr ? riffle_lint::release(array->start) : cudaSuccess;
    delete array;
    return error;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *out, cudaArray_const_t array) {
    *out = array->format;
    return cudaSuccess;
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
    if (format != nullptr) *format = array->format;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
    return cudaSuccess;
}

/* Bytes of `to` from its byte x on, row by row. */
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind) {
    return riffle_lint::copy(to->at(x, y, 0).start, from, bytes);
}
inline cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t = 0) {
    return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}
inline cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, cudaMemcpyKind) {
    return riffle_lint::copy(to, from->at(x, y, 0).start, bytes);
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                       size_t height, cudaMemcpyKind) {
    return riffle_lint::copy_box(to->at(x, y, 0), {(char *)from, pitch, 0}, {width, height, 1});
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                            size_t height, cudaMemcpyKind kind, cudaStream_t = 0) {
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                         size_t height, cudaMemcpyKind) {
    return riffle_lint::copy_box({(char *)to, pitch, 0}, from->at(x, y, 0), {width, height, 1});
}

namespace riffle_lint {
/* A copy's extent is in texels if an array takes part, else in bytes. */
inline box_side side_of(cudaArray_t array, const cudaPos &at, const cudaPitchedPtr &p) {
    if (array != nullptr) return array->at(at.x * texel_bytes(array->format), at.y, at.z);
    return {(char *)p.ptr + at.x + at.y * p.pitch + at.z * p.pitch * p.ysize, p.pitch, p.pitch * p.ysize};
}
inline cudaError_t copy_3d(const cudaMemcpy3DParms &p) {
    const cudaArray_t array = p.srcArray != nullptr ? p.srcArray : p.dstArray;
    const size_t unit = array != nullptr ? texel_bytes(array->format) : 1;
    return copy_box(side_of(p.dstArray, p.dstPos, p.dstPtr), side_of(p.srcArray, p.srcPos, p.srcPtr),
                    {p.extent.width * unit, p.extent.height, p.extent.depth});
}
} // namespace riffle_lint
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p) { return riffle_lint::copy_3d(*p); }
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t = 0) { return riffle_lint::copy_3d(*p); }
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *, size_t,
                                          const cudaMemcpy3DParms *p) {
    return riffle_lint::add_captured(out, graph, [p] { return riffle_lint::copy_3d(*p); });
}

/* ---- what a texture or a surface is */

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
};
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

/* A texture reference's settings, as CUDA before 12 declares textures. */
struct textureReference {
    int normalized = 0;
    cudaTextureFilterMode filterMode = cudaFilterModePoint;
    cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
    cudaChannelFormatDesc channelDesc = {};
    cudaResourceDesc riffle_bound = {};
};
template <class T, int DIMENSIONS = cudaTextureType1D, cudaTextureReadMode MODE = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized_ = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp) {
        normalized = normalized_;
        filterMode = filter;
        for (cudaTextureAddressMode &one : addressMode) one = address;
        channelDesc = riffle_lint::format_of<T>();
    }
};
struct surfaceReference {
    cudaArray_t riffle_bound = nullptr;
};
template <class T, int DIMENSIONS = 1> struct surface : surfaceReference {};

namespace riffle_lint {
#define RIFFLE_FETCH RIFFLE_INLINE __attribute__((no_sanitize_thread))

/* Texels in rows, from either kind of texture. */
struct texels {
    const char *start;
    size_t pitch, slice;
    long long extent[3];
    cudaChannelFormatDesc format;
};
RIFFLE_FETCH texels texels_of(const cudaArray *a) {
    const size_t pitch = a->extent.width * (size_t)((a->format.x + a->format.y + a->format.z + a->format.w) / 8);
    const size_t rows = a->extent.height > 0 ? a->extent.height : 1;
    return {a->start, pitch, pitch * rows, {(long long)a->extent.width, (long long)rows, (long long)(a->extent.depth > 0 ? a->extent.depth : 1)}, a->format};
}
RIFFLE_FETCH texels texels_of(const cudaResourceDesc &r) {
    if (r.resType == cudaResourceTypeArray) return texels_of(r.res.array.array);
    if (r.resType == cudaResourceTypePitch2D) {
        const auto &p = r.res.pitch2D;
        return {(const char *)p.devPtr, p.pitchInBytes, 0, {(long long)p.width, (long long)p.height, 1}, p.desc};
    }
    const auto &l = r.res.linear;
    const long long bytes = (l.desc.x + l.desc.y + l.desc.z + l.desc.w) / 8;
    return {(const char *)l.devPtr, 0, 0, {bytes > 0 ? (long long)l.sizeInBytes / bytes : 0, 1, 1}, l.desc};
}

struct sampler {
    texels from;
    cudaTextureAddressMode address[3];
    cudaTextureFilterMode filter;
    bool normalized, as_float;
};
struct texture_object {
    cudaResourceDesc resource;
    cudaTextureDesc how;
};
RIFFLE_FETCH sampler sampler_of(cudaTextureObject_t t, bool) {
    const texture_object &o = *reinterpret_cast<const texture_object *>(t);
    return {texels_of(o.resource), {o.how.addressMode[0], o.how.addressMode[1], o.how.addressMode[2]}, o.how.filterMode,
            o.how.normalizedCoords != 0, o.how.readMode == cudaReadModeNormalizedFloat};
}
RIFFLE_FETCH sampler sampler_of(const textureReference &t, bool as_float) {
    return {texels_of(t.riffle_bound), {t.addressMode[0], t.addressMode[1], t.addressMode[2]}, t.filterMode, t.normalized != 0,
            as_float};
}

/* The texel that an index outside means; -1 for none. */
RIFFLE_FETCH long long place(long long i, long long n, cudaTextureAddressMode mode) {
    if (i >= 0 && i < n) return i;
    if (n <= 0 || mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeClamp) return i < 0 ? 0 : n - 1;
    const long long turn = mode == cudaAddressModeMirror ? 2 * n : n;
    const long long at = ((i % turn) + turn) % turn;
    return at < n ? at : turn - 1 - at;
}
RIFFLE_FETCH float number_at(const char *at, const cudaChannelFormatDesc &d, bool scaled) {
    if (d.f == cudaChannelFormatKindFloat) {
        float x = 0;
        __builtin_memcpy(&x, at, sizeof x);
        return x;
    }
    long long x = 0;
    const unsigned bits = (unsigned)d.x;
    __builtin_memcpy(&x, at, bits / 8);
    if (d.f == cudaChannelFormatKindSigned && bits < 64) x = (long long)((unsigned long long)x << (64 - bits)) >> (64 - bits);
    if (!scaled) return (float)x;
    const double most = d.f == cudaChannelFormatKindSigned ? (double)((1ull << (bits - 1)) - 1) : (double)((1ull << bits) - 1);
    return (float)((double)x / most);
}

/* The texel's numbers as T has them. */
template <class T> RIFFLE_FETCH T fetch_texel(const sampler &s, long long x, long long y, long long z, const void *site) {
    typedef typename texel<T>::number number;
    T out;
    __builtin_memset(static_cast<void *>(&out), 0, sizeof out);
    x = place(x, s.from.extent[0], s.address[0]);
    y = place(y, s.from.extent[1], s.address[1]);
    z = place(z, s.from.extent[2], s.address[2]);
    if (x < 0 || y < 0 || z < 0 || s.from.start == nullptr) return out;
    const cudaChannelFormatDesc &d = s.from.format;
    const int bytes = (d.x + d.y + d.z + d.w) / 8, each = d.x / 8;
    const char *at = s.from.start + (size_t)z * s.from.slice + (size_t)y * s.from.pitch + (size_t)x * (size_t)bytes;
    riffle_lint_access(at, (unsigned long)bytes, MACHINE_READ, site);
    number *to = reinterpret_cast<number *>(&out);
    for (int k = 0; k < texel<T>::count && k * each < bytes; k++) {
        if constexpr (std::is_floating_point<number>::value)
            to[k] = number_at(at + k * each, d, s.as_float);
        else
            __builtin_memcpy(&to[k], at + k * each, sizeof to[k]);
    }
    return out;
}

/* Between the texels around it: positions and weights of each dimension. */
template <int N, class T> RIFFLE_FETCH T fetch(const sampler &s, float x, float y, float z, const void *site) {
    typedef typename texel<T>::number number;
    const float given[3] = {x, y, z};
    float at[3];
    for (int k = 0; k < 3; k++) at[k] = s.normalized && k < N ? given[k] * (float)s.from.extent[k] : given[k];
    if constexpr (std::is_floating_point<number>::value) {
        if (s.filter == cudaFilterModeLinear) {
            long long low[3] = {(long long)at[0], (long long)at[1], (long long)at[2]};
            float part[3] = {0, 0, 0};
            for (int k = 0; k < N; k++) {
                low[k] = (long long)floorf(at[k] - 0.5f);
                part[k] = at[k] - 0.5f - (float)low[k];
            }
            T sum;
            __builtin_memset(static_cast<void *>(&sum), 0, sizeof sum);
            for (int corner = 0; corner < 1 << N; corner++) {
                float weight = 1;
                long long p[3] = {low[0], low[1], low[2]};
                for (int k = 0; k < N; k++) {
                    const int up = corner >> k & 1;
                    p[k] += up;
                    weight *= up ? part[k] : 1 - part[k];
                }
                if (weight == 0) continue; /* which tells nothing of the texel */
                const T one = fetch_texel<T>(s, p[0], p[1], p[2], site);
                number *to = reinterpret_cast<number *>(&sum);
                const number *from = reinterpret_cast<const number *>(&one);
                for (int k = 0; k < texel<T>::count; k++) to[k] += weight * from[k];
            }
            return sum;
        }
    }
    long long p[3];
    for (int k = 0; k < 3; k++) p[k] = (long long)floorf(at[k]);
    return fetch_texel<T>(s, p[0], p[1], p[2], site);
}

/* The type that a fetch from texture<T, N, MODE> gives. */
template <class T, cudaTextureReadMode MODE> struct fetched {
    typedef T type;
};
#define RIFFLE_FETCHED(from, to)                                                                               \
    template <> struct fetched<from, cudaReadModeNormalizedFloat> { typedef to type; };
#define RIFFLE_FETCHED_ALL(name, scalar)                                                                       \
    RIFFLE_FETCHED(scalar, float)                                                                              \
    RIFFLE_FETCHED(name##1, float1) RIFFLE_FETCHED(name##2, float2) RIFFLE_FETCHED(name##4, float4)
RIFFLE_FETCHED_ALL(char, signed char)
RIFFLE_FETCHED_ALL(uchar, unsigned char)
RIFFLE_FETCHED_ALL(short, short)
RIFFLE_FETCHED_ALL(ushort, unsigned short)
#undef RIFFLE_FETCHED_ALL
#undef RIFFLE_FETCHED
} // namespace riffle_lint

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const cudaResourceDesc *resource, const cudaTextureDesc *how,
                                           const cudaResourceViewDesc *) {
    if (resource->resType == cudaResourceTypeMipmappedArray) return riffle_lint::note(cudaErrorNotSupported);
    *out = reinterpret_cast<cudaTextureObject_t>(new riffle_lint::texture_object{*resource, *how});
    return cudaSuccess;
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    delete reinterpret_cast<riffle_lint::texture_object *>(object);
    return cudaSuccess;
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const cudaResourceDesc *resource) {
    if (resource->resType != cudaResourceTypeArray) return riffle_lint::note(cudaErrorInvalidValue);
    *out = reinterpret_cast<cudaSurfaceObject_t>(resource->res.array.array);
    return cudaSuccess;
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }

inline cudaError_t cudaBindTexture(size_t *offset, textureReference &t, const void *start, const cudaChannelFormatDesc &format,
                                   size_t bytes = 0xffffffff) {
    if (offset != nullptr) *offset = 0;
    t.riffle_bound.resType = cudaResourceTypeLinear;
    t.riffle_bound.res.linear.devPtr = const_cast<void *>(start);
    t.riffle_bound.res.linear.desc = format;
    t.riffle_bound.res.linear.sizeInBytes = bytes;
    return cudaSuccess;
}
inline cudaError_t cudaBindTexture(size_t *offset, textureReference &t, const void *start, size_t bytes = 0xffffffff) {
    return cudaBindTexture(offset, t, start, t.channelDesc, bytes);
}
inline cudaError_t cudaBindTexture2D(size_t *offset, textureReference &t, const void *start, const cudaChannelFormatDesc &format,
                                     size_t width, size_t height, size_t pitch) {
    if (offset != nullptr) *offset = 0;
    t.riffle_bound.resType = cudaResourceTypePitch2D;
    t.riffle_bound.res.pitch2D.devPtr = const_cast<void *>(start);
    t.riffle_bound.res.pitch2D.desc = format;
    t.riffle_bound.res.pitch2D.width = width;
    t.riffle_bound.res.pitch2D.height = height;
    t.riffle_bound.res.pitch2D.pitchInBytes = pitch;
    return cudaSuccess;
}
inline cudaError_t cudaBindTexture2D(size_t *offset, textureReference &t, const void *start, size_t width, size_t height,
                                     size_t pitch) {
    return cudaBindTexture2D(offset, t, start, t.channelDesc, width, height, pitch);
}
inline cudaError_t cudaBindTextureToArray(textureReference &t, cudaArray_const_t array) {
    t.riffle_bound.resType = cudaResourceTypeArray;
    t.riffle_bound.res.array.array = const_cast<cudaArray_t>(array);
    return cudaSuccess;
}
inline cudaError_t cudaBindTextureToArray(textureReference &t, cudaArray_const_t array, const cudaChannelFormatDesc &) {
    return cudaBindTextureToArray(t, array);
}
inline cudaError_t cudaUnbindTexture(textureReference &t) {
    t.riffle_bound = {};
    return cudaSuccess;
}
inline cudaError_t cudaBindSurfaceToArray(surfaceReference &s, cudaArray_const_t array) {
    s.riffle_bound = const_cast<cudaArray_t>(array);
    return cudaSuccess;
}
inline cudaError_t cudaBindSurfaceToArray(surfaceReference &s, cudaArray_const_t array, const cudaChannelFormatDesc &) {
    return cudaBindSurfaceToArray(s, array);
}

#include "fetches.h"

/* ---- surfaces: x in bytes */

namespace riffle_lint {
RIFFLE_FETCH const cudaArray *surface_of(cudaSurfaceObject_t s) { return reinterpret_cast<const cudaArray *>(s); }
RIFFLE_FETCH const cudaArray *surface_of(const surfaceReference &s) { return s.riffle_bound; }
template <class T> RIFFLE_FETCH char *surface_place(const cudaArray *array, long long x, long long y, long long z, cudaSurfaceBoundaryMode mode) {
    const texels from = texels_of(array);
    const long long width = (long long)from.pitch, each = (long long)sizeof(T);
    if (mode == cudaBoundaryModeClamp) {
        x = x < 0 ? 0 : x > width - each ? width - each : x;
        y = place(y, from.extent[1], cudaAddressModeClamp);
        z = place(z, from.extent[2], cudaAddressModeClamp);
    }
    const bool inside = x >= 0 && x <= width - each && y >= 0 && y < from.extent[1] && z >= 0 && z < from.extent[2];
    if (!inside && mode == cudaBoundaryModeTrap) {
        fprintf(stderr, "riffle: a surface has been accessed outside, which ends a kernel\n");
        abort();
    }
    return inside ? const_cast<char *>(from.start) + (size_t)z * from.slice + (size_t)y * from.pitch + (size_t)x : nullptr;
}
template <class T> RIFFLE_FETCH T surface_read(const cudaArray *array, long long x, long long y, long long z,
                                               cudaSurfaceBoundaryMode mode, const void *site) {
    T out;
    __builtin_memset(static_cast<void *>(&out), 0, sizeof out);
    const char *at = surface_place<T>(array, x, y, z, mode);
    if (at == nullptr) return out;
    riffle_lint_access(at, sizeof out, MACHINE_READ, site);
    __builtin_memcpy(static_cast<void *>(&out), at, sizeof out);
    return out;
}
template <class T> RIFFLE_FETCH void surface_write(T value, const cudaArray *array, long long x, long long y, long long z,
                                                   cudaSurfaceBoundaryMode mode, const void *site) {
    char *at = surface_place<T>(array, x, y, z, mode);
    if (at == nullptr) return;
    riffle_lint_access(at, sizeof value, MACHINE_WRITE, site);
    __builtin_memcpy(at, static_cast<const void *>(&value), sizeof value);
}
} // namespace riffle_lint

#define RIFFLE_SURFACE_FUNCTIONS(name, y_, z_, ...)                                                            \
    template <class T, class Surface>                                                                          \
    RIFFLE_DEVICE T name##read(const Surface &s, int x, ##__VA_ARGS__,                                         \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                          \
        return riffle_lint::surface_read<T>(riffle_lint::surface_of(s), x, y_, z_, mode, RIFFLE_SITE);         \
    }                                                                                                          \
    template <class T, class Surface>                                                                          \
    RIFFLE_DEVICE void name##read(T *out, const Surface &s, int x, ##__VA_ARGS__,                              \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
        *out = riffle_lint::surface_read<T>(riffle_lint::surface_of(s), x, y_, z_, mode, RIFFLE_SITE);         \
    }                                                                                                          \
    template <class T, class Surface>                                                                          \
    RIFFLE_DEVICE void name##write(T value, const Surface &s, int x, ##__VA_ARGS__,                            \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
        riffle_lint::surface_write<T>(value, riffle_lint::surface_of(s), x, y_, z_, mode, RIFFLE_SITE);        \
    }
RIFFLE_SURFACE_FUNCTIONS(surf1D, 0, 0)
RIFFLE_SURFACE_FUNCTIONS(surf2D, y, 0, int y)
RIFFLE_SURFACE_FUNCTIONS(surf3D, y, z, int y, int z)
RIFFLE_SURFACE_FUNCTIONS(surf1DLayered, 0, layer, int layer)
RIFFLE_SURFACE_FUNCTIONS(surf2DLayered, y, layer, int y, int layer)
#undef RIFFLE_SURFACE_FUNCTIONS

#endif
