/*
 * json_text.h: as much JSON as a small plugin needs: a member of an object that is a string, and strings to write.
 * Checks the whole text on the way, so that malformed input is refused.
 */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_reader {
  const uint8_t *at, *end;
} json_reader;

static void json_space(json_reader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at) reader->at++;
}

static bool json_take(json_reader *reader, char byte) {
  json_space(reader);
  if (reader->at == reader->end || *reader->at != (uint8_t)byte) return false;
  reader->at++;
  return true;
}

static int json_unit(json_reader *reader) {
  int unit = 0;
  if (reader->end - reader->at < 4) return -1;
  for (int digit = 0; digit < 4; digit++, reader->at++) {
    int byte = *reader->at | 0x20;
    if (byte >= '0' && byte <= '9') unit = unit * 16 + byte - '0';
    else if (byte >= 'a' && byte <= 'f') unit = unit * 16 + byte - 'a' + 10;
    else return -1;
  }
  return unit;
}

static size_t json_utf8(uint32_t scalar, uint8_t *out) {
  if (scalar < 0x80) return out[0] = (uint8_t)scalar, 1;
  if (scalar < 0x800) return out[0] = (uint8_t)(0xC0 | scalar >> 6), out[1] = (uint8_t)(0x80 | (scalar & 63)), 2;
  if (scalar < 0x10000) {
    out[0] = (uint8_t)(0xE0 | scalar >> 12);
    out[1] = (uint8_t)(0x80 | (scalar >> 6 & 63));
    out[2] = (uint8_t)(0x80 | (scalar & 63));
    return 3;
  }
  out[0] = (uint8_t)(0xF0 | scalar >> 18);
  out[1] = (uint8_t)(0x80 | (scalar >> 12 & 63));
  out[2] = (uint8_t)(0x80 | (scalar >> 6 & 63));
  out[3] = (uint8_t)(0x80 | (scalar & 63));
  return 4;
}

/* Reads a string into `out`, which has room for all that is left; its length, or -1. */
static long json_string(json_reader *reader, uint8_t *out) {
  size_t length = 0;
  if (!json_take(reader, '"')) return -1;
  while (reader->at < reader->end) {
    uint8_t byte = *reader->at++;
    if (byte == '"') return (long)length;
    if (byte < 0x20) return -1;
    if (byte != '\\') {
      out[length++] = byte;
      continue;
    }
    if (reader->at == reader->end) return -1;
    byte = *reader->at++;
    const char *short_form = byte ? strchr("\"\\/bfnrt", byte) : NULL;
    if (short_form) {
      out[length++] = (uint8_t)"\"\\/\b\f\n\r\t"[short_form - "\"\\/bfnrt"];
      continue;
    }
    int unit = byte == 'u' ? json_unit(reader) : -1;
    if (unit < 0) return -1;
    uint32_t scalar = (uint32_t)unit;
    if (unit >= 0xD800 && unit < 0xE000) {
      /* Half of a pair becomes U+FFFD, unless the other half follows. */
      scalar = 0xFFFD;
      json_reader ahead = *reader;
      if (unit < 0xDC00 && ahead.end - ahead.at >= 6 && ahead.at[0] == '\\' && ahead.at[1] == 'u') {
        ahead.at += 2;
        int low = json_unit(&ahead);
        if (low >= 0xDC00 && low < 0xE000) {
          scalar = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
          *reader = ahead;
        }
      }
    }
    length += json_utf8(scalar, out + length);
  }
  return -1;
}

static bool json_skip(json_reader *reader, uint8_t *scratch, int depth) {
  json_space(reader);
  if (reader->at == reader->end || depth > 64) return false;
  uint8_t byte = *reader->at;
  if (byte == '"') return json_string(reader, scratch) >= 0;
  if (byte == '{' || byte == '[') {
    char closing = byte == '{' ? '}' : ']';
    reader->at++;
    if (json_take(reader, closing)) return true;
    do {
      if (byte == '{' && (json_space(reader), json_string(reader, scratch) < 0 || !json_take(reader, ':'))) return false;
      if (!json_skip(reader, scratch, depth + 1)) return false;
    } while (json_take(reader, ','));
    return json_take(reader, closing);
  }
  const uint8_t *start = reader->at;
  while (reader->at < reader->end && *reader->at && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", *reader->at)) {
    reader->at++;
  }
  return reader->at > start;
}

/*
 * The string that the object `json` has under `name`: allocated, ends with NUL, for free(). NULL where the text is no
 * object, is malformed, or has no such string.
 */
static inline char *json_member(const uint8_t *json, size_t size, const char *name, size_t *length) {
  json_reader reader = {json, json + size};
  uint8_t *text = malloc(size + 1), *found = NULL;
  bool sound = text && size && json_take(&reader, '{');
  if (sound && !json_take(&reader, '}')) {
    do {
      long key = json_string(&reader, text);
      if (key < 0 || !json_take(&reader, ':')) { sound = false; break; }
      bool wanted = (size_t)key == strlen(name) && memcmp(text, name, (size_t)key) == 0;
      json_space(&reader);
      if (wanted && reader.at < reader.end && *reader.at == '"') {
        free(found);
        found = malloc(size + 1);
        long count = found ? json_string(&reader, found) : -1;
        if (count < 0) { sound = false; break; }
        found[count] = 0;
        *length = (size_t)count;
      } else if (!json_skip(&reader, text, 0)) { sound = false; break; }
    } while (json_take(&reader, ','));
    if (sound && !json_take(&reader, '}')) sound = false;
  }
  json_space(&reader);
  if (!sound || reader.at != reader.end) {
    free(found);
    found = NULL;
  }
  free(text);
  return (char *)found;
}

/* `text` as a JSON string with its quotes: allocated, ends with NUL, for free(). NULL without memory. */
static inline char *json_quoted(const char *text, size_t length) {
  char *result = length < SIZE_MAX / 8 ? malloc(length * 6 + 3) : NULL, *out = result;
  if (!out) return NULL;
  *out++ = '"';
  for (size_t index = 0; index < length; index++) {
    uint8_t byte = (uint8_t)text[index];
    if (byte == '"' || byte == '\\') *out++ = '\\', *out++ = (char)byte;
    else if (byte >= 0x20) *out++ = (char)byte;
    else {
      memcpy(out, "\\u00", 4);
      out[4] = "0123456789abcdef"[byte >> 4];
      out[5] = "0123456789abcdef"[byte & 15];
      out += 6;
    }
  }
  *out++ = '"';
  *out = 0;
  return result;
}

#endif
