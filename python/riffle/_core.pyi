# SPDX-License-Identifier: Apache-2.0
# What the package's own modules call; users' types are in __init__.pyi.
from typing import Any

def __getattr__(name: str) -> Any: ...
