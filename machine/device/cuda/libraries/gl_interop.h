/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's names for OpenGL's buffers and images, so that programs with them compile. The machine has no display: each call that wants OpenGL is refused.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_GL_INTEROP_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_GL_INTEROP_H

#include "device.h"

#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned GLuint, GLenum;
#endif

typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8,
};
enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard };
enum cudaGLMapFlags { cudaGLMapFlagsNone, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame, cudaGLDeviceListNextFrame };

#define RIFFLE_NO_GL(name, parameters)                                                                         \
    RIFFLE_CALL cudaError_t name parameters { return riffle_lint::refuse(cudaErrorNotSupported, #name, "the machine has no OpenGL", RIFFLE_SITE); }
RIFFLE_NO_GL(cudaGLGetDevices, (unsigned *, int *, unsigned, cudaGLDeviceList))
RIFFLE_NO_GL(cudaGraphicsGLRegisterBuffer, (cudaGraphicsResource **, GLuint, unsigned))
RIFFLE_NO_GL(cudaGraphicsGLRegisterImage, (cudaGraphicsResource **, GLuint, GLenum, unsigned))
RIFFLE_NO_GL(cudaGraphicsUnregisterResource, (cudaGraphicsResource_t))
RIFFLE_NO_GL(cudaGraphicsMapResources, (int, cudaGraphicsResource_t *, cudaStream_t = 0))
RIFFLE_NO_GL(cudaGraphicsUnmapResources, (int, cudaGraphicsResource_t *, cudaStream_t = 0))
RIFFLE_NO_GL(cudaGraphicsResourceSetMapFlags, (cudaGraphicsResource_t, unsigned))
RIFFLE_NO_GL(cudaGraphicsSubResourceGetMappedArray, (cudaArray_t *, cudaGraphicsResource_t, unsigned, unsigned))
RIFFLE_NO_GL(cudaGLRegisterBufferObject, (GLuint))
RIFFLE_NO_GL(cudaGLUnregisterBufferObject, (GLuint))
RIFFLE_NO_GL(cudaGLUnmapBufferObject, (GLuint))
RIFFLE_NO_GL(cudaGLSetBufferObjectMapFlags, (GLuint, unsigned))
#undef RIFFLE_NO_GL
template <class T> __attribute__((noinline)) cudaError_t cudaGLMapBufferObject(T **, GLuint) {
    return riffle_lint::refuse(cudaErrorNotSupported, "cudaGLMapBufferObject", "the machine has no OpenGL", RIFFLE_SITE);
}
template <class T> __attribute__((noinline)) cudaError_t cudaGraphicsResourceGetMappedPointer(T **, size_t *, cudaGraphicsResource_t) {
    return riffle_lint::refuse(cudaErrorNotSupported, "cudaGraphicsResourceGetMappedPointer", "the machine has no OpenGL", RIFFLE_SITE);
}
inline cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }

#endif
