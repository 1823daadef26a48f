/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as users write them: digits only, so no sign, space or overflow slips in. */
#ifndef KVP_ORACLE_DECIMAL_H
#define KVP_ORACLE_DECIMAL_H

#include <stdint.h>

/* Reads the digits at *text into *value and steps over them. 0 if there is none, or if the
   number is above `most`. */
static inline int kvp_decimal(const char **text, uint64_t most, uint64_t *value)
{
  const char *at = *text;
  uint64_t number = 0;

  for (; *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (number > (most - digit) / 10 || digit > most)
      return 0;
    number = number * 10 + digit;
  }
  if (at == *text)
    return 0;
  *text = at;
  *value = number;
  return 1;
}

#endif
