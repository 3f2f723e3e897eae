/* start.h: what is settled before the command does anything; private to cli. */
#ifndef SAL_CLI_START_H
#define SAL_CLI_START_H

/* Opens /dev/null in place of standard streams that are closed, so that no file of ours gets their
 * number: standard output such that writing to it fails. A broken pipe and a file beyond the
 * allowed size (`ulimit -f`) become errors of the write instead of signals that end the program. */
void cli_start(void);

/* work(ctx), on a stack of its own where the system allows this program only a small one (`ulimit
 * -s`) and gives us memory for a larger. */
int cli_with_stack(int (*work)(void *ctx), void *ctx);

#endif
