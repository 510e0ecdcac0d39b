import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from './load.ts';
import { sleep } from './processes.ts';

/** Figures of a port that leads to `anchors/tcp-peer.ts`. */
export interface TcpFigures {
  /** Download throughput in MiB per second. */
  readonly downMibps: number;
  /** Upload throughput in MiB per second, until the peer has confirmed all bytes. */
  readonly upMibps: number;
  /** The median round trip of 64 bytes on an open connection, in milliseconds. */
  readonly roundTripMs: number;
  /** The median from opening a connection to the first byte back, in milliseconds. */
  readonly firstByteMs: number;
}

const mebibyte = 1024 * 1024;
const block = Buffer.alloc(256 * 1024, 'corral');

/** Measures a port; download and upload take about `seconds` each. */
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

/** Reads into one reused buffer, so that the client costs little. */
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
  await sleep(1_000);
  const [before, startedAt] = [sizeBytes, performance.now()];
  await sleep(seconds * 1_000);
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
  const confirmed = Number((await nextChunk(socket)).toString());
  if (confirmed !== sizeBytes) throw new Error(`${confirmed} bytes of ${sizeBytes} arrived.`);
  const mibps = sizeBytes / mebibyte / ((performance.now() - startedAt) / 1_000);
  socket.destroy();
  return mibps;
}
