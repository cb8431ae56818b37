#include "CRE2.h"

#include <re2/re2.h>

#include <cstring>
#include <exception>
#include <memory>
#include <string>

struct cre2_pattern {
  re2::RE2 expression;
  cre2_pattern(const re2::StringPiece &text, const re2::RE2::Options &options) : expression(text, options) {}
};

static void copy_error(const std::string &reason, char *error, size_t capacity) {
  if (capacity == 0) return;
  size_t length = reason.size() < capacity - 1 ? reason.size() : capacity - 1;
  std::memcpy(error, reason.data(), length);
  error[length] = 0;
}

// No exception may unwind into the caller: it is not C++.
extern "C" cre2_pattern *cre2_compile(const uint8_t *text, size_t length, int64_t max_memory, char *error,
                                      size_t error_capacity) {
  try {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(max_memory);
    options.set_encoding(re2::RE2::Options::EncodingUTF8);
    auto pattern = std::make_unique<cre2_pattern>(
        re2::StringPiece(reinterpret_cast<const char *>(text), length), options);
    if (!pattern->expression.ok()) {
      copy_error(pattern->expression.error(), error, error_capacity);
      return nullptr;
    }
    return pattern.release();
  } catch (const std::exception &) {
    copy_error("out of memory", error, error_capacity);
    return nullptr;
  }
}

extern "C" bool cre2_matches(const cre2_pattern *pattern, const uint8_t *text, size_t length) {
  try {
    re2::StringPiece subject(reinterpret_cast<const char *>(text), length);
    return pattern->expression.Match(subject, 0, length, re2::RE2::UNANCHORED, nullptr, 0);
  } catch (const std::exception &) {
    return false;
  }
}

extern "C" bool cre2_search(const cre2_pattern *pattern, const uint8_t *text, size_t length, size_t start,
                            int64_t *ranges, int count) {
  constexpr int most = 10;
  if (start > length || count < 1 || count > most) return false;
  try {
    re2::StringPiece subject(reinterpret_cast<const char *>(text), length);
    re2::StringPiece groups[most];
    int known = pattern->expression.NumberOfCapturingGroups() + 1;
    if (!pattern->expression.Match(subject, start, length, re2::RE2::UNANCHORED, groups, count < known ? count : known)) {
      return false;
    }
    for (int index = 0; index < count; index++) {
      bool is_there = index < known && groups[index].data() != nullptr;
      ranges[2 * index] = is_there ? groups[index].data() - subject.data() : -1;
      ranges[2 * index + 1] = is_there ? ranges[2 * index] + static_cast<int64_t>(groups[index].size()) : -1;
    }
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

extern "C" int cre2_group_count(const cre2_pattern *pattern) {
  return pattern->expression.NumberOfCapturingGroups();
}

extern "C" int cre2_program_size(const cre2_pattern *pattern) { return pattern->expression.ProgramSize(); }

extern "C" const uint8_t *cre2_find(const uint8_t *text, size_t length, const uint8_t *sought,
                                    size_t sought_length) {
  return static_cast<const uint8_t *>(memmem(text, length, sought, sought_length));
}

extern "C" void cre2_free(cre2_pattern *pattern) { delete pattern; }
