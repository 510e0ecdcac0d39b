import { createServer, type AddressInfo } from 'node:net';

/**
 * The server behind a forward. The first byte of a connection selects: `e` echoes, `d` sends until the connection ends, `u`
 * reads to the end and returns the number of bytes.
 */
const block = Buffer.alloc(256 * 1024, 'corral');

const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (first: Buffer) => {
    const rest = first.subarray(1);
    switch (String.fromCharCode(first[0] ?? 0)) {
      case 'e':
        socket.on('data', (bytes) => void socket.write(bytes)).once('end', () => socket.end());
        if (rest.length > 0) socket.write(rest);
        break;
      case 'd': {
        const more = (): void => {
          while (!socket.destroyed && socket.write(block));
        };
        socket.on('drain', more).once('end', () => socket.destroy());
        more();
        break;
      }
      case 'u': {
        let sizeBytes = rest.length;
        socket.on('data', (bytes: Buffer) => void (sizeBytes += bytes.length));
        socket.once('end', () => socket.end(`${sizeBytes}\n`));
        break;
      }
      default:
        socket.destroy();
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
