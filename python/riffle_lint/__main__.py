# SPDX-License-Identifier: Apache-2.0
from riffle_lint import main

main()
