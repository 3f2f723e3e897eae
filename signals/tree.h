/* tree.h: arrays that stand in groups within groups, as files of HDF5 and MATLAB have them; private
 * to signals/. */
#ifndef SAL_SIGNALS_TREE_H
#define SAL_SIGNALS_TREE_H

#include "signals/arrays.h"

typedef enum sig_leaf_kind { SIG_LEAF_NUMBERS, SIG_LEAF_WORDS, SIG_LEAF_OTHER } sig_leaf_kind;

typedef struct sig_leaf {
    /* the names of its groups and its own, with '/' between */
    char *path;
    sig_leaf_kind kind;
    /* of which SIG_ARRAY_NDIM are kept */
    int ndim;
    size_t shape[SIG_ARRAY_NDIM];
    /* how the file is asked for it */
    const void *handle;
} sig_leaf;

typedef struct sig_tree {
    /* those of one group stand side by side */
    sig_leaf *leaf;
    int n, room;
    /* Puts the numbers or words of a leaf of at most SIG_ARRAY_NDIM dimensions into an array that
     * has its shape. SAL_BADINPUT: it cannot be read, as the error says. */
    sal_status (*read)(void *file, const sig_leaf *leaf, sig_array *a, sal_err *err);
    void *file;
} sig_tree;

/* A new leaf with this path, where the caller fills in the rest; NULL: no memory. */
sig_leaf *sig_tree_add(sig_tree *t, const char *path);
void sig_tree_clear(sig_tree *t);
/* Makes columns of the arrays, of those of one clip where groups side by side are clips. */
sal_status sig_tree_read(sig_signals *s, const sig_tree *t, sal_diag *diag, sal_err *err);
/* The names of the clips, none where there is one alone. */
sal_status sig_tree_names(sig_names *names, const sig_tree *t, sal_err *err);

#endif
