/* hall.h: ranks that are threads, for tests: they meet in a hall, and a message is where it
 * lies. */
#ifndef SAL_TESTS_OPTIM_HALL_H
#define SAL_TESTS_OPTIM_HALL_H

#include "base/base.h"

#include <pthread.h>
#include <string.h>

enum { RANKS_MOST = 5 };

typedef struct hall {
    pthread_barrier_t door;
    /* what each has to say */
    void *bytes[RANKS_MOST];
    pthread_mutex_t lock;
    pthread_cond_t news;
    /* from, to; NULL: none, or read */
    const void *letter[RANKS_MOST][RANKS_MOST];
} hall;

typedef struct seat {
    hall *hall;
    int rank;
    int size;
} seat;

static inline sal_status hall_send(void *ctx, int to, int tag, const void *bytes, size_t n,
                                   sal_err *err)
{
    const seat *s = ctx;
    hall *h = s->hall;
    (void)tag, (void)n, (void)err;
    pthread_mutex_lock(&h->lock);
    h->letter[s->rank][to] = bytes;
    pthread_cond_broadcast(&h->news);
    while (h->letter[s->rank][to] != NULL) {
        pthread_cond_wait(&h->news, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return SAL_OK;
}

static inline sal_status hall_receive(void *ctx, int from, int tag, void *bytes, size_t n,
                                      sal_err *err)
{
    const seat *s = ctx;
    hall *h = s->hall;
    (void)tag, (void)err;
    pthread_mutex_lock(&h->lock);
    while (h->letter[from][s->rank] == NULL) {
        pthread_cond_wait(&h->news, &h->lock);
    }
    memcpy(bytes, h->letter[from][s->rank], n);
    h->letter[from][s->rank] = NULL;
    pthread_cond_broadcast(&h->news);
    pthread_mutex_unlock(&h->lock);
    return SAL_OK;
}

static inline sal_status hall_broadcast(void *ctx, void *bytes, size_t n, sal_err *err)
{
    const seat *s = ctx;
    (void)err;
    s->hall->bytes[s->rank] = bytes;
    pthread_barrier_wait(&s->hall->door);
    if (s->rank > 0) {
        memcpy(bytes, s->hall->bytes[0], n);
    }
    pthread_barrier_wait(&s->hall->door);
    return SAL_OK;
}

static inline sal_status hall_collect(void *ctx, double *x, const size_t *at, const size_t *n,
                                      sal_err *err)
{
    const seat *s = ctx;
    (void)err;
    s->hall->bytes[s->rank] = x;
    pthread_barrier_wait(&s->hall->door);
    for (int k = 0; k < s->size; k++) {
        if (k != s->rank) {
            const double *theirs = s->hall->bytes[k];
            memcpy(x + at[k], theirs + at[k], n[k] * sizeof *x);
        }
    }
    pthread_barrier_wait(&s->hall->door);
    return SAL_OK;
}

static inline void hall_open(hall *h, int size)
{
    memset(h, 0, sizeof *h);
    pthread_barrier_init(&h->door, NULL, (unsigned)size);
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->news, NULL);
}

static inline void hall_close(hall *h)
{
    pthread_cond_destroy(&h->news);
    pthread_mutex_destroy(&h->lock);
    pthread_barrier_destroy(&h->door);
}

static inline sal_ranks hall_ranks(seat *s, hall *h, int rank, int size)
{
    *s = (seat){h, rank, size};
    return (sal_ranks){.rank = rank,
                       .size = size,
                       .ctx = s,
                       .send = hall_send,
                       .receive = hall_receive,
                       .broadcast = hall_broadcast,
                       .collect = hall_collect};
}

#endif
