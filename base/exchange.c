/* exchange.c: a file takes the name of another one, which keeps the first one's name. */
#define _GNU_SOURCE /* renameat2 */
#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>

/* A rename onto an existing file has ext4 begin to write the new one to the disk at once (mount
 * option auto_da_alloc), which takes a hundred times as long as all else here; an exchange of two
 * names does not. Other file systems may not know exchanges. */
int sal_file_exchange(const char *from, const char *to)
{
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0) {
        return 0;
    }
#endif
    return rename(from, to);
}
