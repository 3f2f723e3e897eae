# "physics/physics.h" -> <saltus/physics.h>, "base/v3.h" -> <saltus/base/v3.h>
s|^#include "\([a-z]*\)/\1\.h"|#include <saltus/\1.h>|
s|^#include "\([a-z0-9_/]*\.h\)"|#include <saltus/\1>|
