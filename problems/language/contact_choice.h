/* contact_choice.h: private to problems. Which contact model to choose when, as a table:
 * docs/contact_models.md and the explanation of `contactmodel` come from it. */
#ifndef SAL_PROBLEMS_LANGUAGE_CONTACT_CHOICE_H
#define SAL_PROBLEMS_LANGUAGE_CONTACT_CHOICE_H

/* X(code, heading, meaning): what a contact model is judged by, a column each. A box of .5 m that
 * falls .2 m is models/box.xml. */
#define PRB_CONTACT_ASPECT_LIST(X)                                                                 \
    X(PRB_CONTACT_COST, "cost",                                                                    \
      "of evaluating a motion, in units of `soft` (examples/walker_walk.xml)")                     \
    X(PRB_CONTACT_INVERSE, "inverse", "how the force follows from a motion")                       \
    X(PRB_CONTACT_SMOOTH, "smooth", "how often the force can be differentiated")                   \
    X(PRB_CONTACT_EARLY, "early", "whether there is a force before things touch")                  \
    X(PRB_CONTACT_REST, "rest", "what a thing at rest does")                                       \
    X(PRB_CONTACT_CREEP, "creep", "whether what friction holds moves")                             \
    X(PRB_CONTACT_LIFT, "lift",                                                                    \
      "how high it lifts what slides at speed v in steps of h, friction mu")                       \
    X(PRB_CONTACT_DEPTH, "depth",                                                                  \
      "how deep a box of .5 m that falls .2 m gets (negative: it stays above the floor), with "    \
      "steps of 10 and of 50 ms")

typedef enum prb_contact_aspect {
#define PRB_CONTACT_ASPECT_ENUM(code, heading, meaning) code,
    PRB_CONTACT_ASPECT_LIST(PRB_CONTACT_ASPECT_ENUM)
#undef PRB_CONTACT_ASPECT_ENUM
        PRB_NCONTACTASPECT
} prb_contact_aspect;

/* A row. */
typedef struct prb_contact_choice {
    /* when to choose it */
    const char *when;
    const char *is[PRB_NCONTACTASPECT];
} prb_contact_choice;

/* Of a sal_contact_model. */
const prb_contact_choice *prb_contact_choice_of(int model);
const char *prb_contact_aspect_heading(int aspect);
const char *prb_contact_aspect_meaning(int aspect);

#endif
