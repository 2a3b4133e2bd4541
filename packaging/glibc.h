/* SPDX-License-Identifier: Apache-2.0
 *
 * For gcc's -include, in packages for systems older than the one they are built on: the functions of libm that glibc 2.29 gave new
 * versions, which set errno no more, by their old ones. All else that riffle uses is in glibc 2.28 (packaging/sysroot.sh).
 */
#ifdef __x86_64__
__asm__(".symver exp, exp@GLIBC_2.2.5");
__asm__(".symver exp2, exp2@GLIBC_2.2.5");
__asm__(".symver log, log@GLIBC_2.2.5");
__asm__(".symver log2, log2@GLIBC_2.2.5");
__asm__(".symver pow, pow@GLIBC_2.2.5");
#endif
#ifdef __aarch64__
__asm__(".symver exp, exp@GLIBC_2.17");
__asm__(".symver exp2, exp2@GLIBC_2.17");
__asm__(".symver log, log@GLIBC_2.17");
__asm__(".symver log2, log2@GLIBC_2.17");
__asm__(".symver pow, pow@GLIBC_2.17");
#endif
