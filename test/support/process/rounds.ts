/** Number of rounds and clients of the tests that kill the service. */
export const KILL_ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 2);
export const KILL_CLIENTS = Number(process.env.TEST_KILL_CLIENTS ?? 64);
/** Number of answers after which a round ends. */
export const ANSWERS_A_ROUND = Number(process.env.TEST_KILL_ANSWERS ?? 1500);

/** Number of requests whose bill is checked; 100,000 take minutes. */
export const MIXED_REQUESTS = Number(process.env.TEST_MIXED_REQUESTS ?? 2000);

/** Kinds of outage: `cut`, and `hang`, which is not in the default because it takes the longest timeout. */
export const OUTAGES = (process.env.TEST_OUTAGES ?? 'cut').split(',');
