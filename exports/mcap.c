/* mcap.c: records of an MCAP file, each a letter, its length and its content, the lowest byte of a
 * number first:
 *
 *     magic, header, schemas, channels, { chunk of messages, its indices }.., end of data,
 *     schemas, channels, where the chunks are, statistics, footer, magic
 *
 * Checksums are 0, which stands for none. (MCAP File Format Specification, version 0.)
 */
#include "exports/mcap.h"

#include "base/house.h"

#include <string.h>

enum {
    HEADER = 1,
    FOOTER,
    SCHEMA,
    CHANNEL,
    MESSAGE,
    CHUNK,
    MESSAGE_INDEX,
    CHUNK_INDEX,
    STATISTICS = 11,
    DATA_END = 15
};

static const char magic[] = "\x89MCAP0\r\n";

/* ---- numbers and texts ---- */

static void put(sal_text *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        const char byte = (char)(unsigned char)(value >> 8 * i);
        sal_text_addn(out, &byte, 1);
    }
}

static void put_text(sal_text *out, const char *text)
{
    put(out, strlen(text), 4);
    sal_text_add(out, text);
}

static void put_all(sal_text *out, const sal_text *of)
{
    sal_text_addn(out, of->data, of->length);
    out->failed |= of->failed;
}

/* Writes the record and empties its content. */
static void end_record(sal_text *out, int kind, sal_text *content)
{
    put(out, (uint64_t)kind, 1);
    put(out, content->length, 8);
    put_all(out, content);
    sal_text_clear(content);
}

/* ---- the beginning ---- */

sal_status exp_mcap_begin(exp_mcap *f, sal_text *out, const char *profile, int channels,
                          int messages_of_a_chunk, int chunks, sal_err *err)
{
    sal_text header = {0};
    const size_t nchannel = (size_t)channels, nchunk = (size_t)chunks;
    *f = (exp_mcap){.out = out, .channels_most = channels};
    f->message = sal_alloc((size_t)messages_of_a_chunk, sizeof *f->message);
    f->chunk = sal_alloc(nchunk, sizeof *f->chunk);
    f->index = sal_alloc(nchunk * nchannel, sizeof *f->index);
    f->count = sal_alloc(nchannel, sizeof *f->count);
    if (f->message == NULL || f->chunk == NULL || f->index == NULL || f->count == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for an export");
    }
    sal_text_addn(out, magic, sizeof magic - 1);
    put_text(&header, profile);
    put_text(&header, "saltus");
    end_record(out, HEADER, &header);
    return SAL_OK;
}

void exp_mcap_schema(exp_mcap *f, const char *name, const char *encoding, const char *text)
{
    sal_text record = {0};
    put(&record, (uint64_t)++f->nschema, 2);
    put_text(&record, name);
    put_text(&record, encoding);
    put_text(&record, text);
    end_record(&f->schemas, SCHEMA, &record);
}

void exp_mcap_channel(exp_mcap *f, int schema, const char *topic, const char *encoding)
{
    sal_text record = {0};
    put(&record, (uint64_t)++f->nchannel, 2);
    put(&record, (uint64_t)schema, 2);
    put_text(&record, topic);
    put_text(&record, encoding);
    put(&record, 0, 4); /* nothing else is said of it */
    end_record(&f->channels, CHANNEL, &record);
}

/* ---- chunks ---- */

static void put_definitions(exp_mcap *f)
{
    put_all(f->out, &f->schemas);
    put_all(f->out, &f->channels);
}

void exp_mcap_write(exp_mcap *f, int channel, uint64_t time, const sal_text *message)
{
    sal_text record = {0};
    if (f->nchunk == 0 && f->nmessage == 0) {
        put_definitions(f);
    }
    f->message[f->nmessage++] = (exp_mcap_message){channel, time, f->records.length};
    put(&record, (uint64_t)channel, 2);
    put(&record, f->count[channel - 1]++, 4);
    put(&record, time, 8);
    put(&record, time, 8);
    put_all(&record, message);
    end_record(&f->records, MESSAGE, &record);
}

