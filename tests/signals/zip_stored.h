/* zip_stored.h: a ZIP archive whose entries are stored as they are (APPNOTE.TXT 4.3), and arrays of
 * NumPy for it, so that tests make .npz files byte by byte. */
#ifndef SAL_TESTS_SIGNALS_ZIP_STORED_H
#define SAL_TESTS_SIGNALS_ZIP_STORED_H

#include "base/base.h"

#include <stdint.h>
#include <string.h>

typedef struct zip_stored {
    sal_text file;
    sal_text directory;
    int n;
} zip_stored;

static inline void zip_number(sal_text *text, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        const char byte = (char)(value >> 8 * i & 0xFFU);
        sal_text_addn(text, &byte, 1);
    }
}

/* CRC-32 (ISO 3309) */
static inline uint32_t zip_checksum(const char *data, size_t n)
{
    uint32_t crc = 0xFFFFFFFFU;
    for (size_t i = 0; i < n; i++) {
        crc ^= (unsigned char)data[i];
        for (int k = 0; k < 8; k++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
        }
    }
    return ~crc;
}

/* What stands both before an entry and in the directory, from the version on. */
static inline void zip_facts(sal_text *text, const char *name, const char *data, size_t n)
{
    zip_number(text, 20, 2);
    zip_number(text, 0, 2); /* flags */
    zip_number(text, 0, 2); /* stored */
    zip_number(text, 0x5A210000, 4);
    zip_number(text, zip_checksum(data, n), 4);
    zip_number(text, (uint32_t)n, 4);
    zip_number(text, (uint32_t)n, 4);
    zip_number(text, (uint32_t)strlen(name), 2);
    zip_number(text, 0, 2);
}

static inline void zip_add(zip_stored *z, const char *name, const char *data, size_t n)
{
    const size_t at = z->file.length;
    sal_text_addn(&z->file, "PK\3\4", 4);
    zip_facts(&z->file, name, data, n);
    sal_text_add(&z->file, name);
    sal_text_addn(&z->file, data, n);
    sal_text_addn(&z->directory, "PK\1\2", 4);
    zip_number(&z->directory, 20, 2);
    zip_facts(&z->directory, name, data, n);
    zip_number(&z->directory, 0, 2); /* comment */
    zip_number(&z->directory, 0, 2);
    zip_number(&z->directory, 0, 2);
    zip_number(&z->directory, 0, 4);
    zip_number(&z->directory, (uint32_t)at, 4);
    sal_text_add(&z->directory, name);
    z->n++;
}

static inline void zip_end(zip_stored *z)
{
    const size_t at = z->file.length;
    sal_text_addn(&z->file, z->directory.data, z->directory.length);
    sal_text_addn(&z->file, "PK\5\6", 4);
    zip_number(&z->file, 0, 4);
    zip_number(&z->file, (uint32_t)z->n, 2);
    zip_number(&z->file, (uint32_t)z->n, 2);
    zip_number(&z->file, (uint32_t)z->directory.length, 4);
    zip_number(&z->file, (uint32_t)at, 4);
    zip_number(&z->file, 0, 2);
    sal_text_clear(&z->directory);
}

/* name.npy with this header and these numbers */
static inline void zip_add_array(zip_stored *z, const char *name, const char *header,
                                 const void *data, size_t n)
{
    sal_text npy = {0}, path = {0};
    sal_text_addn(&npy, "\x93NUMPY\1\0", 8);
    zip_number(&npy, (uint32_t)strlen(header), 2);
    sal_text_add(&npy, header);
    sal_text_addn(&npy, data, n);
    sal_text_format(&path, "%s.npy", name);
    zip_add(z, path.data, npy.data, npy.length);
    sal_text_clear(&npy);
    sal_text_clear(&path);
}

#endif
