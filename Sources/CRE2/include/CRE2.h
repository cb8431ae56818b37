#ifndef CRE2_H
#define CRE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled RE2 pattern. Owned by whoever compiled it; immutable, so any number of threads may search with it.
typedef struct cre2_pattern cre2_pattern;

/// Compiles a pattern of UTF-8 text.
///
/// `text` is borrowed for the call. `max_memory` bounds, in bytes, the program and its state cache; past the cache
/// RE2 goes on with a slower automaton, still in linear time. On failure returns NULL and writes a NUL-terminated
/// reason into `error` (at most `error_capacity` bytes, cut off where longer). The caller frees the result with
/// `cre2_free`.
cre2_pattern *_Nullable cre2_compile(const uint8_t *_Nullable text, size_t length, int64_t max_memory,
                                     char *_Nonnull error, size_t error_capacity);

/// Whether the pattern is found anywhere in `text`, which is borrowed for the call. May be called from any thread.
bool cre2_matches(const cre2_pattern *_Nonnull pattern, const uint8_t *_Nullable text, size_t length);

/// The first match of the pattern at or after `start`: begin and end, in bytes, of the match and of its first groups go
/// into `ranges`, which has room for `count` pairs, at most 10; a group that takes no part gets -1. False where there is none. What
/// stands before `start` counts for `\b` and `^`. May be called from any thread.
bool cre2_search(const cre2_pattern *_Nonnull pattern, const uint8_t *_Nullable text, size_t length, size_t start,
                 int64_t *_Nonnull ranges, int count);

/// The number of groups of the pattern that capture.
int cre2_group_count(const cre2_pattern *_Nonnull pattern);

/// The number of instructions of the compiled pattern: a measure of what a search costs for each byte.
int cre2_program_size(const cre2_pattern *_Nonnull pattern);

/// Frees a pattern. No other thread may be using it.
void cre2_free(cre2_pattern *_Nonnull pattern);

/// The first place where `sought` occurs in `text`, or NULL; linear time. Both are borrowed for the call.
const uint8_t *_Nullable cre2_find(const uint8_t *_Nonnull text, size_t length, const uint8_t *_Nonnull sought,
                                   size_t sought_length);

#ifdef __cplusplus
}
#endif

#endif