static void put_message_index(exp_mcap *f, int channel, uint64_t *where)
{
    sal_text record = {0}, entries = {0};
    for (int i = 0; i < f->nmessage; i++) {
        if (f->message[i].channel == channel) {
            put(&entries, f->message[i].time, 8);
            put(&entries, f->message[i].offset, 8);
        }
    }
    if (entries.length > 0) {
        *where = f->out->length;
        put(&record, (uint64_t)channel, 2);
        put(&record, entries.length, 4);
        put_all(&record, &entries);
        end_record(f->out, MESSAGE_INDEX, &record);
    }
    sal_text_clear(&entries);
}

void exp_mcap_end_chunk(exp_mcap *f)
{
    sal_text record = {0};
    if (f->nmessage == 0) {
        return;
    }
    exp_mcap_chunk *c = f->chunk + f->nchunk;
    c->start = f->message[0].time;
    c->end = f->message[f->nmessage - 1].time;
    c->offset = f->out->length;
    c->size = f->records.length;
    put(&record, c->start, 8);
    put(&record, c->end, 8);
    put(&record, c->size, 8);
    put(&record, 0, 4);
    put_text(&record, ""); /* not compressed */
    put(&record, c->size, 8);
    put_all(&record, &f->records);
    end_record(f->out, CHUNK, &record);
    c->length = f->out->length - c->offset;
    for (int k = 1; k <= f->nchannel; k++) {
        put_message_index(f, k, f->index + f->nchunk * f->channels_most + k - 1);
    }
    c->index_length = f->out->length - c->offset - c->length;
    f->nchunk++;
    f->nmessage = 0;
    sal_text_clear(&f->records);
}

/* ---- the end ---- */

static void put_chunk_index(exp_mcap *f, int i)
{
    const exp_mcap_chunk *c = f->chunk + i;
    sal_text record = {0}, map = {0};
    for (int k = 0; k < f->nchannel; k++) {
        const uint64_t where = f->index[i * f->channels_most + k];
        if (where != 0) {
            put(&map, (uint64_t)k + 1, 2);
            put(&map, where, 8);
        }
    }
    put(&record, c->start, 8);
    put(&record, c->end, 8);
    put(&record, c->offset, 8);
    put(&record, c->length, 8);
    put(&record, map.length, 4);
    put_all(&record, &map);
    put(&record, c->index_length, 8);
    put_text(&record, "");
    put(&record, c->size, 8);
    put(&record, c->size, 8);
    end_record(f->out, CHUNK_INDEX, &record);
    sal_text_clear(&map);
}

static void put_statistics(exp_mcap *f)
{
    sal_text record = {0};
    uint64_t total = 0;
    for (int k = 0; k < f->nchannel; k++) {
        total += f->count[k];
    }
    put(&record, total, 8);
    put(&record, (uint64_t)f->nschema, 2);
    put(&record, (uint64_t)f->nchannel, 4);
    put(&record, 0, 4); /* attachments */
    put(&record, 0, 4); /* metadata */
    put(&record, (uint64_t)f->nchunk, 4);
    put(&record, f->nchunk > 0 ? f->chunk[0].start : 0, 8);
    put(&record, f->nchunk > 0 ? f->chunk[f->nchunk - 1].end : 0, 8);
    put(&record, 10 * (uint64_t)f->nchannel, 4);
    for (int k = 0; k < f->nchannel; k++) {
        put(&record, (uint64_t)k + 1, 2);
        put(&record, f->count[k], 8);
    }
    end_record(f->out, STATISTICS, &record);
}

void exp_mcap_end(exp_mcap *f)
{
    sal_text record = {0};
    exp_mcap_end_chunk(f);
    put(&record, 0, 4);
    end_record(f->out, DATA_END, &record);
    const uint64_t summary = f->out->length;
    put_definitions(f);
    for (int i = 0; i < f->nchunk; i++) {
        put_chunk_index(f, i);
    }
    put_statistics(f);
    put(&record, summary, 8);
    put(&record, 0, 8); /* no offsets within the summary */
    put(&record, 0, 4);
    end_record(f->out, FOOTER, &record);
    sal_text_addn(f->out, magic, sizeof magic - 1);
}

void exp_mcap_clear(exp_mcap *f)
{
    sal_text_clear(&f->schemas);
    sal_text_clear(&f->channels);
    sal_text_clear(&f->records);
    sal_free(f->message);
    sal_free(f->chunk);
    sal_free(f->index);
    sal_free(f->count);
    *f = (exp_mcap){0};
}
