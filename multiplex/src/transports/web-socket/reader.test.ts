import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import * as ws from 'ws';
import { WebSocketReader, type ReaderSink } from './reader.ts';

/** Missing in the types of `ws`. */
const { Sender } = ws as unknown as { Sender: { frame(data: Buffer, options: object): Buffer[] } };

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
type Kind = keyof typeof opcodes;

interface FrameForm {
  readonly isMasked?: boolean;
  readonly isFinal?: boolean;
  readonly rsv1?: boolean;
}

/** A frame as the package `ws` writes it. */
function frame(kind: Kind | number, payload: Uint8Array, form: FrameForm = {}): Buffer {
  const { isMasked = true, isFinal = true, rsv1 = false } = form;
  const opcode = typeof kind === 'number' ? kind : opcodes[kind];
  const options = { fin: isFinal, opcode, mask: isMasked, readOnly: true, rsv1 };
  return Buffer.concat(Sender.frame(Buffer.from(payload), options));
}

/** What a reader delivers for bytes that are split at `cuts`, `perTurn` small frames at a time. */
function delivered(
  bytes: Buffer,
  options: { cuts?: number[]; isPeerMasking?: boolean; perTurn?: number } = {},
) {
  const { cuts = [], isPeerMasking = true, perTurn = Infinity } = options;
  const seen: string[] = [];
  let message: Buffer[] = [];
  const whole = (missingBytes: number): void => {
    if (missingBytes > 0) return;
    const joined = Buffer.concat(message);
    seen.push(`message ${joined.length} ${joined.subarray(0, 8).toString('hex')} ${sum(joined)}`);
    message = [];
  };
  let missing = 0;
  const sink: ReaderSink = {
    acceptsParts: (first) => first[0] === 0x13,
    onMessage: (part, missingBytes) => {
      message.push(Buffer.from(part));
      missing = missingBytes;
      whole(missing);
    },
    onPart: (part) => {
      message.push(Buffer.from(part));
      missing -= part.length;
      whole(missing);
    },
    onIgnored: () => seen.push('ignored'),
    onPing: (payload) => seen.push(`ping ${Buffer.from(payload).toString('hex')}`),
    onClose: (payload) => seen.push(`close ${Buffer.from(payload).toString('hex')}`),
    onViolation: (reason) => seen.push(`violation: ${reason}`),
  };
  const reader = new WebSocketReader(
    { isPeerMasking, maxMessageBytes: 1_048_585, maxBeginningBytes: 16_384 },
    sink,
  );
  let from = 0;
  for (const end of [...cuts, bytes.length]) {
    let chunk = Buffer.from(bytes.subarray(from, end));
    while (chunk.length > 0) chunk = chunk.subarray(reader.read(chunk, perTurn));
    from = end;
  }
  return seen;
}

const sum = (bytes: Buffer): number => bytes.reduce((total, byte) => (total * 31 + byte) % 1_000_003, 7);
const payload = (sizeBytes: number, tag = 0x13): Buffer =>
  Buffer.from(Array.from({ length: sizeBytes }, (_, index) => (index === 0 ? tag : (index * 7) & 0xff)));

