/* inflate.h: bytes that zlib or gzip has compressed; private to signals/ */
#ifndef SAL_SIGNALS_INFLATE_H
#define SAL_SIGNALS_INFLATE_H

#include "signals/table.h"

/* Bytes that a file may unpack to, unless the user says otherwise */
#define SIG_UNPACKED_MOST ((size_t)1 << 30)

/* Whether they begin as zlib's or gzip's do. */
bool sig_is_deflated(const unsigned char *bytes, size_t n);
/* Unpacks *bytes [*n], the file of s, into a block of their own, which takes their place; they are
 * freed. SAL_BADINPUT, and an error in diag: they are damaged, or too many; then they stay. */
sal_status sig_inflate(const sig_signals *s, unsigned char **bytes, size_t *n, sal_diag *diag,
                       sal_err *err);
/* How many bytes they unpack to, all of which are looked at; more than `most`: they are damaged, or
 * too many. */
size_t sig_unpacked_size(const unsigned char *bytes, size_t n, size_t most);

#endif
