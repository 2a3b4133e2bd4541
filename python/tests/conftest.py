# SPDX-License-Identifier: Apache-2.0
"""Examples are the same in every run: Hypothesis derives them from each test's name, 40 of each, and 200 with
RIFFLE_TEST_LONG=1. Tests that read the lines of a kernel's report need elfutils' libdw, without which reports have none."""
import os
from ctypes.util import find_library

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("riffle", max_examples=200 if os.environ.get("RIFFLE_TEST_LONG") else 40, deadline=None, derandomize=True, database=None,
                          suppress_health_check=list(HealthCheck))
settings.load_profile("riffle")


def pytest_configure(config):
    config.addinivalue_line("markers", "lines: reads the lines of a report")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("lines") and find_library("dw") is None:
            item.add_marker(pytest.mark.skip(reason="no libdw: reports have no lines"))
