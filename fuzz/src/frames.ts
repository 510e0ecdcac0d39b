import { encodeFrame, type Frame } from '@corral/multiplex';
import type { Random } from './Random.ts';

const endpoints = [
  'executor',
  'forward/tcp/80',
  'device/d_1111111111111111111111/proxy/forward/tcp/80',
  '',
  '💧',
];
const credits = [0, 1, 128, 512, 16_384, 65_535, 0x7fff_ffff, 0xffff_ffff];
const encoder = new TextEncoder();

/** A random well-formed frame with small ids. */
export function sampleFrame(random: Random): Uint8Array {
  return encodeFrame(random.pick(makers)(random));
}

const id = (random: Random): number => (random.oneIn(12) ? random.next() : random.below(6));
const credit = (random: Random): number => random.pick(credits);
const text = (random: Random): Uint8Array => encoder.encode(random.pick(endpoints));
const payload = (random: Random): Uint8Array =>
  random.bytes(random.oneIn(300) ? random.below(18_000) : random.below(48));

const makers: readonly ((random: Random) => Frame)[] = [
  (random) => ({ kind: 'Hello', info: random.oneIn(4) ? text(random) : new Uint8Array(0) }),
  (random) => ({ kind: 'Close', reason: text(random) }),
  (random) => ({
    kind: 'ChannelRequest',
    senderId: id(random),
    frameCredit: credit(random),
    byteCredit: credit(random),
    endpoint: text(random),
  }),
  (random) => ({
    kind: 'ChannelAccept',
    receiverId: id(random),
    senderId: id(random),
    frameCredit: credit(random),
    byteCredit: credit(random),
  }),
  (random) => ({ kind: 'ChannelReject', receiverId: id(random), reason: text(random) }),
  (random) => ({ kind: 'ChannelData', receiverId: id(random), payload: payload(random) }),
  (random) => ({ kind: 'ChannelData', receiverId: id(random), payload: payload(random) }),
  (random) => ({
    kind: 'ChannelAdjust',
    receiverId: id(random),
    frameCredit: credit(random),
    byteCredit: credit(random),
  }),
  (random) => ({ kind: 'ChannelClose', receiverId: id(random), reason: text(random) }),
  (random) => ({ kind: 'ChannelClosed', receiverId: id(random), reason: text(random) }),
  () => ({ kind: 'Ping' }),
  () => ({ kind: 'Pong' }),
];
