// @ts-check
// Health check for HAProxy: 200 while a node is in the primary component and synced, else 503. Each argument is
// PORT:PORT_OF_NODE.
import { createServer } from 'node:http';
import { isSynced } from './galera.mjs';

for (const pair of process.argv.slice(2)) {
  const [port, node] = pair.split(':').map(Number);
  createServer(async (_request, response) => {
    response.statusCode = (await isSynced(Number(node), 'check_node')) ? 200 : 503;
    response.end();
  }).listen(port, '127.0.0.1');
}
