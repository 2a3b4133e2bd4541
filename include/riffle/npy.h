/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  NumPy's .npy files, mapped for reading and written so that the final name never holds half a file.
 *  Format versions 1.0, 2.0 and 3.0; every dtype of a fixed size (structured ones too); C and Fortran
 *  order; 0 to 32 dimensions. */
#ifndef RIFFLE_NPY_H
#define RIFFLE_NPY_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The header of a .npy file. */
typedef struct riffle_npy_header {
    /** The dtype as it stands in the file, a Python literal: "'<f4'", "[('x', '<i8')]". UTF-8 whatever the
     *  file's version. An input's lives until riffle_npy_input_close. */
    const char *descr;
    size_t elem_bytes;               /**< bytes an element, at least 1 */
    bool fortran_order;              /**< true: the first axis is the fastest in memory */
    unsigned rank;                   /**< number of dimensions, 0 for a scalar */
    uint64_t shape[RIFFLE_MAX_RANK]; /**< the first `rank` count */
} riffle_npy_header;

/** A field of a dtype. */
typedef struct riffle_npy_field {
    const char
        *name; /**< in the header's descr, without an end of its own; NULL where the dtype is no structure */
    size_t name_bytes; /**< bytes of the name */
    size_t offset;     /**< where in an element it begins */
    size_t bytes;      /**< bytes of the field */
    char kind;         /**< NumPy's letter: b, i, u, f, c, m, M, S, U or V; P for a structure or a sub-array */
    char order; /**< '<' or '>' for little- or big-endian, '|' where it does not matter, '=': the machine's */
} riffle_npy_field;

/** Writes the first `capacity` fields of the header's dtype to `out`, which may be NULL if that is 0, and to *count how many
 *  there are, without padding. A dtype that is no structure has one field without a name, the whole element. The header is as
 *  riffle_npy_input_header gives it; of another that has no dtype it is RIFFLE_ERROR_INVALID_ARGUMENT. */
RIFFLE_API riffle_status riffle_npy_header_fields(const riffle_npy_header *header, riffle_npy_field *out,
                                                  size_t capacity, size_t *count);

/** An existing .npy file, mapped read-only. */
typedef struct riffle_npy_input riffle_npy_input;

/** Opens and maps a .npy file. RIFFLE_ERROR_IO if it cannot be read or is no regular file; RIFFLE_ERROR_FORMAT,
 *  with the reason, if it is no .npy file, is truncated, has a dtype without fixed size (object) or of no
 *  bytes, or a size that overflows. Bytes after the elements are ignored, as NumPy does. The file must not
 *  shrink while it is open: reading what has gone raises SIGBUS or gives zeros. Replacing it by rename, as
 *  riffle_npy_output_commit does, is harmless. */
RIFFLE_API riffle_status riffle_npy_input_open(const char *path, riffle_npy_input **out);
/** The file's header, valid until riffle_npy_input_close. */
RIFFLE_API const riffle_npy_header *riffle_npy_input_header(const riffle_npy_input *input);
/** Number of elements: the product of the shape. */
RIFFLE_API uint64_t riffle_npy_input_length(const riffle_npy_input *input);
/** The elements in memory order, valid until riffle_npy_input_close. NumPy's files have them at a multiple of 64
 *  bytes, others' perhaps at any address. */
RIFFLE_API const void *riffle_npy_input_data(const riffle_npy_input *input);
/** RIFFLE_ERROR_IO if the file is shorter now than when it was opened. Elements read since then may be zeros:
 *  where the file ends within a page, the rest of that page reads as zeros and raises no SIGBUS. */
RIFFLE_API riffle_status riffle_npy_input_check(const riffle_npy_input *input);
/** Unmaps the file and frees `input`. NULL is allowed. */
RIFFLE_API void riffle_npy_input_close(riffle_npy_input *input);

/** A .npy file being written beside its final name. */
typedef struct riffle_npy_output riffle_npy_output;

/** Makes a file with this header and room for the elements, and maps it. All fields of the header count, and
 *  elem_bytes must be descr's. Until commit the file has the hidden name .NAME.riffle-XXXXXX, in the folder of
 *  `path`; a process that is killed before leaves that one, never one under the final name.
 *
 *  All the space is reserved now: RIFFLE_ERROR_IO if the disk is full, the folder missing, or `path` names a
 *  folder, device or pipe. An existing file under `path` passes on its permissions, owner and group
 *  (riffle_npy_output_changes_owner says where the system does not let it), else umask decides. Where `path` is
 *  a symbolic link, the file that it leads to is the one that is replaced.
 *
 *  `input` may be NULL. Where it is not, `path` must not be that file, under any name or link
 *  (RIFFLE_ERROR_INVALID_ARGUMENT).
 *
 *  *out is set before the hidden file is made. If its room cannot be had, *out is NULL after the file is removed; of what is
 *  refused earlier *out hears nothing. So a signal's handler that looks at *out, NULL at first, finds the hidden file at every moment
 *  (riffle_npy_output_unlink). */
RIFFLE_API riffle_status riffle_npy_output_create(const char *path, const riffle_npy_header *header,
                                                  const riffle_npy_input *input, riffle_npy_output **out);
/** The same for a file that is no array, such as a text: 1 or more bytes, without a header. */
RIFFLE_API riffle_status riffle_npy_output_create_bare(const char *path, size_t bytes,
                                                       const riffle_npy_input *input, riffle_npy_output **out);
/** Where to write the elements, valid until commit or abort; 64-byte aligned, zeroed, and on huge pages where
 *  the file system has them. */
RIFFLE_API void *riffle_npy_output_data(riffle_npy_output *output);
/** The name of the hidden file, for other processes that write elements into it, as snprintf writes it: NUL-terminated and cut to
 *  `capacity`, the full length in *length. Before they do, riffle_npy_output_sync has this process's part on the disk; they sync theirs. */
RIFFLE_API riffle_status riffle_npy_output_hidden(const riffle_npy_output *output, char *buffer,
                                                  size_t capacity, size_t *length);
/** True if the file under the final name belongs to an owner or group that this process may not give to the new
 *  file. Then the new file is the process's own. Root may give any. */
RIFFLE_API bool riffle_npy_output_changes_owner(const riffle_npy_output *output);
/** Syncs the file to disk, and does no more; riffle_npy_output_commit does not do it again. Sync all of several files before the first
 *  one is committed: then a disk that is full or broken is met while all of them are as they were. The data must not be written
 *  afterwards. On failure the file is still to be committed or given up. */
RIFFLE_API riffle_status riffle_npy_output_sync(riffle_npy_output *output);
/** Syncs the file to disk, renames it to its final name, replacing what was there, and syncs the folder;
 *  frees `output` in either case. On failure the hidden file is removed and the final name is untouched. */
RIFFLE_API riffle_status riffle_npy_output_commit(riffle_npy_output *output);
/** Removes the hidden file, and does no more: for a signal's handler that ends the process, where nothing else
 *  is safe. Not after commit or abort. Only riffle_npy_output_abort may follow. */
RIFFLE_API void riffle_npy_output_unlink(const riffle_npy_output *output);
/** Gives the file up: removes it and frees `output`. NULL is allowed. */
RIFFLE_API void riffle_npy_output_abort(riffle_npy_output *output);

#ifdef __cplusplus
}
#endif
#endif
