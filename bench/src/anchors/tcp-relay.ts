import { connect, createServer, type AddressInfo } from 'node:net';

/** The simplest relay in Node: pipes connections to a port of this machine. */
const targetPort = Number(process.argv[2]);

const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
  const far = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true, noDelay: true });
  near.on('error', () => far.destroy()).pipe(far);
  far.on('error', () => near.destroy()).pipe(near);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
