// @ts-check
/** Ports of all members, on 127.0.0.1. @typedef {ReturnType<typeof ports>} Ports */

/** Sentinel's name of the Redis. */
export const REDIS_NAME = 'creator-data';

export const NODES = [1, 2, 3];

/** @param {number} first port */
export function ports(first) {
  const group = (/** @type {number} */ tens) => (/** @type {number} */ nth) => first + 10 * tens + nth;
  const [api, writer, reader] = [first, first + 1, first + 2];
  const sentinel = group(5);
  const sentinels = NODES.map((nth) => `127.0.0.1:${sentinel(nth)}`).join();
  return {
    /** HAProxy: the API, the writing node, all nodes. */
    api,
    writer,
    reader,
    galera: group(1),
    /** Health checks of the nodes. */
    check: group(7),
    galeraGroup: group(2),
    galeraState: group(3),
    redis: group(4),
    sentinel,
    service: group(6),
    databaseUrl: `mysql://creator_data@127.0.0.1:${writer}/creator_data`,
    replicaUrl: `mysql://creator_data@127.0.0.1:${reader}/creator_data`,
    redisUrl: `redis+sentinel://${sentinels}/${REDIS_NAME}`,
  };
}
