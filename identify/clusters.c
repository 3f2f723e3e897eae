/* clusters.c: recordings that may share errors: they are left out together. */
#include "identify/identification.h"

#include <math.h>
#include <string.h>

int idn_clusters(const prb_dataset *data, int *cluster)
{
    int n = 0;
    for (int i = 0; i < data->nrecording; i++) {
        int k = 0;
        while (k < i && strcmp(data->recording[k].cluster, data->recording[i].cluster) != 0) {
            k++;
        }
        cluster[i] = k < i ? cluster[k] : n++;
    }
    return n;
}

int idn_clusters_held(const idn_settings *e, int ncluster)
{
    const int out = (int)floor(e->holdout * ncluster + 0.5);
    return out < ncluster ? out : ncluster - 1;
}
