// Clients that connect for each request, until a connection fails. Prints the codes of the failures as JSON.
import { once } from 'node:events';
import { connect } from 'node:net';

const [port, clients] = process.argv.slice(2).map(Number);

async function reconnect() {
  for (;;) {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
    try {
      await once(socket, 'end');
    } catch (error) {
      return error.code;
    }
  }
}

const codes = await Promise.all(Array.from({ length: clients }, reconnect));
process.stdout.write(JSON.stringify(codes));
