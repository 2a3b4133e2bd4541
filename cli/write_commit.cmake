# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a header that defines RIFFLE_COMMIT as what git says of SOURCE; touches it only on change. The variable
# RIFFLE_COMMIT in the environment says it for a tree that has travelled without its history.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(DEFINED ENV{RIFFLE_COMMIT})
  set(commit "$ENV{RIFFLE_COMMIT}")
elseif(failed OR commit STREQUAL "")
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define RIFFLE_COMMIT \"${commit}\"\n")
