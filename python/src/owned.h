// SPDX-License-Identifier: Apache-2.0
//
// The library's handles as members of Python's objects, and its calls while other threads run Python.
#pragma once
#include <utility>

#include "failing.h"

// Calls without the GIL, and raises what the call's status says.
template <class work> void run(const work &what) {
    riffle_status status;
    {
        const nb::gil_scoped_release others_may_run;
        status = what();
    }
    check(status);
}

// A handle that is freed with its owner, without the GIL: a GPU may have to be waited for.
template <class kind, void (*release)(kind *)> class owned {
  public:
    owned() = default;
    owned(owned &&other) noexcept : held(std::exchange(other.held, nullptr)) {}
    owned(const owned &) = delete;
    owned &operator=(const owned &) = delete;
    ~owned() {
        if (held == nullptr) return;
        const nb::gil_scoped_release others_may_run;
        release(held);
    }

    operator kind *() const { return held; }
    // Where a function of the library puts one.
    kind **out() { return &held; }

  private:
    kind *held = nullptr;
};
