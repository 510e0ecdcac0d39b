import { describe, expect, test } from 'vitest';
import { formatAge, formatBytes, formatDuration, formatTime } from './format.ts';
import { LiveRegion } from './LiveRegion.ts';
import { createOutput } from './output.ts';
import { plainText } from './plain-text.ts';
import { styleOf } from './style.ts';
import { fieldList, table } from './table.ts';

const plain = styleOf({ write: (): boolean => true }, {});
const terminal = { isTTY: true, columns: 40, write: (): boolean => true };

describe('a table', () => {
  const rows = [
    ['Press 4', '● connected', 'd_1'],
    ['a', '', 'd_2'],
  ];

  test('aligns its columns and ends no line with blanks', () => {
    expect(table(['NAME', 'STATE', 'DEVICE'], rows, { style: plain, columns: Infinity })).toBe(
      'NAME     STATE        DEVICE\nPress 4  ● connected  d_1\na                     d_2',
    );
  });

  test('is cut to the width of a terminal in its last column, where that holds words', () => {
    const lines = table(
      ['NAME', 'VALUE'],
      [['mode', 'x'.repeat(90)]],
      { style: plain, columns: 30 },
      'cut',
    ).split('\n');
    expect(lines[1]).toBe(`mode  ${'x'.repeat(23)}…`);
  });

  test('keeps its columns where cells are coloured', () => {
    const style = styleOf(terminal, {});
    const [, first = ''] = table(['A', 'B'], [[{ text: 'on', paint: style.green }, 'x']], {
      style,
      columns: 80,
    }).split('\n');
    expect(first).toBe('\u001B[32mon\u001B[39m  x');
  });

  test('of one record has a name and a value per line', () => {
    expect(
      fieldList(
        [
          ['Name', 'x'],
          ['Tokens', ['a', 'b']],
        ],
        plain,
      ),
    ).toBe('Name    x\nTokens  a\n        b');
  });
});

describe('colours', () => {
  test.each([
    [terminal, {}, true],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [{ write: (): boolean => true }, {}, false],
  ])('%j with %j: %s', (stream, env, isColoured) => {
    expect(styleOf(stream, env).red('x') !== 'x').toBe(isColoured);
  });
});

test('a result is JSON for programs and text for people', () => {
  let written = '';
  const stdout = { write: (text: string): string => (written += text) };
  createOutput({ stdout, stderr: stdout }, {}, true).result({ a: 1 }, () => 'never');
  createOutput({ stdout, stderr: stdout }, {}, false).result({ a: 1 }, () => 'one');
  expect(written).toBe('{\n  "a": 1\n}\none\n');
});

test('control characters in names do not reach the terminal', () => {
  expect(plainText('a\u001B[2Jb\r\u202Ec\nd')).toBe('a�[2Jb��c d');
  expect(plainText('Größe → 4')).toBe('Größe → 4');
});

test('bytes, durations and times are formatted for people', () => {
  expect([0, 1023, 1024, 1_572_864, 5e12].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '4.5 TiB',
  ]);
  expect([-1, 0, 59.9, 60, 7_300, 86_400, 200_000].map(formatDuration)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '2 h',
    '1 day',
    '2 days',
  ]);
  expect(formatAge('2026-11-20T12:00:00Z', Date.parse('2026-11-20T12:03:00Z'))).toBe('3 min ago');
  expect(formatAge('2026-11-20T12:00:00Z', Date.parse('2026-11-20T11:59:59Z'))).toBe('now');
  expect(formatTime('2026-11-20T18:25:03.123456+01:00')).toBe('2026-11-20 17:25:03Z');
});

test('a live region is rewritten in place, below the printed lines', () => {
  const written: string[] = [];
  const block = new LiveRegion((text) => written.push(text));
  block.render(['one', 'two']);
  block.render(['one', 'two']);
  block.render(['three']);
  block.print('stays');
  expect(written).toEqual(['one\ntwo\n', '\u001B[2A\u001B[Jthree\n', '\u001B[1A\u001B[Jstays\nthree\n']);
});
