/* inflate.c: what zlib or gzip has compressed (RFC 1950, RFC 1952). This file alone knows zlib. */
#include "signals/inflate.h"

#include "base/base.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

static const size_t FIRST_ROOM = (size_t)1 << 16;
enum { EITHER = 32 }; /* of the two headers: added to the bits of the window */

bool sig_is_deflated(const unsigned char *bytes, size_t n)
{
    const bool gzip = n > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == Z_DEFLATED,
               zlib =
                   n > 2 && (bytes[0] & 0x0f) == Z_DEFLATED && (bytes[0] << 8 | bytes[1]) % 31 == 0;
    return gzip || zlib;
}

/* What has been unpacked so far, [n of room] */
typedef struct unpacked {
    unsigned char *bytes;
    size_t n, room;
} unpacked;

/* Twice the room, at most one byte more than is allowed; false: no memory */
static bool grow(unpacked *u, size_t most)
{
    const size_t wanted = u->room == 0 ? FIRST_ROOM : 2 * u->room,
                 room = wanted < most ? wanted : most + 1;
    unsigned char *larger = sal_alloc(room, 1);
    if (larger != NULL && u->n > 0) {
        memcpy(larger, u->bytes, u->n);
    }
    sal_free(u->bytes);
    u->bytes = larger;
    u->room = room;
    return larger != NULL;
}

/* Z_STREAM_END: all is unpacked; Z_OK: more than `most` would be; else why not */
static int unpack(z_stream *z, unpacked *u, const unsigned char *bytes, size_t n, size_t most)
{
    int code = Z_OK;
    z->next_in = bytes;
    while (code == Z_OK && u->n <= most) {
        if (u->n == u->room && !grow(u, most)) {
            return Z_MEM_ERROR;
        }
        const size_t rest = n - (size_t)(z->next_in - bytes), room = u->room - u->n;
        z->avail_in = rest < UINT_MAX ? (uInt)rest : UINT_MAX;
        z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
        const uInt before = z->avail_out;
        z->next_out = u->bytes + u->n;
        code = inflate(z, Z_NO_FLUSH);
        u->n += before - z->avail_out;
    }
    return code;
}

sal_status sig_inflate(const sig_signals *s, unsigned char **bytes, size_t *n, sal_diag *diag,
                       sal_err *err)
{
    const size_t most = sal_reading_most(SIG_UNPACKED_MOST);
    z_stream z = {0};
    unpacked u = {0};
    sal_err why = {0};
    int code = inflateInit2(&z, MAX_WBITS + EITHER);
    if (code == Z_OK) {
        code = unpack(&z, &u, *bytes, *n, most);
        inflateEnd(&z);
    }
    if (code == Z_STREAM_END && u.n <= most) {
        sal_free(*bytes);
        *bytes = u.bytes;
        *n = u.n;
        return SAL_OK;
    }
    sal_free(u.bytes);
    if (code == Z_MEM_ERROR) {
        return sal_fail(err, SAL_NOMEM, "out of memory for '%.300s'", s->source.path);
    }
    if (u.n > most) {
        char what[400];
        snprintf(what, sizeof what, "cannot read '%.300s': it unpacks to", s->source.path);
        sal_reading_refuse(what, (double)u.n, most, &why);
        sal_diag_error(diag, (sal_place){0}, NULL, "%s", why.message);
    } else {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, NULL,
                       "it cannot be unpacked; is the file complete?");
    }
    return sal_diag_status(diag, err);
}

size_t sig_unpacked_size(const unsigned char *bytes, size_t n, size_t most)
{
    unsigned char scratch[1 << 14];
    z_stream z = {.next_in = bytes};
    size_t size = 0;
    int code = inflateInit2(&z, MAX_WBITS + EITHER);
    if (code != Z_OK) {
        return SIZE_MAX;
    }
    while (code == Z_OK && size <= most) {
        const size_t rest = n - (size_t)(z.next_in - bytes);
        z.avail_in = rest < UINT_MAX ? (uInt)rest : UINT_MAX;
        z.next_out = scratch;
        z.avail_out = sizeof scratch;
        code = inflate(&z, Z_NO_FLUSH);
        size += sizeof scratch - z.avail_out;
    }
    inflateEnd(&z);
    return code == Z_STREAM_END && size <= most ? size : SIZE_MAX;
}
