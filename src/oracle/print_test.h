/* SPDX-License-Identifier: Apache-2.0 */
/* An input as a C test for cmocka, of the reference or of a device, with the model's answers and
   the state that it ends in; payload and block tables are not in it. */
#ifndef KVP_ORACLE_PRINT_TEST_H
#define KVP_ORACLE_PRINT_TEST_H

#include "src/oracle/differential.h"

/* A whole program, up to the end of batch `last`. It needs the installed library and cmocka. */
void kvp_print_test(FILE *out, struct kvp_differential *run, struct kvp_input input, size_t last,
                    int is_device);

#endif
