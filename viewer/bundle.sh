#!/bin/sh
# bundle.sh PACKAGES OUT.c ENTRY.js ...: the script and all it needs in one, as a string of C. Numbers,
# not a literal: C17 promises literals of 4095 letters only.
set -eu
packages=$1 out=$2 entry=$3
NODE_PATH=$packages "$packages/.bin/esbuild" "$entry" --bundle --minify --format=iife --target=es2020 --charset=utf8 \
    --legal-comments=inline --loader:.css=text --loader:.html=text --log-level=warning --outfile="$out.js"
{
    echo '#include "pages/report.h"'
    echo 'static const unsigned char script[] = {'
    od -An -v -tu1 "$out.js" | sed 's/^ *//; s/ *$//; s/  */,/g; s/$/,/'
    echo '0};'
    echo 'const char *const page_player_script = (const char *)script;'
} >"$out"
rm "$out.js"
