/* mpi.c: ranks over MPI (MPI: A Message-Passing Interface Standard, version 3.1, 2015). */
#include "cli/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A call's outcome as a status */
static sal_status outcome(int code, const char *what, sal_err *err)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;
    if (code == MPI_SUCCESS) {
        return SAL_OK;
    }
    if (MPI_Error_string(code, text, &n) != MPI_SUCCESS) {
        snprintf(text, sizeof text, "error %d", code);
    }
    return sal_fail(err, SAL_INTERNAL, "the ranks cannot %s: %.300s", what, text);
}

static sal_status too_long(sal_err *err)
{
    return sal_fail(err, SAL_FULL, "a message between ranks is too long (more than %d numbers)",
                    INT_MAX);
}

static sal_status mpi_send(void *ctx, int to, int tag, const void *bytes, size_t n, sal_err *err)
{
    (void)ctx;
    return n > INT_MAX
               ? too_long(err)
               : outcome(MPI_Send(bytes, (int)n, MPI_BYTE, to, tag, MPI_COMM_WORLD), "send", err);
}

static sal_status mpi_receive(void *ctx, int from, int tag, void *bytes, size_t n, sal_err *err)
{
    (void)ctx;
    return n > INT_MAX ? too_long(err)
                       : outcome(MPI_Recv(bytes, (int)n, MPI_BYTE, from, tag, MPI_COMM_WORLD,
                                          MPI_STATUS_IGNORE),
                                 "receive", err);
}

/* ---- messages under way: who hangs may never take them ---- */

typedef struct posted {
    MPI_Request request;
    struct posted *next;
    char bytes[];
} posted;

static posted *under_way;

static void forget_arrived(void)
{
    for (posted **at = &under_way; *at != NULL;) {
        posted *p = *at;
        int there = 0;
        if (MPI_Test(&p->request, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && there) {
            *at = p->next;
            sal_free(p);
        } else {
            at = &p->next;
        }
    }
}

static sal_status mpi_post(void *ctx, int to, int tag, const void *bytes, size_t n, sal_err *err)
{
    (void)ctx;
    forget_arrived();
    if (n > INT_MAX) {
        return too_long(err);
    }
    posted *p = sal_alloc(1, sizeof *p + n);
    if (p == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a message between ranks");
    }
    memcpy(p->bytes, bytes, n);
    const int code = MPI_Isend(p->bytes, (int)n, MPI_BYTE, to, tag, MPI_COMM_WORLD, &p->request);
    if (code != MPI_SUCCESS) {
        sal_free(p);
        /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): there is nothing to wait for */
        return outcome(code, "send", err);
    }
    p->next = under_way;
    under_way = p;
    return SAL_OK;
}

static sal_status mpi_probe(void *ctx, bool *there, sal_mail *mail, sal_err *err)
{
    MPI_Status found;
    int flag = 0, n = 0;
    (void)ctx;
    *there = false;
    int code = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &found);
    if (code == MPI_SUCCESS && flag) {
        code = MPI_Get_count(&found, MPI_BYTE, &n);
        *there = code == MPI_SUCCESS;
        *mail = (sal_mail){found.MPI_SOURCE, found.MPI_TAG, (size_t)n};
    }
    return outcome(code, "look for messages", err);
}

static sal_status mpi_broadcast(void *ctx, void *bytes, size_t n, sal_err *err)
{
    (void)ctx;
    return n > INT_MAX
               ? too_long(err)
               : outcome(MPI_Bcast(bytes, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD), "broadcast", err);
}

typedef struct parts {
    int *count, *at; /* [size] numbers of each rank, and where they begin */
    int size;
} parts;

static parts the_parts; /* of a collection: one at a time */

static sal_status mpi_collect(void *ctx, double *x, const size_t *at, const size_t *n, sal_err *err)
{
    const parts *p = ctx;
    for (int k = 0; k < p->size; k++) {
        if (at[k] + n[k] > INT_MAX) {
            return too_long(err);
        }
        p->at[k] = (int)at[k];
        p->count[k] = (int)n[k];
    }
    return outcome(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, p->count, p->at,
                                  MPI_DOUBLE, MPI_COMM_WORLD),
                   "collect", err);
}

/* ---- beginning and end ---- */

sal_status cli_mpi_begin(sal_ranks *ranks, sal_err *err)
{
    int provided, rank = 0, size = 1;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    code = code == MPI_SUCCESS ? MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) : code;
    code = code == MPI_SUCCESS ? MPI_Comm_rank(MPI_COMM_WORLD, &rank) : code;
    code = code == MPI_SUCCESS ? MPI_Comm_size(MPI_COMM_WORLD, &size) : code;
    if (code != MPI_SUCCESS) {
        return outcome(code, "begin", err);
    }
    the_parts = (parts){.count = sal_alloc(2 * (size_t)size, sizeof(int)), .size = size};
    if (the_parts.count == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d ranks", size);
    }
    the_parts.at = the_parts.count + size;
    *ranks = (sal_ranks){.rank = rank,
                         .size = size,
                         .ctx = &the_parts,
                         .send = mpi_send,
                         .post = mpi_post,
                         .receive = mpi_receive,
                         .probe = mpi_probe,
                         .broadcast = mpi_broadcast,
                         .collect = mpi_collect};
    return SAL_OK;
}

/* Looks, at first often, then a thousand times a second: others may be busy for long. */
bool cli_mpi_meet(double seconds)
{
    enum { EAGER = 1000 };
    const double begin = MPI_Wtime();
    MPI_Request request;
    int there = 0;
    /* NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): who waits no longer ends the program */
    if (MPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) {
        return false;
    }
    for (int k = 0; !there; k++) {
        if (MPI_Test(&request, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
            (!there && seconds > 0 && MPI_Wtime() - begin > seconds)) {
            return false;
        }
        if (!there && k > EAGER) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    }
    return true;
}

void cli_mpi_end(void)
{
    sal_free(the_parts.count);
    the_parts = (parts){0};
    forget_arrived();
    MPI_Finalize();
}

/* "Open MPI v4.1.4, package: .., ident: .., repo rev: .., date", of several lines elsewhere: the
 * first words say it. */
void cli_mpi_name(char name[CLI_MPI_NAME])
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int n = 0;
    if (MPI_Get_library_version(text, &n) != MPI_SUCCESS) {
        snprintf(text, sizeof text, "unknown");
    }
    snprintf(name, CLI_MPI_NAME, "%.*s", (int)strcspn(text, ",\n"), text);
}

void cli_mpi_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}
