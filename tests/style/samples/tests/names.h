typedef struct trial {
    int n;
} trial;
void sal_trial_run(trial *t); /* fault: sal_ is the product's */
