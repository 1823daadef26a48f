/* SPDX-License-Identifier: Apache-2.0 */
/* Golden values of the content hashes, made with libxxhash itself: ours in tables here, and all of
   ../shared/data/hash-vectors.txt where it is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <kvpool/hash.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define VECTORS "../shared/data/hash-vectors.txt"
#define MOST_TOKENS 2048

static uint64_t block_hash(const uint32_t *tokens, size_t length, uint64_t salt)
{
  uint64_t hash;
  assert_int_equal(kvp_hash_block(tokens, length, salt, &hash), KVP_OK);
  return hash;
}

static int same(const char *what, uint64_t want, uint64_t got)
{
  if (want == got)
    return 1;
  print_error("  %s: %" PRIu64 ", not %" PRIu64 "\n", what, got, want);
  return 0;
}

/* Of the tokens 0 .. length - 1: every length class of XXH3, and more than one chunk of ours. */
static void block_hash_of_every_length(void **state)
{
  static const struct {
    size_t length;
    uint64_t unsalted, salted; /* with salt 1337 */
  } vectors[] = {
    {1, UINT64_C(5238470482016868669), UINT64_C(16451421758532862321)},
    {2, UINT64_C(17197929579947543131), UINT64_C(10918435022357402928)},
    {3, UINT64_C(17856881380917102865), UINT64_C(11646242937812223497)},
    {4, UINT64_C(11660027832386793900), UINT64_C(9143094415614847814)},
    {5, UINT64_C(3987720677456680680), UINT64_C(14562210786876287112)},
    {8, UINT64_C(4892726792138317937), UINT64_C(12126819726423666500)},
    {16, UINT64_C(8773583392624668237), UINT64_C(15310707395893867146)},
    {31, UINT64_C(3058196779158320517), UINT64_C(11457320100649446001)},
    {32, UINT64_C(3769686076003069549), UINT64_C(5756925433886871916)},
    {33, UINT64_C(13541075012079489145), UINT64_C(2081791232692432502)},
    {47, UINT64_C(18061639405962939045), UINT64_C(18305367337619336502)},
    {60, UINT64_C(7608912911060442919), UINT64_C(13886301141173099695)},
    {61, UINT64_C(8267737824724324850), UINT64_C(1924516252287165151)},
    {64, UINT64_C(12023766320149852431), UINT64_C(3480597578098033343)},
    {128, UINT64_C(2644207497085871154), UINT64_C(9509643624113304476)},
    {255, UINT64_C(12898138628502381819), UINT64_C(11918923278436384653)},
    {256, UINT64_C(15072320598147647469), UINT64_C(13509048708924160886)},
    {257, UINT64_C(2372022862804535441), UINT64_C(1747670400354897569)},
    {512, UINT64_C(17087646882128623601), UINT64_C(9967019188267418660)},
    {1024, UINT64_C(1350747339977144071), UINT64_C(7155924717231313731)},
  };
  uint32_t tokens[MOST_TOKENS];
  int good = 1;
  (void)state;

  for (uint32_t i = 0; i < MOST_TOKENS; i++)
    tokens[i] = i;
  for (size_t i = 0; i < NUM(vectors); i++) {
    good &= same("without salt", vectors[i].unsalted, block_hash(tokens, vectors[i].length, 0));
    good &= same("with salt", vectors[i].salted, block_hash(tokens, vectors[i].length, 1337));
  }
  assert_true(good);
}

