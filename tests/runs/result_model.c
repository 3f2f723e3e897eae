/* result_model.c: prints the model that replays a result, for the tests that load it elsewhere.
 * result_model RESULT.h5 > model.xml */
#include "problems/result/result.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    sal_result *r = NULL;
    sal_err err = {0};
    if (argc != 2 || sal_result_read(&r, argv[1], &err) != SAL_OK) {
        fprintf(stderr, "result_model: %s\n", argc == 2 ? err.message : "wants one result");
        return 1;
    }
    fputs(r->model_xml, stdout);
    sal_result_free(r);
    return 0;
}
