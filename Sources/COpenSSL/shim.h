// The parts of the system's OpenSSL (libcrypto) that Sous calls.
// SHA256_Init and what belongs to it count as deprecated, yet load no provider: that takes a new process two milliseconds.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
