import { describe, expect, test } from 'vitest';
import { EscapeKeys } from './EscapeKeys.ts';
import { dataFrames, readFrame, resizeFrame } from './frames.ts';
import { OutputFilter } from './OutputFilter.ts';
import { playRecording } from './play-recording.ts';

const shownOf = (...pieces: string[]): string => {
  const filter = new OutputFilter();
  return pieces.map((piece) => filter.push(piece)).join('');
};

describe('output that is only watched or played', () => {
  test.each([
    ['the clipboard', '\u001B]52;c;c2VjcmV0\u0007'],
    ['a title', '\u001B]0;rm -rf\u001B\\'],
    ['a question for the position', '\u001B[6n'],
    ['a question for the colours', '\u001B]11;?\u001B\\'],
    ['a question for the kind of terminal', '\u001B[>c'],
    ['a question for its version', '\u001B[>q'],
    ['a question for a mode', '\u001B[?2026$p'],
    ['a question for settings', '\u001BP$qm\u001B\\'],
    ['a window report', '\u001B[21t'],
    ['an old question', '\u001BZ'],
    ['an answerback', '\u0005'],
    ['an 8-bit sequence', '\u009B6n'],
    ['an 8-bit question for the kind of terminal', '\u009A'],
    ['a checksum of the screen', '\u001B[1;1;1;1;9;9*y'],
    ['a question for graphics', '\u001B[?1;1;0S'],
    ['reports of the mouse', '\u001B[?1000;1006h'],
    ['reports of the focus', '\u001B[?1004h'],
    ['printing', '\u001B[5i'],
    ['a locked keyboard', '\u001B[2h'],
  ])('has no %s, also in pieces', (_what, sequence) => {
    expect(shownOf(`a${sequence}b`)).toBe('ab');
    expect(shownOf('a', ...sequence, 'b')).toBe('ab');
  });

  test.each([
    ['a sequence that another begins in', '\u001B[\u001B]52;c;c2VjcmV0\u0007'],
    ['an escape after an escape', '\u001B\u001B]52;c;c2VjcmV0\u0007'],
    ['a control character after an escape', '\u001B\u0000]52;c;c2VjcmV0\u0007'],
    ['a question in a sequence', '\u001B[1\u001B[6n'],
    ['an 8-bit text in a sequence', '\u001B[\u009D52;p;c2VjcmV0\u0007'],
    ['an 8-bit text after an escape', '\u001B\u009D52;p;c2VjcmV0\u0007'],
    ['a deleted character after an escape', '\u001B\u007F]52;c;c2VjcmV0\u0007'],
  ])('has nothing that hides behind %s', (_what, sequence) => {
    expect(shownOf(`a${sequence}b`)).toBe('ab');
    expect(shownOf('a', ...sequence, 'b')).toBe('ab');
  });

  test.each([
    ['another sequence', '\u001B[1m', '\u001B[1m'],
    ['a cancellation', '\u0018', ''],
    ['a substitution', '\u001A', ''],
  ])('does not vanish behind a text that %s ends, as terminals show it', (_what, end, shown) => {
    expect(shownOf(`\u001B]0;a${end}rm -rf /`)).toBe(`${shown}rm -rf /`);
    expect(shownOf(`\u001B[1${end}rm -rf /`)).toBe(`${shown}rm -rf /`);
  });

  test('keeps controls within a sequence, but for an answerback, and the modes that draw', () => {
    expect(shownOf('a\u001B[\r\n\u00051mb\u001B[?25;1000l')).toBe('a\r\n\u001B[1mb\u001B[?25l');
  });

  test('keeps colours, the cursor and texts', () => {
    const kept =
      '\u001B[1;38;5;202mred\u001B[0m\u001B[2J\u001B[H\u001B[?1049h\u001B7ä\u001B8\u001B[2 q\u001B(B';
    expect(shownOf(kept)).toBe(kept);
    expect(shownOf(...kept)).toBe(kept);
  });
});

test('~. leaves at the beginning of a line only, and ~~ types a tilde', () => {
  const keys = new EscapeKeys();
  const take = (text: string): [string, boolean] => {
    const { typed, leaves } = keys.take(Buffer.from(text));
    return [typed.toString(), leaves];
  };
  expect(take('echo ~.\r')).toEqual(['echo ~.\r', false]);
  expect(take('~~x\r~')).toEqual(['~x\r', false]);
  expect(take('a\r')).toEqual(['~a\r', false]);
  expect(take('~')).toEqual(['', false]);
  expect(take('.x')).toEqual(['', true]);
});

test('frames are those of the protocol', () => {
  expect([...dataFrames(Buffer.from('ab'))]).toEqual([Buffer.from([0, 0, 0, 3, 0, 97, 98])]);
  expect([...dataFrames(Buffer.alloc(100_000))].map(({ length }) => length)).toEqual([65_541, 34_469]);
  expect(resizeFrame({ columns: 258, rows: 3 })).toEqual(Buffer.from([0, 0, 0, 5, 1, 1, 2, 0, 3]));
  expect(readFrame(Buffer.from([0, 0, 0, 5, 2, 0, 0, 0, 137]))).toEqual({ type: 'Exit', status: 137 });
  expect(readFrame(Buffer.from([0, 0, 0, 2, 9, 1]))).toBeUndefined();
});

test('a recording is played with its gaps, without long pauses, and to a cut end', async () => {
  const lines = async function* (): AsyncGenerator<string> {
    yield '{"version":2,"width":80,"height":24}';
    yield '[0.001,"o","a\\u001b[6n"]';
    yield '[0.002,"r","90x30"]';
    yield '[900,"m","Output before this is missing"]';
    yield '[900.001,"o","b"]';
    yield '[900.002,"o","c';
  };
  let text = '';
  const write = (piece: string): void => void (text += piece);
  await playRecording(lines(), { speed: 100, idle: 0.1, write, signal: new AbortController().signal });
  expect(text).toBe('a\r\n[corral: Output before this is missing]\r\nb');
});
