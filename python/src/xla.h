// SPDX-License-Identifier: Apache-2.0
//
// The part of XLA's foreign function interface, versions 0.1 to 0.5, by which JAX calls riffle: buffers in and out, scalar
// attributes, the stream, errors (openxla.org/xla/custom_call). Structures begin with their size and a list of extensions.
#pragma once
#include <cstddef>
#include <cstdint>

namespace xla {

struct extension {
    size_t struct_size;
    int type; // 1: metadata are asked for
    extension *next;
};

struct version {
    size_t struct_size;
    extension *extensions;
    int major, minor;
};

struct error;

struct error_arguments {
    size_t struct_size;
    extension *extensions;
    const char *message;
    int code; // 3: an invalid argument; 13: internal
};

struct stream_arguments {
    size_t struct_size;
    extension *extensions;
    void *context;
    void *stream; // comes back
};

struct interface {
    size_t struct_size;
    extension *extensions;
    version implemented;
    const void *internal;
    error *(*make_error)(error_arguments *);
    void (*unused[3])();
    error *(*get_stream)(stream_arguments *);
};

struct buffer {
    size_t struct_size;
    extension *extensions;
    int type;
    void *data;
    int64_t rank, *dimensions;
};

struct buffers {
    size_t struct_size;
    extension *extensions;
    int64_t count;
    int *kinds;
    buffer **items;
};

struct name {
    const char *text;
    size_t length;
};

struct scalar {
    int type;
    void *value;
};

struct attributes {
    size_t struct_size;
    extension *extensions;
    int64_t count;
    int *kinds;
    name **names;
    void **values;
};

struct call {
    size_t struct_size;
    extension *extensions;
    const interface *api;
    void *context;
    int stage; // 3: execute
    buffers arguments, results;
    attributes with;
};

struct metadata {
    size_t struct_size;
    version written_for;
    uint32_t traits; // 1: the same launches each time, so a graph may have them
};

struct metadata_extension {
    extension base;
    metadata *out;
};

} // namespace xla
