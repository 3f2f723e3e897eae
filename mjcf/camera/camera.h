/* camera.h: the steps of cameras; private to mjcf/. */
#ifndef SAL_MJCF_CAMERA_H
#define SAL_MJCF_CAMERA_H

#include "mjcf/compile.h"
#include "mjcf/writer.h"

/* Finds its target; its lens. */
void spec_compile_camera(spec_work *w, spec_camera *c);
void spec_fill_cameras(const mjcf_spec *spec, sal_model *m);
void mjcf_write_camera(mjcf_writer *w, sal_xml *body, int c);

#endif
