/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions by which kernels read textures. Part of textures.h.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_FETCHES_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_FETCHES_H

namespace riffle_lint {
/* A direction leads through a face of the cube, at s and t from its middle; m is its distance along the face's axis. */
template <class T> RIFFLE_FETCH T fetch_cube(sampler from, float x, float y, float z, int cube, const void *site) {
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    int face;
    float m, s, t;
    if (ax > ay && ax > az)
        face = x < 0, m = ax, s = x < 0 ? z : -z, t = -y;
    else if (ay > ax && ay > az)
        face = 2 + (y < 0), m = ay, s = x, t = y < 0 ? -z : z;
    else
        face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, t = -y;
    from.normalized = true;
    return fetch<2, T>(from, (s / m + 1) / 2, (t / m + 1) / 2, (float)(6 * cube + face), site);
}

/* One component of the four texels that a linear fetch would be between, the lower row first, from left to right, then the upper from right to left. */
template <class T> RIFFLE_FETCH T gather(const sampler &from, float x, float y, int component, const void *site) {
    typedef typename texel<T>::number number;
    static_assert(texel<T>::count == 4, "four texels are gathered");
    static const int right[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
    if (from.normalized) x *= (float)from.from.extent[0], y *= (float)from.from.extent[1];
    const long long column = (long long)floorf(x - 0.5f), row = (long long)floorf(y - 0.5f);
    T out;
    for (int k = 0; k < 4; k++) {
        const T one = fetch_texel<T>(from, column + right[k], row + down[k], 0, site);
        reinterpret_cast<number *>(&out)[k] = reinterpret_cast<const number *>(&one)[component];
    }
    return out;
}
} // namespace riffle_lint

/* ---- fetches: from an object, which is told the type (or writes it through a pointer), and from a reference, which has it */

#define RIFFLE_TEXTURE_FUNCTION(name, parameters, call)                                                        \
    template <class T> RIFFLE_DEVICE T name parameters(cudaTextureObject_t) {                                  \
        const riffle_lint::sampler s = riffle_lint::sampler_of(t, false);                                      \
        return call(T);                                                                                        \
    }                                                                                                          \
    template <class T> RIFFLE_DEVICE void name parameters(T * out, cudaTextureObject_t) {                      \
        const riffle_lint::sampler s = riffle_lint::sampler_of(t, false);                                      \
        *out = call(T);                                                                                        \
    }                                                                                                          \
    template <class E, int N, cudaTextureReadMode MODE>                                                        \
    RIFFLE_DEVICE typename riffle_lint::fetched<E, MODE>::type name parameters(const texture<E, N, MODE> &) {  \
        typedef typename riffle_lint::fetched<E, MODE>::type T;                                                \
        const riffle_lint::sampler s = riffle_lint::sampler_of(t, MODE == cudaReadModeNormalizedFloat);        \
        return call(T);                                                                                        \
    }

#define RIFFLE_P_I(...) (__VA_ARGS__ t, int i)
#define RIFFLE_C_I(T) riffle_lint::fetch_texel<T>(s, i, 0, 0, RIFFLE_SITE)
RIFFLE_TEXTURE_FUNCTION(tex1Dfetch, RIFFLE_P_I, RIFFLE_C_I)
#define RIFFLE_P_X(...) (__VA_ARGS__ t, float x)
#define RIFFLE_C_X(T) (riffle_lint::fetch<1, T>(s, x, 0, 0, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(tex1D, RIFFLE_P_X, RIFFLE_C_X)
#define RIFFLE_P_XY(...) (__VA_ARGS__ t, float x, float y)
#define RIFFLE_C_XY(T) (riffle_lint::fetch<2, T>(s, x, y, 0, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(tex2D, RIFFLE_P_XY, RIFFLE_C_XY)
#define RIFFLE_P_XYZ(...) (__VA_ARGS__ t, float x, float y, float z)
#define RIFFLE_C_XYZ(T) (riffle_lint::fetch<3, T>(s, x, y, z, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(tex3D, RIFFLE_P_XYZ, RIFFLE_C_XYZ)
#define RIFFLE_P_XL(...) (__VA_ARGS__ t, float x, int layer)
#define RIFFLE_C_XL(T) (riffle_lint::fetch<1, T>(s, x, 0, (float)layer, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(tex1DLayered, RIFFLE_P_XL, RIFFLE_C_XL)
#define RIFFLE_P_XYL(...) (__VA_ARGS__ t, float x, float y, int layer)
#define RIFFLE_C_XYL(T) (riffle_lint::fetch<2, T>(s, x, y, (float)layer, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(tex2DLayered, RIFFLE_P_XYL, RIFFLE_C_XYL)
/* There are no mipmaps: every level of detail is the one there is. */
#define RIFFLE_P_X_LOD(...) (__VA_ARGS__ t, float x, float)
RIFFLE_TEXTURE_FUNCTION(tex1DLod, RIFFLE_P_X_LOD, RIFFLE_C_X)
#define RIFFLE_P_XY_LOD(...) (__VA_ARGS__ t, float x, float y, float)
RIFFLE_TEXTURE_FUNCTION(tex2DLod, RIFFLE_P_XY_LOD, RIFFLE_C_XY)
#define RIFFLE_P_XYZ_LOD(...) (__VA_ARGS__ t, float x, float y, float z, float)
RIFFLE_TEXTURE_FUNCTION(tex3DLod, RIFFLE_P_XYZ_LOD, RIFFLE_C_XYZ)
#define RIFFLE_P_XYL_LOD(...) (__VA_ARGS__ t, float x, float y, int layer, float)
RIFFLE_TEXTURE_FUNCTION(tex2DLayeredLod, RIFFLE_P_XYL_LOD, RIFFLE_C_XYL)
#define RIFFLE_P_XY_GRAD(...) (__VA_ARGS__ t, float x, float y, float2, float2)
RIFFLE_TEXTURE_FUNCTION(tex2DGrad, RIFFLE_P_XY_GRAD, RIFFLE_C_XY)

#define RIFFLE_P_CUBE(...) (__VA_ARGS__ t, float x, float y, float z)
#define RIFFLE_C_CUBE(T) (riffle_lint::fetch_cube<T>(s, x, y, z, 0, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(texCubemap, RIFFLE_P_CUBE, RIFFLE_C_CUBE)
#define RIFFLE_P_CUBES(...) (__VA_ARGS__ t, float x, float y, float z, int layer)
#define RIFFLE_C_CUBES(T) (riffle_lint::fetch_cube<T>(s, x, y, z, layer, RIFFLE_SITE))
RIFFLE_TEXTURE_FUNCTION(texCubemapLayered, RIFFLE_P_CUBES, RIFFLE_C_CUBES)
#undef RIFFLE_TEXTURE_FUNCTION

template <class T> RIFFLE_DEVICE T tex2Dgather(cudaTextureObject_t t, float x, float y, int component = 0) {
    return riffle_lint::gather<T>(riffle_lint::sampler_of(t, false), x, y, component, RIFFLE_SITE);
}
template <class T> RIFFLE_DEVICE void tex2Dgather(T *out, cudaTextureObject_t t, float x, float y, int component = 0) {
    *out = riffle_lint::gather<T>(riffle_lint::sampler_of(t, false), x, y, component, RIFFLE_SITE);
}

#endif
