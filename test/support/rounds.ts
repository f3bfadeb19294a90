/** How hard the tests that kill the service try: little by default, and as hard as is wanted by hand. */
export const KILL_ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 2);
export const KILL_CLIENTS = Number(process.env.TEST_KILL_CLIENTS ?? 64);
/** Answers after which a round ends. */
export const ANSWERS_A_ROUND = Number(process.env.TEST_KILL_ANSWERS ?? 1500);
