import { expect, test } from 'vitest';
import { EnvelopeWriter } from './hint-envelope.ts';
import { HintScreen, type Screened } from './hint-screen.ts';

const key = Buffer.alloc(32, 'key');
const body = Buffer.from('{}');

/** A node that hears, and one that sends; the test moves their time. */
function newPair() {
  const clock = { timeMs: 1_700_000_000_000, nowMs: 0 };
  const timeMs = () => clock.timeMs;
  const own = new EnvelopeWriter(key, timeMs);
  const screen = new HintScreen({
    key,
    ownSender: own.sender.toString('hex'),
    timeMs,
    nowMs: () => clock.nowMs,
  });
  return { clock, own, screen, writer: new EnvelopeWriter(key, timeMs), timeMs };
}

const refusalOf = (screened: Screened): string | undefined =>
  'refusal' in screened ? `${screened.refusal}${screened.isMissed ? ', perhaps missed' : ''}` : undefined;

test('each hint of another node passes once, and those of this one never', () => {
  const { screen, writer, own } = newPair();
  const [first, second] = [writer.write(body), writer.write(body)];
  expect(
    [first, second, first, second, own.write(body)].map((message) => refusalOf(screen.admit(message))),
  ).toEqual([undefined, undefined, 'replayed', 'replayed', 'replayed']);
});

test('what another key has signed, or somebody changed, is forged', () => {
  const { screen, writer, timeMs } = newPair();
  const changes = [33, 34, 42, 50, 58].map((at) => {
    const message = writer.write(body);
    message[at] = (message[at] ?? 0) ^ 1;
    return message;
  });
  const messages = [new EnvelopeWriter(Buffer.alloc(32, 'other'), timeMs).write(body), ...changes];
  for (const message of messages) expect(refusalOf(screen.admit(message))).toBe('forged');
  expect(refusalOf(screen.admit(writer.write(body)))).toBeUndefined();
});

test('hints that are 30 s older or newer than now are refused, and may be missing', () => {
  const { screen, writer, clock } = newPair();
  const [early, late] = [writer.write(body), writer.write(body)];
  clock.timeMs += 29_000;
  expect(refusalOf(screen.admit(early))).toBeUndefined();
  clock.timeMs += 2_000;
  expect(refusalOf(screen.admit(late))).toBe('old, perhaps missed');
  expect(refusalOf(screen.admit(late))).toBe('replayed');
  const ahead = writer.write(body);
  clock.timeMs -= 31_000;
  expect(refusalOf(screen.admit(ahead))).toBe('old, perhaps missed');
});

test('a signed hint of another version is refused, and may be missing', () => {
  const { screen, writer } = newPair();
  expect(refusalOf(screen.admit(writer.write(body, 2)))).toBe('another version, perhaps missed');
});

test('so many signatures are checked in vain in a second; then nothing is, and hints may be missing', () => {
  const { screen, writer, clock, timeMs } = newPair();
  const stranger = new EnvelopeWriter(Buffer.alloc(32, 'other'), timeMs);
  const answers = Array.from({ length: 600 }, () => refusalOf(screen.admit(stranger.write(body))));
  expect(answers.filter((answer) => answer === 'forged')).toHaveLength(500);
  expect(refusalOf(screen.admit(writer.write(body)))).toBe('flood, perhaps missed');
  clock.nowMs += 1_000;
  expect(refusalOf(screen.admit(writer.write(body)))).toBeUndefined();
});

test('so many processes are remembered, until their hints are too old', () => {
  const { screen, clock, timeMs } = newPair();
  const first = new EnvelopeWriter(key, timeMs).write(body);
  screen.admit(first);
  for (let count = 1; count < 4_096; count += 1) screen.admit(new EnvelopeWriter(key, timeMs).write(body));
  expect(refusalOf(screen.admit(new EnvelopeWriter(key, timeMs).write(body)))).toBe('old, perhaps missed');
  clock.timeMs += 31_000;
  expect(refusalOf(screen.admit(new EnvelopeWriter(key, timeMs).write(body)))).toBeUndefined();
  expect(refusalOf(screen.admit(first))).toBe('old, perhaps missed');
});
