/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers of processors to CPUID, in the leaves that are asked for. A bare one is a file of
 * https://github.com/InstLatx64/InstLatx64, named beside it. A leaf that is not here answers 0.
 */
#include "base/processor/processor.h"

#define INTEL 0x756e6547, 0x6c65746e, 0x49656e69
#define AMD 0x68747541, 0x444d4163, 0x69746e65
#define HYGON 0x6f677948, 0x656e6975, 0x6e65476e
#define CENTAUR 0x746e6543, 0x736c7561, 0x48727561
#define LEAVES(...)                                                                                            \
    (const cpuid_leaf[]) {                                                                                     \
        __VA_ARGS__, { .number = CPUID_END }                                                                   \
    }

static const processor processors[] = {
    /* GenuineIntel/GenuineIntel00006F6_Conroe_CPUID.txt: a Core 2 Extreme X6800 */
    {"core-2", LEAVES({0x00, 0, {0x0a, INTEL}}, {0x01, 0, {0x000006f6, 0x00020800, 0x0000e3bd, 0xbfebfbff}},
                      {0x02, 0, {0x05b0b101, 0x005657f0, 0x00000000, 0x2cb43049}})},
    /* GenuineIntel/GenuineIntel00106A4_Bloomfield_CPUID.txt: a Core i7-965 */
    {"nehalem", LEAVES({0x00, 0, {0x0b, INTEL}}, {0x01, 0, {0x000106a4, 0x00100800, 0x0098e3bd, 0xbfebfbff}},
                       {0x02, 0, {0x55035a01, 0x00f0b2e4, 0x00000000, 0x09ca212c}})},
    /* GenuineIntel/GenuineIntel00306C3_Haswell_CPUID.txt: a Core i7-4770 */
    {"haswell", LEAVES({0x00, 0, {0x0d, INTEL}}, {0x01, 0, {0x000306c3, 0x00100800, 0x7ffafbff, 0xbfebfbff}},
                       {0x02, 0, {0x76036301, 0x00f0b5ff, 0x00000000, 0x00c10000}},
                       {0x07, 0, {0x00000000, 0x000027ab, 0x00000000, 0x00000000}})},
    /* GenuineIntel/GenuineIntel0050654_SkylakeXeon_CPUID.txt */
    {"skylake", LEAVES({0x00, 0, {0x16, INTEL}}, {0x01, 0, {0x00050654, 0x00400800, 0x7ffefbff, 0xbfebfbff}},
                       {0x02, 0, {0x76036301, 0x00f0b5ff, 0x00000000, 0x00c30000}},
                       {0x07, 0, {0x00000000, 0xd39ffffb, 0x00000008, 0x00000000}})},
    /* GenuineIntel/GenuineIntel0050657_CascadeLakeSP_CPUID1.txt */
    {"cascade-lake",
     LEAVES({0x00, 0, {0x16, INTEL}}, {0x01, 0, {0x00050657, 0x00200800, 0x7ffefbff, 0xbfebfbff}},
            {0x02, 0, {0x76036301, 0x00f0b5ff, 0x00000000, 0x00c30000}},
            {0x07, 0, {0x00000000, 0xd39ffffb, 0x00000808, 0xbc000400}})},
    /* GenuineIntel/GenuineIntel00706E5_IceLakeY_CPUID.txt: a Core i7-1065G7 */
    {"ice-lake", LEAVES({0x00, 0, {0x1b, INTEL}}, {0x01, 0, {0x000706e5, 0x00100800, 0x7ffafbbf, 0xbfebfbff}},
                        {0x02, 0, {0x00feff01, 0x000000f0, 0x00000000, 0x00000000}},
                        {0x07, 0, {0x00000000, 0xf2bf27ef, 0x40405f4e, 0xbc000410}},
                        {0x18, 0, {0x00000007, 0x00000000, 0x00000000, 0x00000000}},
                        {0x18, 1, {0x00000000, 0x00080007, 0x00000001, 0x00004122}},
                        {0x18, 2, {0x00000000, 0x0010000f, 0x00000001, 0x00004125}},
                        {0x18, 3, {0x00000000, 0x00040001, 0x00000010, 0x00004024}},
                        {0x18, 4, {0x00000000, 0x00040006, 0x00000008, 0x00004024}},
                        {0x18, 5, {0x00000000, 0x00080008, 0x00000001, 0x00004124}},
                        {0x18, 6, {0x00000000, 0x00080007, 0x00000080, 0x00004043}},
                        {0x18, 7, {0x00000000, 0x00080009, 0x00000080, 0x00004043}})},
    /* GenuineIntel/GenuineIntel00A0671_RocketLake_01_CPUID.txt: a Core i9-11900K */
    {"rocket-lake",
     LEAVES({0x00, 0, {0x1b, INTEL}}, {0x01, 0, {0x000a0671, 0x00100800, 0x7ffafbff, 0xbfebfbff}},
            {0x02, 0, {0x00feff01, 0x000000f0, 0x00000000, 0x00000000}},
            {0x07, 0, {0x00000002, 0xf2bf67eb, 0x00405f4e, 0xbc000410}},
            {0x18, 0, {0x00000007, 0x00000000, 0x00000000, 0x00000000}},
            {0x18, 1, {0x00000000, 0x00080007, 0x00000001, 0x00004122}},
            {0x18, 2, {0x00000000, 0x0010000f, 0x00000001, 0x00004125}},
            {0x18, 3, {0x00000000, 0x00040001, 0x00000010, 0x00004024}},
            {0x18, 4, {0x00000000, 0x00040006, 0x00000008, 0x00004024}},
            {0x18, 5, {0x00000000, 0x00080008, 0x00000001, 0x00004124}},
            {0x18, 6, {0x00000000, 0x00080007, 0x00000080, 0x00004043}},
            {0x18, 7, {0x00000000, 0x00080009, 0x00000080, 0x00004043}})},
    /* GenuineIntel/GenuineIntel0090672_AlderLake_01_LC_BC_CPUID.txt: a performance core of a Core i9-12900K
     * ... */
    {"alder-lake", LEAVES({0x00, 0, {0x20, INTEL}}, {0x01, 0, {0x00090672, 0x00800800, 0x7ffafbff, 0xbfebfbff}},
                          {0x02, 0, {0x00feff01, 0x000000f0, 0x00000000, 0x00000000}},
                          {0x07, 0, {0x00000001, 0x239ca7eb, 0x98c027ac, 0xfc1cc410}},
                          {0x18, 0, {0x00000008, 0x00000000, 0x00000000, 0x00000000}},
                          {0x18, 1, {0x00000000, 0x00080001, 0x00000020, 0x00004022}},
                          {0x18, 2, {0x00000000, 0x00080006, 0x00000004, 0x00004022}},
                          {0x18, 3, {0x00000000, 0x0010000f, 0x00000001, 0x00004125}},
                          {0x18, 4, {0x00000000, 0x00040001, 0x00000010, 0x00004024}},
                          {0x18, 5, {0x00000000, 0x00040006, 0x00000008, 0x00004024}},
                          {0x18, 6, {0x00000000, 0x00080008, 0x00000001, 0x00004124}},
                          {0x18, 7, {0x00000000, 0x00080007, 0x00000080, 0x00004043}},
                          {0x18, 8, {0x00000000, 0x00080009, 0x00000080, 0x00004043}})},
    /* ... and an efficient core of the same */
    {"alder-lake-efficient",
     LEAVES({0x00, 0, {0x20, INTEL}}, {0x01, 0, {0x00090672, 0x00800800, 0x7ffafbff, 0xbfebfbff}},
            {0x02, 0, {0x00feff01, 0x00000000, 0x00000000, 0x00000000}},
            {0x07, 0, {0x00000001, 0x239ca7eb, 0x98c027ac, 0xfc1cc410}},
            {0x18, 0, {0x00000004, 0x00000000, 0x00000000, 0x00000000}},
            {0x18, 1, {0x00000000, 0x00300001, 0x00000001, 0x00000121}},
            {0x18, 2, {0x00000000, 0x00040003, 0x00000200, 0x00000043}},
            {0x18, 3, {0x00000000, 0x00400001, 0x00000001, 0x00000122}},
            {0x18, 4, {0x00000000, 0x00080008, 0x00000001, 0x00000143}})},
    /* GenuineIntel/GenuineIntel00806F8_SapphireRapids_05_CPUID.txt */
    {"sapphire-rapids",
     LEAVES({0x00, 0, {0x20, INTEL}}, {0x01, 0, {0x000806f8, 0x00800800, 0x7ffefbff, 0xbfebfbff}},
            {0x02, 0, {0x00feff01, 0x000000f0, 0x00000000, 0x00000000}},
            {0x07, 0, {0x00000002, 0xf3bfbffb, 0xbb417fee, 0xffdd4430}},
            {0x18, 0, {0x00000008, 0x00000000, 0x00000000, 0x00000000}},
            {0x18, 1, {0x00000000, 0x00080001, 0x00000020, 0x00004022}},
            {0x18, 2, {0x00000000, 0x00080006, 0x00000004, 0x00004022}},
            {0x18, 3, {0x00000000, 0x0010000f, 0x00000001, 0x00004125}},
            {0x18, 4, {0x00000000, 0x00040001, 0x00000010, 0x00004024}},
            {0x18, 5, {0x00000000, 0x00040006, 0x00000008, 0x00004024}},
            {0x18, 6, {0x00000000, 0x00080008, 0x00000001, 0x00004124}},
            {0x18, 7, {0x00000000, 0x00080007, 0x00000080, 0x00004043}},
            {0x18, 8, {0x00000000, 0x00080009, 0x00000080, 0x00004043}})},
    /* Read in a guest of KVM: the model of a Rocket Lake, but AMX, and leaf 18H is 0 */
    {"sapphire-rapids-guest",
     LEAVES({0x00, 0, {0x24, INTEL}}, {0x01, 0, {0x000a0671, 0x00020800, 0xfffa3203, 0x1f8bfbff}},
            {0x02, 0, {0x00feff01, 0x000000f0, 0x00000000, 0x00000000}},
            {0x07, 0, {0x00000002, 0xf1bf2ffb, 0x1a415f46, 0x23c14010}})},
    /* AuthenticAMD/AuthenticAMD0870F10_K17_Matisse_CPUID.txt: a Ryzen 9 PRO 3900 */
    {"zen2", LEAVES({0x00, 0, {0x10, AMD}}, {0x01, 0, {0x00870f10, 0x00180800, 0x7ed8320b, 0x178bfbff}},
                    {0x07, 0, {0x00000000, 0x219c91a9, 0x00400004, 0x00000000}},
                    {0x80000005, 0, {0xff40ff40, 0xff40ff40, 0x20080140, 0x20080140}},
                    {0x80000006, 0, {0x48006400, 0x68006400, 0x02006140, 0x02009140}},
                    {0x80000019, 0, {0xf040f040, 0x00000000, 0x00000000, 0x00000000}})},
    /* AuthenticAMD/AuthenticAMD0A20F10_K19_Vermeer2_CPUID.txt: a Ryzen 9 5900X */
    {"zen3", LEAVES({0x00, 0, {0x10, AMD}}, {0x01, 0, {0x00a20f10, 0x00180800, 0x7ed8320b, 0x178bfbff}},
                    {0x07, 0, {0x00000000, 0x219c97a9, 0x0040068c, 0x00000010}},
                    {0x80000005, 0, {0xff40ff40, 0xff40ff40, 0x20080140, 0x20080140}},
                    {0x80000006, 0, {0x48002200, 0x68004200, 0x02006140, 0x02009140}},
                    {0x80000019, 0, {0xf040f040, 0xf0400000, 0x00000000, 0x00000000}},
                    {0x80000021, 0, {0x0000000d, 0x00000000, 0x00000000, 0x00000000}})},
    /* AuthenticAMD/AuthenticAMD0A60F12_K19_Raphael_01_CPUID.txt: a Ryzen 5 7600X */
    {"zen4", LEAVES({0x00, 0, {0x10, AMD}}, {0x01, 0, {0x00a60f12, 0x000c0800, 0x7ef8320b, 0x178bfbff}},
                    {0x07, 0, {0x00000001, 0xf1bf97a9, 0x00405fce, 0x10000010}},
                    {0x80000005, 0, {0xff48ff40, 0xff48ff40, 0x20080140, 0x20080140}},
                    {0x80000006, 0, {0x5c002200, 0x6c004200, 0x04006140, 0x01009140}},
                    {0x80000019, 0, {0xf048f040, 0xf0400000, 0x00000000, 0x00000000}},
                    {0x80000021, 0, {0x00062fcf, 0x0000015c, 0x00000000, 0x00000000}})},
    /* AuthenticAMD/AuthenticAMD0B40F40_K20_GraniteRidge_02_CPUID.txt: a Ryzen 9 9950X ... */
    {"zen5", LEAVES({0x00, 0, {0x10, AMD}}, {0x01, 0, {0x00b40f40, 0x00200800, 0x7ed8320b, 0x178bfbff}},
                    {0x07, 0, {0x00000001, 0xf1bf97ab, 0x19405fce, 0x10000110}},
                    {0x80000005, 0, {0xff60ff40, 0xff60ff40, 0x300c0140, 0x20080140}},
                    {0x80000006, 0, {0x40802040, 0x60804040, 0x04008140, 0x02009140}},
                    {0x80000019, 0, {0xf060f040, 0x40200000, 0x00000000, 0x00000000}},
                    {0x80000021, 0, {0x593fffcf, 0x00080382, 0x00000000, 0x00000000}})},
    /* ... and as its guests see it: bit 31 of ECX in leaf 1 says so, bit 14 of 80000021H is masked */
    {"zen5-guest", LEAVES({0x00, 0, {0x10, AMD}}, {0x01, 0, {0x00b40f40, 0x00200800, 0xfed8320b, 0x178bfbff}},
                          {0x07, 0, {0x00000001, 0xf1bf97ab, 0x19405fce, 0x10000110}},
                          {0x80000005, 0, {0xff60ff40, 0xff60ff40, 0x300c0140, 0x20080140}},
                          {0x80000006, 0, {0x40802040, 0x60804040, 0x04008140, 0x02009140}},
                          {0x80000019, 0, {0xf060f040, 0x40200000, 0x00000000, 0x00000000}},
                          {0x80000021, 0, {0x593fbfcf, 0x00080382, 0x00000000, 0x00000000}})},
    /* HygonGenuine/HygonGenuine0900F02_Hygon_CPUID.txt: a core of Zen, by another vendor */
    {"hygon", LEAVES({0x00, 0, {0x0d, HYGON}}, {0x01, 0, {0x00900f02, 0x00100800, 0x74d83209, 0x178bfbff}},
                     {0x07, 0, {0x00000000, 0x009c01a9, 0x00000000, 0x00000000}},
                     {0x80000005, 0, {0xff40ff40, 0xff40ff40, 0x20080140, 0x40040140}},
                     {0x80000006, 0, {0x36006400, 0x56006400, 0x02006140, 0x00808140}},
                     {0x80000019, 0, {0xf040f040, 0x00000000, 0x00000000, 0x00000000}})},
    /* CentaurHauls/CentaurHauls00607B1_KX7000_05_CPUID.txt: a vendor whose leaves are not read here */
    {"centaur", LEAVES({0x00, 0, {0x1f, CENTAUR}}, {0x01, 0, {0x000607b1, 0x00400800, 0x7ffa73eb, 0xbfcbfbff}},
                       {0x02, 0, {0x635af001, 0x00000000, 0x00000000, 0x000000ff}},
                       {0x07, 0, {0x00000000, 0x200c25ab, 0x0040000d, 0x24000000}},
                       {0x80000005, 0, {0x04200408, 0x06600610, 0x20080140, 0x40100140}})},
    /* Any processor but x86-64. */
    {"none", (const cpuid_leaf[]){{.number = CPUID_END}}},
};

const processor *processor_recorded_at(size_t k) {
    return k < sizeof processors / sizeof processors[0] ? &processors[k] : NULL;
}
