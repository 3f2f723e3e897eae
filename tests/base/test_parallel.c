/* How many threads a loop is given, and that it runs every task once. */
#include "tests/check.h"

#include "base/house.h"

static void a_loop_has_one_thread_or_all(void)
{
    CHECK(sal_parallel_worth(2, 199e3) == 1 && sal_parallel_worth(2, 201e3) == 2);
    CHECK(sal_parallel_worth(64, 199e3) == 1 && sal_parallel_worth(64, 201e3) == 64);
    CHECK(sal_parallel_worth(1, 1e12) == 1 && sal_parallel_worth(0, 1e12) == 1);
    CHECK(sal_parallel_worth(2, 0) == 1);
}

static void a_crew_has_work_for_each(void)
{
    CHECK(sal_parallel_crew(64, 0) == 1 && sal_parallel_crew(64, 199e3) == 1);
    CHECK(sal_parallel_crew(64, 201e3) == 2 && sal_parallel_crew(64, 1001e3) == 10);
    CHECK(sal_parallel_crew(64, 1e9) == 64 && sal_parallel_crew(2, 1e30) == 2);
    CHECK(sal_parallel_crew(1, 1e9) == 1);
}

enum { TASKS = 1000 };

typedef struct counts {
    int task[TASKS], worker[4];
} counts;

static void count(void *ctx, int index, int worker)
{
    counts *c = ctx;
    c->task[index]++;
    c->worker[worker]++; /* one call at a time */
}

static void each_task_is_run_once(void)
{
    for (int nthread = 0; nthread <= 4; nthread++) {
        counts c = {0};
        int sum = 0;
        sal_parallel_for(TASKS, nthread, count, &c);
        for (int i = 0; i < TASKS; i++) {
            sum += c.task[i] == 1;
        }
        CHECK(sum == TASKS);
        CHECK(c.worker[0] + c.worker[1] + c.worker[2] + c.worker[3] == TASKS);
        CHECK(nthread > 1 || c.worker[0] == TASKS);
    }
}

int main(void)
{
    RUN(a_loop_has_one_thread_or_all);
    RUN(a_crew_has_work_for_each);
    RUN(each_task_is_run_once);
    return check_done();
}
