/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda/std/...: the host's standard library by another name. What kernels do with it is code of theirs, and counted.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_STANDARD_H
#define RIFFLE_MACHINE_DEVICE_CUDA_STANDARD_H

#include "device.h"

#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda

#endif