static void block_hash_of_any_tokens(void **state)
{
  static const struct {
    uint32_t tokens[4];
    size_t length;
    uint64_t salt, hash;
  } vectors[] = {
    {{1, 2, 3, 4}, 4, 0, UINT64_C(8052976908588476977)},
    {{1, 2, 3, 4}, 4, 1337, UINT64_C(14643705804678351452)},
    {{1, 2, 3, 4}, 4, 12345, UINT64_C(2043797638476133447)},
    {{1, 2, 3, 4}, 4, UINT64_MAX, UINT64_C(2498564416888662579)},
    {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, 4, 12345, UINT64_C(13890152474118854233)},
    {{UINT32_MAX, 0, 0x80000000, 0x7FFFFFFF}, 4, UINT64_MAX, UINT64_C(7513840411266176039)},
    {{1, 2, 3}, 3, 1337, UINT64_C(15024015205894559313)},
    {{0}, 1, 1337, UINT64_C(16451421758532862321)},
    {{0}, 0, 1337, UINT64_C(15128690059815094969)},
  };
  int good = 1;
  (void)state;

  for (size_t i = 0; i < NUM(vectors); i++)
    good &= same("block hash", vectors[i].hash,
                 block_hash(vectors[i].tokens, vectors[i].length, vectors[i].salt));
  assert_true(good);
}

static void sequence_hash_chains(void **state)
{
  static const struct {
    uint64_t salt;
    uint32_t length, first, step; /* tokens a block; the tokens are first, first + step, ... */
    uint64_t hashes[4];           /* of the blocks in order; 0 = no more */
  } chains[] = {
    {1337,
     4,
     1,
     1,
     {UINT64_C(14643705804678351452), UINT64_C(4945711292740353085), UINT64_C(12583592247330656132),
      UINT64_C(1921452330601040443)}},
    {0,
     2,
     1,
     1,
     {UINT64_C(254984204845929552), UINT64_C(1574800886416835749), UINT64_C(14906779918547990946),
      0}},
    {0, 4, 1, 1, {UINT64_C(8052976908588476977), UINT64_C(4185132130981121146), 0, 0}},
    {0,
     4,
     0,
     0,
     {UINT64_C(15034821391391295848), UINT64_C(14609273963568812800), UINT64_C(5047418931010130375),
      UINT64_C(5127754771990130164)}},
  };
  int good = 1;
  (void)state;

  for (size_t i = 0; i < NUM(chains); i++) {
    uint32_t tokens[4], next = chains[i].first;
    uint64_t parent = 0;
    for (size_t k = 0; k < 4 && chains[i].hashes[k] != 0; k++) {
      for (uint32_t t = 0; t < chains[i].length; t++, next += chains[i].step)
        tokens[t] = next;
      uint64_t block = block_hash(tokens, chains[i].length, chains[i].salt);
      parent = k == 0 ? block : kvp_hash_sequence(parent, block, chains[i].salt);
      good &= same("sequence hash", chains[i].hashes[k], parent);
    }
  }
  assert_true(good);
}

/* What comes out of the likely mistakes in the second block of the chain above. */
static void sequence_hash_is_not_the_mistakes(void **state)
{
  const uint64_t first = UINT64_C(14643705804678351452), second = UINT64_C(16777012769546811212);
  const uint64_t hash = kvp_hash_sequence(first, second, 1337);
  (void)state;
  assert_true(hash != UINT64_C(4738717847372693135));  /* the block before its parent */
  assert_true(hash != UINT64_C(13257339816715102022)); /* without the salt */
  assert_true(kvp_hash_sequence(second, first, 1337) == UINT64_C(4738717847372693135));
  assert_true(kvp_hash_sequence(first, second, 0) == UINT64_C(13257339816715102022));
}

static void block_hash_is_not_the_mistakes(void **state)
{
  static const uint32_t tokens[] = {1, 2, 3, 4};
  static const uint32_t swapped[] = {0x01000000, 0x02000000, 0x03000000, 0x04000000};
  const uint64_t hash = block_hash(tokens, NUM(tokens), 1337);
  (void)state;
  assert_true(hash != UINT64_C(6969880179676927648));  /* big-endian tokens */
  assert_true(hash != UINT64_C(15499840337469204751)); /* XXH64 */
  assert_true(block_hash(swapped, NUM(swapped), 1337) == UINT64_C(6969880179676927648));
}

