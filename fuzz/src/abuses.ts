import type { Socket } from 'node:net';
import { encodeFrame, type Frame } from '@corral/multiplex';
import { onTheWire } from './raw-link.ts';

/** What a peer does to the hub on an accepted connection. */
export type Abuse = (socket: Socket) => void;

const nothing = new Uint8Array(0);
const message = (frame: Frame): Buffer => onTheWire(2, encodeFrame(frame));
const hello = message({ kind: 'Hello', info: nothing });
const ping = message({ kind: 'Ping' });
const executor = (senderId: number): Buffer =>
  message({
    kind: 'ChannelRequest',
    senderId,
    frameCredit: 128,
    byteCredit: 16_384,
    endpoint: Buffer.from('executor'),
  });
const data = (receiverId: number, payload: Uint8Array): Buffer =>
  message({ kind: 'ChannelData', receiverId, payload });
const many = (count: number, part: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => part(index)));

/** A call that announces an input of 8 MiB and sends as much as the initial window allows. */
function hugeInput(receiverId: number): Buffer {
  const head = Buffer.concat([Buffer.from([0, 1, 0x61]), Buffer.from([0, 0x80, 0, 0])]);
  return data(receiverId, Buffer.concat([head, Buffer.alloc(16_000, 0x20)]));
}

/** A call with an input of less than 256 bytes. */
function call(name: string, input: string): Buffer {
  const [head, body] = [Buffer.from(name), Buffer.from(input)];
  return Buffer.concat([Buffer.from([0, head.length]), head, Buffer.from([0, 0, 0, body.length]), body]);
}

const actorCall = call('actor_GetActor', '{}');
/** A command that no device may call, and that the audit log records. */
const refusedCall = call('projects_CreateProject', '{"name":"x"}');

/** Repeats while the connection is open and the hub reads. */
function repeat(socket: Socket, everyMs: number, send: () => void): void {
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) send();
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** The abuses of the device link, by name. */
export const abuses = {
  /** Sends calls and reads no answer. */
  readsNothing(socket) {
    socket.pause();
    socket.write(Buffer.concat([hello, executor(1)]));
    repeat(socket, 20, () => socket.write(Buffer.concat([data(1, actorCall), many(50, () => ping)])));
  },
  /** A thousand of the smallest frames at a time. */
  tinyFrames(socket) {
    socket.write(Buffer.concat([hello, executor(1)]));
    repeat(socket, 5, () => socket.write(many(1_000, () => ping)));
  },
  /** Messages that are no frames cost as much to parse. */
  pingsOfTheWebSocket(socket) {
    socket.write(hello);
    repeat(socket, 5, () => socket.write(many(1_000, () => onTheWire(9, nothing))));
  },
  creditViolation(socket) {
    socket.write(Buffer.concat([hello, executor(1), data(1, Buffer.alloc(16_385))]));
  },
  oversizedFrame(socket) {
    socket.write(Buffer.concat([hello, onTheWire(2, Buffer.alloc(2 * 1_048_576))]));
  },
  unknownChannel(socket) {
    socket.write(Buffer.concat([hello, many(100, (index) => data(1_000 + index, Buffer.alloc(100)))]));
  },
  /** A frame of a megabyte without its last byte. */
  unfinishedFrame(socket) {
    socket.write(Buffer.concat([hello, onTheWire(2, Buffer.alloc(1_048_575), 1_048_576)]));
  },
  /** Eight calls at once with the largest announced input, which never arrives whole. */
  unfinishedInputs(socket) {
    const opened = many(8, (index) => executor(index + 1));
    socket.write(Buffer.concat([hello, opened, many(8, (index) => hugeInput(index + 1))]));
    repeat(socket, 1_000, () => socket.write(ping));
  },
  /** Eight hundred calls a second that are refused and recorded, on eight channels; the windows let no more be sent on one connection. */
  refusedCalls(socket) {
    const opened = many(8, (index) => executor(index + 1));
    const calls = many(8, (index) =>
      data(
        index + 1,
        many(100, () => refusedCall),
      ),
    );
    socket.write(Buffer.concat([hello, opened, calls]));
    const leaving = setTimeout(() => socket.destroy(), 1_000);
    socket.once('close', () => clearTimeout(leaving));
  },
  /** Requests more channels than allowed, repeatedly. */
  channelFlood(socket) {
    let senderId = 0;
    socket.write(hello);
    repeat(socket, 50, () => socket.write(many(100, () => executor((senderId += 1)))));
  },
  /** Connects and sends nothing after Hello. */
  halfOpen(socket) {
    socket.pause();
    socket.write(hello);
  },
  /** Sends nothing, not even Hello. */
  mute() {},
} satisfies Record<string, Abuse>;

/** The name of an abuse. */
export type AbuseName = keyof typeof abuses;
