/* mcap.h: a file of timed messages in the format MCAP (mcap.dev/spec), uncompressed, in chunks with
 * an index; private to exports/. */
#ifndef SAL_EXPORTS_MCAP_H
#define SAL_EXPORTS_MCAP_H

#include "base/base.h"

#include <stdint.h>

typedef struct exp_mcap_message {
    int channel;
    /* ns */
    uint64_t time;
    /* within the chunk */
    uint64_t offset;
} exp_mcap_message;

typedef struct exp_mcap_chunk {
    uint64_t start, end, offset, length, size, index_length;
} exp_mcap_chunk;

typedef struct exp_mcap {
    sal_text *out;
    /* records of schemas and channels, which stand at both ends of the file; of the chunk */
    sal_text schemas, channels, records;
    int nschema, nchannel, nmessage, nchunk;
    /* [most messages of a chunk], [most chunks] */
    exp_mcap_message *message;
    exp_mcap_chunk *chunk;
    /* [most chunks x most channels] where the index of a channel is; 0: it has no message there */
    uint64_t *index;
    /* [most channels] */
    uint64_t *count;
    int channels_most;
} exp_mcap;

/* SAL_NOMEM. To be cleared whatever is returned. */
sal_status exp_mcap_begin(exp_mcap *f, sal_text *out, const char *profile, int channels,
                          int messages_of_a_chunk, int chunks, sal_err *err);
/* Kinds of messages, then channels, before the first message; both count from 1. */
void exp_mcap_schema(exp_mcap *f, const char *name, const char *encoding, const char *text);
void exp_mcap_channel(exp_mcap *f, int schema, const char *topic, const char *encoding);
/* Times do not decrease. */
void exp_mcap_write(exp_mcap *f, int channel, uint64_t time, const sal_text *message);
void exp_mcap_end_chunk(exp_mcap *f);
void exp_mcap_end(exp_mcap *f);
void exp_mcap_clear(exp_mcap *f);

#endif
