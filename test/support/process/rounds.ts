/** How hard the tests that kill the service try: little by default, and as hard as is wanted by hand. */
export const KILL_ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 2);
export const KILL_CLIENTS = Number(process.env.TEST_KILL_CLIENTS ?? 64);
/** Answers after which a round ends. */
export const ANSWERS_A_ROUND = Number(process.env.TEST_KILL_ANSWERS ?? 1500);

/** Requests whose bill is checked: two thousand by default, a hundred thousand take minutes. */
export const MIXED_REQUESTS = Number(process.env.TEST_MIXED_REQUESTS ?? 2000);

/** How the database server goes away: `cut` and, as it takes the longest of all timeouts, only by hand `hang`. */
export const OUTAGES = (process.env.TEST_OUTAGES ?? 'cut').split(',');
