import { expect, test } from 'vitest';
import { EnvelopeWriter } from './hint-envelope.ts';
import { HintVerifier, type Verdict } from './hint-verifier.ts';

const key = Buffer.alloc(32, 'key');
const body = Buffer.from('{}');

/** A receiving and a sending node; the test advances their clock. */
function newPair() {
  const clock = { timeMs: 1_700_000_000_000, nowMs: 0 };
  const timeMs = () => clock.timeMs;
  const own = new EnvelopeWriter(key, timeMs);
  const verifier = new HintVerifier({
    key,
    ownSender: own.sender.toString('hex'),
    timeMs,
    nowMs: () => clock.nowMs,
  });
  return { clock, own, verifier, writer: new EnvelopeWriter(key, timeMs), timeMs };
}

const refusalOf = (verdict: Verdict): string | undefined =>
  'refusal' in verdict ? `${verdict.refusal}${verdict.isMissed ? ', perhaps missed' : ''}` : undefined;

test('each hint of another node passes once, and those of this one never', () => {
  const { verifier, writer, own } = newPair();
  const [first, second] = [writer.write(body), writer.write(body)];
  expect(
    [first, second, first, second, own.write(body)].map((message) => refusalOf(verifier.verify(message))),
  ).toEqual([undefined, undefined, 'replayed', 'replayed', 'replayed']);
});

test('a hint that another key has signed, or that was changed, is refused as forged', () => {
  const { verifier, writer, timeMs } = newPair();
  const changes = [33, 34, 42, 50, 58].map((at) => {
    const message = writer.write(body);
    message[at] = (message[at] ?? 0) ^ 1;
    return message;
  });
  const messages = [new EnvelopeWriter(Buffer.alloc(32, 'other'), timeMs).write(body), ...changes];
  for (const message of messages) expect(refusalOf(verifier.verify(message))).toBe('forged');
  expect(refusalOf(verifier.verify(writer.write(body)))).toBeUndefined();
});

test('hints that are 30 s older or newer than now are refused, and may be missing', () => {
  const { verifier, writer, clock } = newPair();
  const [early, late] = [writer.write(body), writer.write(body)];
  clock.timeMs += 29_000;
  expect(refusalOf(verifier.verify(early))).toBeUndefined();
  clock.timeMs += 2_000;
  expect(refusalOf(verifier.verify(late))).toBe('old, perhaps missed');
  expect(refusalOf(verifier.verify(late))).toBe('replayed');
  const ahead = writer.write(body);
  clock.timeMs -= 31_000;
  expect(refusalOf(verifier.verify(ahead))).toBe('old, perhaps missed');
});

test('a signed hint of another version is refused, and may be missing', () => {
  const { verifier, writer } = newPair();
  expect(refusalOf(verifier.verify(writer.write(body, 2)))).toBe('another version, perhaps missed');
});

test('after 500 failed verifications in a second no signature is checked, and hints may be missing', () => {
  const { verifier, writer, clock, timeMs } = newPair();
  const stranger = new EnvelopeWriter(Buffer.alloc(32, 'other'), timeMs);
  const answers = Array.from({ length: 600 }, () => refusalOf(verifier.verify(stranger.write(body))));
  expect(answers.filter((answer) => answer === 'forged')).toHaveLength(500);
  expect(refusalOf(verifier.verify(writer.write(body)))).toBe('flood, perhaps missed');
  clock.nowMs += 1_000;
  expect(refusalOf(verifier.verify(writer.write(body)))).toBeUndefined();
});

test('4,096 senders are remembered, until their hints are too old', () => {
  const { verifier, clock, timeMs } = newPair();
  const first = new EnvelopeWriter(key, timeMs).write(body);
  verifier.verify(first);
  for (let count = 1; count < 4_096; count += 1) verifier.verify(new EnvelopeWriter(key, timeMs).write(body));
  expect(refusalOf(verifier.verify(new EnvelopeWriter(key, timeMs).write(body)))).toBe('old, perhaps missed');
  clock.timeMs += 31_000;
  expect(refusalOf(verifier.verify(new EnvelopeWriter(key, timeMs).write(body)))).toBeUndefined();
  expect(refusalOf(verifier.verify(first))).toBe('old, perhaps missed');
});
