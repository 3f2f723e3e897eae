/* corpus.h: the files of a folder of the corpus, in the order of their names. For tests only. */
#ifndef SAL_TESTS_PHYSICS_CORPUS_H
#define SAL_TESTS_PHYSICS_CORPUS_H

/* Calls visit(path, name) for each file of $SALTUS_CORPUS/folder whose name ends so; none if there
 * is no such folder. */
void corpus_each(const char *folder, const char *ending,
                 void (*visit)(const char *path, const char *name));
/* The same for a folder of ours. */
void corpus_each_own(const char *folder, const char *ending,
                     void (*visit)(const char *path, const char *name));
/* The same for any folder, and all that are below it. */
void corpus_below(const char *folder, const char *ending,
                  void (*visit)(const char *path, const char *name));

#endif
