# Types words and the Tab key in a zsh on a terminal of its own; succeeds once the line shows what is expected.
# usage: zsh -f completion.zsh FUNCTIONS WORDS EXPECTED
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; setopt nolistbeep; bindkey -e; echo come''plete"

# wait_for WORDS: until they have been shown; 20 s at most
wait_for() {
    local shown part
    integer i
    for ((i = 0; i < 200; i++)); do
        while zpty -r -t shell part; do
            shown+=$part
        done
        # what is left without the terminal's own commands
        print -rn -- "$shown" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g' | tr -d '\a\r\b' | grep -qF -- "$1" && return 0
        sleep 0.1
    done
    print -r -- "$shown" | cat -v
    return 1
}

wait_for comeplete || exit 1
zpty -w -n shell "$2"$'\t'
wait_for "$3"
code=$?
zpty -d shell
exit $code
