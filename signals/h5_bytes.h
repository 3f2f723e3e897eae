/* h5_bytes.h: private to signals. What is done to the bytes of an HDF5 file without libhdf5. */
#ifndef SAL_SIGNALS_H5_BYTES_H
#define SAL_SIGNALS_H5_BYTES_H

#include "base/house.h"

/* The seal: a line behind the end of the file, with the digest of all before it. */
#define SIG_H5_SEAL_TEXT "\n# saltus sha256 "
enum { SIG_H5_SEAL = sizeof SIG_H5_SEAL_TEXT - 1 + 64 + 1 };

/* Writes that of n bytes to end [SIG_H5_SEAL]. sha: of the file and its seal, not ended */
void sig_h5_seal(char *end, const char *bytes, size_t n, sal_sha256 *sha);
/* False if there is a seal and it does not fit, or is cut off. libhdf5 never sees such a file. */
bool sig_h5_is_whole(const char *bytes, size_t n);

/* H5Fget_file_image clears the superblock's mark "open for writing" but (in 1.10) leaves the
 * checksum that covers it. */
void sig_h5_mend(char *image, size_t n);

#endif
