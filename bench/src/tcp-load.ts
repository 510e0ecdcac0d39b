import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from './load.ts';
import { pass } from './processes.ts';

/** What went through a port that leads to `anchors/tcp-peer.ts`. */
export interface TcpFigures {
  /** From the far end to here, in MiB a second. */
  readonly downMibps: number;
  /** From here to the far end, in MiB a second, until the far end has told that all is there. */
  readonly upMibps: number;
  /** The median of round trips of 64 bytes on an open connection, in milliseconds. */
  readonly roundTripMs: number;
  /** The median from opening a connection to the first byte back, in milliseconds. */
  readonly firstByteMs: number;
}

const mebibyte = 1024 * 1024;
const block = Buffer.alloc(256 * 1024, 'corral');

/** Measures a port; each way of throughput takes about `seconds`. */
export async function measurePort(port: number, seconds: number): Promise<TcpFigures> {
  await roundTrips(port, 500);
  const firstBytes: number[] = [];
  for (let count = 0; count < 60; count += 1) firstBytes.push(await firstByte(port));
  const trips = await roundTrips(port, 3_000);
  return {
    downMibps: await download(port, seconds),
    upMibps: await upload(port, seconds),
    roundTripMs: percentile(trips, 0.5),
    firstByteMs: percentile(firstBytes, 0.5),
  };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

async function roundTrips(port: number, count: number): Promise<number[]> {
  const socket = await open(port);
  const message = Buffer.alloc(64, 'x');
  socket.write('e');
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const sentAt = performance.now();
    socket.write(message);
    for (let missing = message.length; missing > 0;) missing -= (await nextChunk(socket)).length;
    durations.push(performance.now() - sentAt);
  }
  socket.destroy();
  return durations;
}

async function nextChunk(socket: Socket): Promise<Buffer> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes;
}

async function firstByte(port: number): Promise<number> {
  const startedAt = performance.now();
  const socket = await open(port);
  socket.write('ex');
  await nextChunk(socket);
  const durationMs = performance.now() - startedAt;
  socket.destroy();
  return durationMs;
}

/** Reads into one buffer, so that this end costs as little as it can. */
async function download(port: number, seconds: number): Promise<number> {
  let sizeBytes = 0;
  const socket = connect({
    host: '127.0.0.1',
    port,
    onread: {
      buffer: Buffer.alloc(mebibyte),
      callback: (length) => {
        sizeBytes += length;
        return true;
      },
    },
  });
  socket.on('error', () => socket.destroy());
  socket.write('d');
  await pass(1_000);
  const [before, startedAt] = [sizeBytes, performance.now()];
  await pass(seconds * 1_000);
  const mibps = (sizeBytes - before) / mebibyte / ((performance.now() - startedAt) / 1_000);
  socket.destroy();
  return mibps;
}

async function upload(port: number, seconds: number): Promise<number> {
  const socket = await open(port);
  socket.write('u');
  const startedAt = performance.now();
  let sizeBytes = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    sizeBytes += block.length;
    if (!socket.write(block)) await once(socket, 'drain');
  }
  socket.end();
  const told = Number((await nextChunk(socket)).toString());
  if (told !== sizeBytes) throw new Error(`${told} bytes of ${sizeBytes} arrived.`);
  const mibps = sizeBytes / mebibyte / ((performance.now() - startedAt) / 1_000);
  socket.destroy();
  return mibps;
}
