/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what follows the colon in a device's name. */
#ifndef KVP_DEVICE_SELECT_H
#define KVP_DEVICE_SELECT_H

#include <stdint.h>

/* numbers[0 .. n) of a text like "3/1": digits, and a slash between numbers. 0 if it is not that.
 */
static inline int kvp_select(const char *text, uint32_t *numbers, int n)
{
  for (int i = 0; i < n; i++) {
    int digits = 0;
    if (i != 0 && *text++ != '/')
      return 0;
    for (numbers[i] = 0; *text >= '0' && *text <= '9'; text++, digits++)
      numbers[i] = numbers[i] * 10 + (uint32_t)(*text - '0');
    if (digits == 0 || digits > 9)
      return 0;
  }
  return *text == '\0';
}

#endif