static void salt_hash_of_names(void **state)
{
  static const struct {
    const char *name;
    uint64_t salt;
  } vectors[] = {
    {"", UINT64_C(3244421341483603138)},
    {"a", UINT64_C(16629034431890738719)},
    {"model", UINT64_C(8229337662361542422)},
    {"meta-llama/Llama-3.1-8B", UINT64_C(1026934076491470245)},
  };
  uint64_t salt;
  int good = 1;
  (void)state;

  for (size_t i = 0; i < NUM(vectors); i++) {
    assert_int_equal(kvp_hash_salt(vectors[i].name, strlen(vectors[i].name), &salt), KVP_OK);
    good &= same(vectors[i].name, vectors[i].salt, salt);
  }
  assert_int_equal(kvp_hash_salt(NULL, 0, &salt), KVP_OK);
  assert_true(salt == vectors[0].salt);
  assert_true(good);
}

static void missing_buffers(void **state)
{
  uint64_t hash = 42;
  (void)state;
  assert_int_equal(kvp_hash_block(NULL, 1, 0, &hash), KVP_ARGUMENT);
  assert_int_equal(kvp_hash_salt(NULL, 1, &hash), KVP_ARGUMENT);
  assert_true(hash == 42);
  assert_true(block_hash(NULL, 0, 1337) == UINT64_C(15128690059815094969));
}

/* The file's ways to write tokens: "1..8", "0..5-1" (5 excluded), "[3,4]", "zeros" and
   "extremes". Answers how many there are and moves past them, or 0. */
static size_t read_tokens(const char **text, uint32_t *tokens)
{
  static const uint32_t extremes[] = {UINT32_MAX, 0, 0x80000000, 0x7FFFFFFF};
  uint32_t first, last;
  size_t n = 0;
  int used = 0;

  if (sscanf(*text, "zeros%n", &used) == 0 && used > 0) {
    n = 16;
    memset(tokens, 0, n * sizeof *tokens);
  } else if (sscanf(*text, "extremes%n", &used) == 0 && used > 0) {
    n = NUM(extremes);
    memcpy(tokens, extremes, sizeof extremes);
  } else if (sscanf(*text, "%" SCNu32 "..%" SCNu32 "%n", &first, &last, &used) == 2) {
    if (strncmp(*text + used, "-1", 2) == 0)
      used += 2, last -= 1;
    for (; first + n <= last && n < MOST_TOKENS; n++)
      tokens[n] = first + (uint32_t)n;
  } else if (**text == '[') {
    int more;
    for (used = 1; n < MOST_TOKENS && sscanf(*text + used, "%" SCNu32 "%n", &tokens[n], &more) == 1;
         n++)
      used += more + 1; /* the comma or bracket too */
  }
  *text += used;
  return n;
}

static uint64_t read_salt(const char *text, int *used)
{
  uint64_t salt = UINT64_MAX;
  *used = 0;
  if (sscanf(text, "UINT64_MAX%n", used) == 0 && *used == 0 && sscanf(text, "MAX%n", used) == 0
      && *used == 0)
    sscanf(text, "%" SCNu64 "%n", &salt, used);
  return salt;
}

/* "block(TOKENS,SALT)=HASH". Each of these answers how many values of a line it checked. */
static int check_block_line(const char *line, int *good)
{
  uint32_t tokens[MOST_TOKENS];
  uint64_t salt, hash;
  const char *text = line + 6;
  size_t n;
  int used;

  if (strncmp(line, "block(", 6) != 0 || (n = read_tokens(&text, tokens)) == 0 || *text != ',')
    return 0;
  salt = read_salt(text + 1, &used);
  if (sscanf(text + 1 + used, ")=%" SCNu64, &hash) != 1)
    return 0;
  *good &= same(line, hash, block_hash(tokens, n, salt));
  return 1;
}

