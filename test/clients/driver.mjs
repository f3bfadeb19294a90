// Calls the installed client. Reads calls from standard input and writes their results, one JSON text per line.
import { createInterface } from 'node:readline';
import { ApiError, CreatorDataClient } from 'creator-data-client';

const { hasCache, ...options } = JSON.parse(process.env.CLIENT_OPTIONS);
const client = new CreatorDataClient({ ...options, ...(hasCache ? { cache: new Map() } : {}) });
let last;

const described = ({ headers, ...answer }) => ({ ...answer, contentType: headers.get('content-type') });

async function call({ method, parameters, usesLast, abortAfterMs, ...more }) {
  const [group, name] = method.split('.');
  const callOptions = {
    ...more,
    ...(usesLast ? { previous: last } : {}),
    ...(abortAfterMs === undefined ? {} : { signal: AbortSignal.timeout(abortAfterMs) }),
  };
  const result = client[group][name](parameters, callOptions);
  if (!(Symbol.asyncIterator in result)) {
    last = await result;
    return { answer: described(last) };
  }
  const items = [];
  for await (const item of result) items.push(name.endsWith('All') ? item : described(item));
  return { items };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await call(JSON.parse(line)).catch((error) => ({
    error:
      error instanceof ApiError
        ? { type: error.name, message: error.message, ...described(error) }
        : { type: error.name, message: error.message },
  }));
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
