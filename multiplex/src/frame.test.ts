import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolViolation } from './errors.ts';
import { decodeFrame, encodeFrame } from './frame.ts';
import type { Frame } from './frame.ts';

const magic = [27, 27, 46, 134, 44, 205, 244, 157, 82, 109, 227, 13, 167, 171, 225, 140];
const id = fc.maxSafeNat();
const credit = fc.nat({ max: 0xffff_ffff });
const bytes = fc.uint8Array({ maxLength: 64 });
const constant = <Kind extends Frame['kind']>(kind: Kind) => fc.constant(kind);

const anyFrame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ kind: constant('Hello'), info: bytes }),
  fc.record({ kind: constant('Close'), reason: bytes }),
  fc.record({
    kind: constant('ChannelRequest'),
    senderId: id,
    frameCredit: credit,
    byteCredit: credit,
    endpoint: bytes,
  }),
  fc.record({
    kind: constant('ChannelAccept'),
    receiverId: id,
    senderId: id,
    frameCredit: credit,
    byteCredit: credit,
  }),
  fc.record({ kind: constant('ChannelReject'), receiverId: id, reason: bytes }),
  fc.record({ kind: constant('ChannelData'), receiverId: id, payload: bytes }),
  fc.record({ kind: constant('ChannelAdjust'), receiverId: id, frameCredit: credit, byteCredit: credit }),
  fc.record({ kind: constant('ChannelClose'), receiverId: id, reason: bytes }),
  fc.record({ kind: constant('ChannelClosed'), receiverId: id, reason: bytes }),
  fc.record({ kind: constant('Ping') }),
  fc.record({ kind: constant('Pong') }),
);

/** Byte lengths up to the end of the fixed fields, by tag. */
const fixedLengths: Record<number, number> = {
  0x00: 17,
  0xff: 1,
  0x10: 17,
  0x11: 25,
  0x12: 9,
  0x13: 9,
  0x14: 17,
  0x15: 9,
  0x17: 9,
  0x20: 1,
  0x21: 1,
};

describe('frames', () => {
  test('[FR1] every frame has its tag and its fields in big-endian order', () => {
    const text = Uint8Array.of(0x61, 0x62);
    const ids = { receiverId: 0x0001_0203_0405_0607, senderId: 9 };
    const credits = { frameCredit: 0x01020304, byteCredit: 0xfffefdfc };
    const idBytes = [0, 1, 2, 3, 4, 5, 6, 7];
    const creditBytes = [1, 2, 3, 4, 255, 254, 253, 252];
    const nine = [0, 0, 0, 0, 0, 0, 0, 9];
    const wire = (frame: Frame): number[] => [...encodeFrame(frame)];
    expect(wire({ kind: 'Hello', info: text })).toEqual([0, ...magic, 97, 98]);
    expect(wire({ kind: 'Close', reason: text })).toEqual([0xff, 97, 98]);
    expect(wire({ kind: 'ChannelRequest', senderId: 9, ...credits, endpoint: text })).toEqual([
      0x10,
      ...nine,
      ...creditBytes,
      97,
      98,
    ]);
    expect(wire({ kind: 'ChannelAccept', ...ids, ...credits })).toEqual([
      0x11,
      ...idBytes,
      ...nine,
      ...creditBytes,
    ]);
    const { receiverId } = ids;
    expect(wire({ kind: 'ChannelReject', receiverId, reason: text })).toEqual([0x12, ...idBytes, 97, 98]);
    expect(wire({ kind: 'ChannelData', receiverId, payload: text })).toEqual([0x13, ...idBytes, 97, 98]);
    expect(wire({ kind: 'ChannelAdjust', receiverId, ...credits })).toEqual([
      0x14,
      ...idBytes,
      ...creditBytes,
    ]);
    expect(wire({ kind: 'ChannelClose', receiverId, reason: text })).toEqual([0x15, ...idBytes, 97, 98]);
    expect(wire({ kind: 'ChannelClosed', receiverId, reason: text })).toEqual([0x17, ...idBytes, 97, 98]);
    expect(wire({ kind: 'Ping' })).toEqual([0x20]);
    expect(wire({ kind: 'Pong' })).toEqual([0x21]);
  });

  test('[FR1] decoding is the inverse of encoding', () => {
    fc.assert(
      fc.property(anyFrame, (frame) => {
        expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
      }),
    );
  });

  test('[FR1] [FR2] [FR3] any bytes are either a frame or a violation', () => {
    const tagged = fc
      .tuple(fc.constantFrom(...Object.keys(fixedLengths).map(Number)), fc.uint8Array({ maxLength: 40 }))
      .map(([tag, rest]) => Uint8Array.of(tag, ...rest));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), tagged), (message) => {
        try {
          expect(decodeFrame(message).kind).toBeTypeOf('string');
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolViolation);
        }
      }),
    );
  });

  test('[FR2] one byte less than the fixed fields is a violation', () => {
    fc.assert(
      fc.property(anyFrame, (frame) => {
        const message = encodeFrame(frame);
        const fixed = fixedLengths[message[0]!]!;
        expect(decodeFrame(message.subarray(0, fixed)).kind).toBe(frame.kind);
        expect(() => decodeFrame(message.subarray(0, fixed - 1))).toThrow(ProtocolViolation);
      }),
    );
  });

  test('[FR3] unknown tags and empty messages are violations', () => {
    for (let tag = 0; tag < 256; tag += 1) {
      if (fixedLengths[tag] !== undefined) continue;
      expect(() => decodeFrame(Uint8Array.of(tag, ...magic, ...magic))).toThrow(ProtocolViolation);
    }
    expect(() => decodeFrame(new Uint8Array(0))).toThrow(ProtocolViolation);
  });

  test('[FR4] ids above 2^53 - 1 are violations', () => {
    const most = encodeFrame({
      kind: 'ChannelData',
      receiverId: Number.MAX_SAFE_INTEGER,
      payload: new Uint8Array(0),
    });
    expect(decodeFrame(most)).toMatchObject({ receiverId: Number.MAX_SAFE_INTEGER });
    most[2] = 0x20;
    expect(() => decodeFrame(most)).toThrow(ProtocolViolation);
  });

  test('[FR6] bytes after the fields are ignored in frames without a variable last field', () => {
    expect(decodeFrame(Uint8Array.of(0x20, 1, 2, 3))).toEqual({ kind: 'Ping' });
    const adjust: Frame = { kind: 'ChannelAdjust', receiverId: 1, frameCredit: 2, byteCredit: 3 };
    expect(decodeFrame(Uint8Array.of(...encodeFrame(adjust), 9))).toEqual(adjust);
  });

  test('[HE2] a Hello with another magic is a violation', () => {
    const message = encodeFrame({ kind: 'Hello', info: new Uint8Array(0) });
    message[16] = 0;
    expect(() => decodeFrame(message)).toThrow(ProtocolViolation);
  });

  test('[FR1] a view into a larger buffer is decoded at its offset', () => {
    const message = encodeFrame({ kind: 'ChannelData', receiverId: 5, payload: Uint8Array.of(1, 2) });
    const shifted = Uint8Array.of(9, 9, 9, ...message).subarray(3);
    expect(decodeFrame(shifted)).toEqual({
      kind: 'ChannelData',
      receiverId: 5,
      payload: Uint8Array.of(1, 2),
    });
  });
});
