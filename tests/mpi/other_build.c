/* SPDX-License-Identifier: Apache-2.0
 *
 * The name of another build, which a program of the tests has instead of this one's.
 */
extern const char build_id[];
const char build_id[] = "another build";
