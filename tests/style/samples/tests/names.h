typedef struct trial {
    int n;
} trial;
void trial_run(trial *t); /* fault: sal_ is the product's */
