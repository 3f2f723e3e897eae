void trial(void); /* fault: a type elsewhere */
