/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_PLAN_ONCE_PLAN_H
#define RIFFLE_PLAN_ONCE_PLAN_H

#include "plan/once/once.h"
#include "plan/request/request.h"

/** The request that a plan for one use would make: a take where the inverse is there, else a put. */
once_request once_request_of_plan(const plan_request *request);

#endif
