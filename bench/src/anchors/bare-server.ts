import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * The anchor of abuse: the least that a server can do with a connection. It reads a body to its announced end, answers a sentence and closes; what it takes from the hub beside it is
 * only the time of the machine. A WebSocket is accepted, and what comes on it stays unread. Node's HTTP server would parse all that is sent ahead.
 */
const answer =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n{"message":"-"}';
const accepted =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';
const isLink = /\r\nupgrade: websocket\r\n[^]*\r\nx-device-fingerprint: /i;

function serve(socket: Socket): void {
  let leftBytes: number | undefined;
  const onData = (chunk: Buffer): void => {
    if (leftBytes === undefined) {
      const head = chunk.toString('latin1', 0, 32_768);
      if (isLink.test(head)) {
        socket.off('data', onData).pause();
        return void socket.write(accepted);
      }
      leftBytes = head.indexOf('\r\n\r\n') + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    leftBytes -= chunk.length;
    if (leftBytes <= 0) socket.off('data', onData).resume().end(answer);
  };
  socket.on('data', onData).on('error', () => socket.destroy());
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
