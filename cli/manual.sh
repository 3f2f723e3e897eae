#!/bin/sh
# Writes the manual pages of the command and of its verbs, as saltus.1 and saltus-VERB.1, to a folder.
# usage: manual.sh SALTUS FOLDER
set -eu
saltus=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
"$saltus" manual -o "$folder/saltus.1"
for verb in $("$saltus" help | awk '/^  [a-z]/ { print $1 }'); do
    "$saltus" manual "$verb" -o "$folder/saltus-$verb.1"
done
