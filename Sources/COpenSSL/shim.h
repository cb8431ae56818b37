// The parts of the system's OpenSSL (libcrypto) that Sous calls.
#include <openssl/evp.h>
#include <openssl/sha.h>
