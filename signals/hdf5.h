/* hdf5.h: what readers that use libhdf5 share; private to signals/ */
#ifndef SAL_SIGNALS_HDF5_H
#define SAL_SIGNALS_HDF5_H

/* Between these two libhdf5 prints nothing. */
void sig_hdf5_mute(void);
void sig_hdf5_unmute(void);

#endif
