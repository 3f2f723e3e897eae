/* still.c: saltus built without what plays a motion. */
#include "pages/report.h"

const char *const page_player_script = NULL;