describe('messages', () => {
  const lengths = [0, 1, 8, 9, 10, 125, 126, 127, 65_535, 65_536, 1_048_585];

  test.each(lengths)('[TR1] of %i bytes are read whole, masked and plain', (sizeBytes) => {
    const bytes = payload(sizeBytes);
    const expected = [`message ${sizeBytes} ${bytes.subarray(0, 8).toString('hex')} ${sum(bytes)}`];
    expect(delivered(frame('binary', bytes))).toEqual(expected);
    expect(delivered(frame('binary', bytes, { isMasked: false }), { isPeerMasking: false })).toEqual(
      expected,
    );
  });

  test('[TR1] the same messages are delivered for every split of the bytes', () => {
    const piece = fc.record({
      kind: fc.constantFrom<Kind>('binary', 'binary', 'binary', 'text', 'ping', 'pong'),
      sizeBytes: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 70_000 })),
      tag: fc.constantFrom(0x13, 0x14),
      isMasked: fc.boolean(),
    });
    const plan = fc.record({
      pieces: fc.array(piece, { minLength: 1, maxLength: 8 }),
      cuts: fc.array(fc.nat({ max: 99_999 }), { maxLength: 40 }),
      perTurn: fc.constantFrom(1, 2, Infinity),
      isMasked: fc.boolean(),
    });
    fc.assert(
      fc.property(plan, ({ pieces, cuts, perTurn, isMasked }) => {
        const stream = Buffer.concat(
          pieces.map(({ kind, sizeBytes, tag }) =>
            frame(kind, payload(kind === 'binary' || kind === 'text' ? sizeBytes : sizeBytes % 126, tag), {
              isMasked,
            }),
          ),
        );
        const places = cuts.map((cut) => cut % stream.length).sort((left, right) => left - right);
        const options = { isPeerMasking: isMasked, perTurn };
        expect(delivered(stream, { ...options, cuts: places })).toEqual(delivered(stream, options));
      }),
      { numRuns: inject('figures').splitStreams },
    );
  });

  test('[TR1] of several frames are put together, with a Ping between them', () => {
    const bytes = payload(3_000);
    const stream = Buffer.concat([
      frame('binary', bytes.subarray(0, 1_000), { isFinal: false }),
      frame('ping', Buffer.from('p')),
      frame('continuation', bytes.subarray(1_000, 1_001), { isFinal: false }),
      frame('continuation', bytes.subarray(1_001)),
      frame('binary', Buffer.from([1])),
    ]);
    const whole = `message 3000 ${bytes.subarray(0, 8).toString('hex')} ${sum(bytes)}`;
    expect(delivered(stream)).toEqual(['ping 70', whole, `message 1 01 ${sum(Buffer.from([1]))}`]);
  });

  test.each([[[]], [[5]], [[20_000, 20_001]]])(
    '[FR6] of frames other than data no more than 16 KiB is kept, cut at %j',
    (cuts) => {
      const bytes = payload(200_000, 0x14);
      const beginning = bytes.subarray(0, 16_384);
      const expected = `message 16384 ${bytes.subarray(0, 8).toString('hex')} ${sum(beginning)}`;
      expect(delivered(frame('binary', bytes), { cuts })).toEqual([expected]);
    },
  );

  test('[TR1] of text count once, in any number of frames', () => {
    const parts = [
      frame('text', Buffer.from('a'), { isFinal: false }),
      frame('continuation', Buffer.from('b')),
    ];
    expect(delivered(Buffer.concat(parts))).toEqual(['ignored']);
  });

  test('nothing after a close frame is delivered', () => {
    const stream = Buffer.concat([frame('close', Buffer.from([0x03, 0xe8])), frame('binary', payload(5))]);
    expect(delivered(stream)).toEqual(['close 03e8']);
  });
});

describe('[TR7] violations of RFC 6455', () => {
  const first = frame('binary', payload(10), { isFinal: false });
  const fragments = Array.from({ length: 16 }, () => frame('continuation', payload(1), { isFinal: false }));
  const cases: [string, Buffer, RegExp][] = [
    ['a plain frame of a client', frame('binary', payload(1), { isMasked: false }), /MASK must be set/],
    ['reserved bits', frame('binary', payload(1), { rsv1: true }), /RSV/],
    ['an opcode for data that is not in use', frame(3, payload(1)), /invalid opcode 3/],
    ['an opcode for control that is not in use', frame(11, payload(1)), /invalid opcode 11/],
    ['a continuation of nothing', frame('continuation', payload(1)), /invalid opcode 0/],
    ['a new message within another', Buffer.concat([first, frame('binary', payload(1))]), /invalid opcode 2/],
    ['a Ping of 126 bytes', frame('ping', payload(126)), /control frame/],
    ['a Ping in several frames', frame('ping', payload(1), { isFinal: false }), /control frame/],
    ['a message of a byte too many', frame('binary', payload(1_048_586)), /too large/],
    ['a length of 64 bits', Buffer.from([0x82, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), /too large/],
    ['seventeen frames for one message', Buffer.concat([first, ...fragments]), /fragments/],
    [
      'frames that together are too long',
      Buffer.concat([
        frame('binary', payload(1_048_585), { isFinal: false }),
        frame('continuation', payload(1)),
      ]),
      /too large/,
    ],
  ];

  test.each(cases)('%s', (_what, bytes, reason) => {
    const seen = delivered(Buffer.concat([bytes, frame('binary', payload(3))]));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(reason);
  });

  test('a masked frame of a server', () => {
    expect(delivered(frame('binary', payload(1)), { isPeerMasking: false })).toEqual([
      'violation: MASK must be clear',
    ]);
  });
});

test('[TR8] a turn ends after a number of small frames, and large ones do not count', () => {
  const sink = { seen: 0 } as unknown as ReaderSink & { seen: number };
  Object.assign(sink, { acceptsParts: () => false, onMessage: () => (sink.seen += 1) });
  const reader = new WebSocketReader(
    { isPeerMasking: true, maxMessageBytes: 1_048_585, maxBeginningBytes: 16_384 },
    sink,
  );
  const [large, small] = [frame('binary', payload(2_000)), frame('binary', payload(20))];
  const stream = Buffer.concat([large, large, small, small, small]);
  expect(reader.read(Buffer.from(stream), 2)).toBe(stream.length - small.length);
  expect(sink.seen).toBe(4);
});
