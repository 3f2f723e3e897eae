/* start.h: the starts of a problem, each a solve of its own. */
#ifndef SAL_PROBLEMS_SOLVE_START_H
#define SAL_PROBLEMS_SOLVE_START_H

#include "problems/result/result.h"
#include "problems/solve/fingerprint.h"
#include "problems/solve/refine.h"
#include "problems/transcribe.h"

typedef struct prb_start {
    struct prb_race *race;
    sal_problem p; /* as this start sees it */
    int index, nthread;
    unsigned long seed;
    /* whose path's end it begins at; NULL: at its own guess */
    const struct prb_start *from;
    double noise;  /* around that */
    bool softened; /* from where its projection failed, with a stretch that is soft */
    bool repeated; /* in one way or the other: it counts where it is physical */
    prb_transcription *tr;
    sal_optim *optim;
    double *x;
    sal_optim_result found;
    prb_iteration *iteration;
    int niteration, capacity;
    prb_refined coarse; /* what coarse solutions took before this one */
    void *state;        /* of the optimizer, for its checkpoints; */
    sal_text file;      /* which are composed here */
    double synced;      /* and of which a copy was last synced then */
    double rests;       /* until then (s) no other is written */
    bool passed;        /* its motion is not as asked: another one's may be */
    sal_status status;
    sal_err err;
} prb_start;

typedef struct prb_race { /* all starts of a problem */
    const sal_problem *p;
    const sal_watch *watch;
    prb_start *start;
    int nstart;   /* the most there may be */
    int nguess;   /* of these, the ones that begin at a guess of their own, */
    int nharden;  /* those that begin at the end of a path, */
    int nsoften;  /* and those that begin where a projection failed */
    int ntried;   /* before those that run now */
    double begin; /* s */
    prb_fingerprint print;
    bool known; /* the fingerprint is: it is made when the first checkpoint needs it */
    int stop;   /* 1: somebody asked to */
    int warned; /* 1: a checkpoint could not be written */
} prb_race;

/* Who shares the solves; NULL: nobody. Among them what rank 0 knows goes for all. */
const sal_ranks *prb_ranks_of(const sal_watch *watch);
sal_status prb_tell_ranks(const sal_ranks *ranks, void *bytes, size_t n, sal_err *err);

/* The digests that checkpoints need, unless they are known. */
sal_status prb_know_print(prb_race *race, sal_err *err);
/* Solves start number ntried + index of the race ctx, or goes on from its checkpoint: a
 * sal_task. */
void prb_start_run(void *ctx, int index, int worker);
/* What it has */
void prb_start_free(prb_start *start);

#endif
