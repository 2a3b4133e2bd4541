// SPDX-License-Identifier: Apache-2.0
//
// The part of DLPack's C interface, version 0.8, that arrays are read by (dmlc.github.io/dlpack).
#pragma once
#include <cstdint>

namespace dlpack {

enum device_type : int32_t { host = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct tensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t rank;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } element;
    int64_t *shape, *strides; // strides in elements; NULL: row-major
    uint64_t byte_offset;
};

struct managed {
    tensor array;
    void *context;
    void (*deleter)(managed *);
};

} // namespace dlpack
