# SPDX-License-Identifier: Apache-2.0
"""Examples are the same in every run: Hypothesis derives them from each test's name."""
from hypothesis import HealthCheck, settings

settings.register_profile("riffle", max_examples=100, deadline=None, derandomize=True, database=None,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("riffle")
