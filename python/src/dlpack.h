// SPDX-License-Identifier: Apache-2.0
//
// The part of DLPack's C interface that arrays are read by (dmlc.github.io/dlpack): what capsules have, version 0.8, and the
// table of functions that a type of arrays has as __dlpack_c_exchange_api__, version 1.3.
#pragma once
#include <cstdint>

namespace dlpack {

enum device_type : int32_t { host = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

enum element_code : uint8_t { real = 2, complex = 5 };

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

struct exchange_header {
    uint32_t major, minor;
    const exchange_header *before; // an older version of the table
};

struct exchange {
    exchange_header header;
    void *allocate, *export_owned, *import_owned; // functions that are not called here
    int (*borrow)(void *object, tensor *out);     // shape and strides are the object's; may be NULL
    int (*current_stream)(int32_t device_type, int32_t device, void **out);
};

} // namespace dlpack