/* "saltSALT pPAGE TOKENS blkK block=HASH seq=HASH" */
static int check_chain_line(const char *line, int *good)
{
  uint32_t tokens[MOST_TOKENS], page, k;
  uint64_t want_block, want_sequence, block = 0, sequence = 0;
  const char *text = line + 4;
  size_t n;
  int used;

  if (strncmp(line, "salt", 4) != 0)
    return 0;
  uint64_t salt = read_salt(text, &used);
  text += used;
  used = 0;
  if (sscanf(text, " p%" SCNu32 " %n", &page, &used) != 1 || used == 0)
    return 0;
  text += used;
  n = read_tokens(&text, tokens);
  if (sscanf(text, " blk%" SCNu32 " block=%" SCNu64 " seq=%" SCNu64, &k, &want_block,
             &want_sequence)
        != 3
      || page == 0 || k >= n / page)
    return 0;
  for (uint32_t i = 0; i <= k; i++) {
    block = block_hash(tokens + (size_t)i * page, page, salt);
    sequence = i == 0 ? block : kvp_hash_sequence(sequence, block, salt);
  }
  *good &= same(line, want_block, block) & same(line, want_sequence, sequence);
  return 2;
}

/* "| LENGTH | BYTES | HASH | HASH |", of the tokens from 0 on, with salts 0 and 1337 */
static int check_table_line(const char *line, int *good)
{
  uint32_t tokens[MOST_TOKENS];
  uint64_t length, unsalted, salted;

  if (sscanf(line, "| %" SCNu64 " | %*u | %" SCNu64 " | %" SCNu64 " |", &length, &unsalted, &salted)
        != 3
      || length > MOST_TOKENS)
    return 0;
  for (uint32_t i = 0; i < length; i++)
    tokens[i] = i;
  *good &= same(line, unsalted, block_hash(tokens, length, 0));
  *good &= same(line, salted, block_hash(tokens, length, 1337));
  return 2;
}

/* "salt bytes "NAME" -> SaltHash HASH" */
static int check_salt_line(const char *line, int *good)
{
  static const char start[] = "salt bytes \"";
  const char *name = line + sizeof start - 1, *end;
  uint64_t want, salt;

  if (strncmp(line, start, sizeof start - 1) != 0 || (end = strchr(name, '"')) == NULL
      || sscanf(end, "\" -> SaltHash %" SCNu64, &want) != 1)
    return 0;
  assert_int_equal(kvp_hash_salt(name, (size_t)(end - name), &salt), KVP_OK);
  *good &= same(line, want, salt);
  return 1;
}

static void vectors_of_the_file(void **state)
{
  static int (*const readers[])(const char *, int *) = {check_block_line, check_chain_line,
                                                        check_table_line, check_salt_line};
  FILE *file = fopen(VECTORS, "r");
  char line[512];
  int good = 1, values = 0, lines = 0, others = 0;
  (void)state;

  if (file == NULL) {
    print_message("  skipped: %s is not here\n", VECTORS);
    skip();
  }
  while (fgets(line, sizeof line, file) != NULL) {
    int checked = 0;
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < NUM(readers) && checked == 0; i++)
      checked = readers[i](line, &good);
    values += checked;
    lines += checked != 0;
    others += checked == 0;
    if (checked == 0)
      print_message("  not read: %s\n", line);
  }
  fclose(file);
  print_message("  %s: %d values in %d lines checked, %d lines of another form\n", VECTORS, values,
                lines, others);
  assert_true(values > 0);
  assert_true(good);
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
    {"the block hash is right for every length class", block_hash_of_every_length, NULL, NULL,
     NULL},
    {"the block hash is right for any tokens and salt", block_hash_of_any_tokens, NULL, NULL, NULL},
    {"the sequence hash chains parent, block and salt", sequence_hash_chains, NULL, NULL, NULL},
    {"the sequence hash keeps its order and salt", sequence_hash_is_not_the_mistakes, NULL, NULL,
     NULL},
    {"the block hash is of little-endian tokens", block_hash_is_not_the_mistakes, NULL, NULL, NULL},
    {"the salt hash of a name is right", salt_hash_of_names, NULL, NULL, NULL},
    {"a missing buffer is refused", missing_buffers, NULL, NULL, NULL},
    {"the values of the shared file come out", vectors_of_the_file, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("content hashes", tests, NULL, NULL);
}
