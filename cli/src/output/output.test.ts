import { describe, expect, test } from 'vitest';
import { formatAge, formatBytes, formatDuration, formatTime } from './format.ts';
import { LiveRegion } from './LiveRegion.ts';
import { createOutput } from './output.ts';
import { plainText } from './plain-text.ts';
import { styleOf } from './style.ts';
import { fieldList, table, words } from './table.ts';

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

  test('is cut to the width of a terminal, the widest words first', () => {
    const layout = { style: plain, columns: 30 };
    const [, cut] = table([words('NAME'), words('VALUE')], [['mode', 'x'.repeat(90)]], layout).split('\n');
    expect(cut).toBe(`mode  ${'x'.repeat(23)}…`);
    const [, both] = table([words('NAME'), words('VALUE')], [['n'.repeat(40), 'x'.repeat(90)]], layout).split(
      '\n',
    );
    expect(both).toBe(`${'n'.repeat(13)}…  ${'x'.repeat(13)}…`);
  });

  const deviceId = `d_${'1'.repeat(22)}`;
  const long = ['Press '.repeat(20), '● disconnected', '3 min ago', 'Plant '.repeat(20), deviceId];
  const devices = (columns: number) =>
    table([words('NAME'), 'STATE', 'LAST CONNECTED', words('PROJECT'), 'DEVICE'], [long], {
      style: plain,
      columns,
    });

  test.each([80, 100, 120, 300])('of %i columns holds whole ids beside names that are cut', (columns) => {
    const lines = devices(columns).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[1]).toMatch(new RegExp(`^Press.*● disconnected  3 min ago .*Plant.*  ${deviceId}$`));
    expect(lines[1]?.includes('…')).toBe(columns < 300);
  });

  test('is whole where a program reads it, and keeps ids even where the lines cannot fit', () => {
    expect(devices(Infinity)).toContain('Press '.repeat(20).trimEnd());
    const digest = `sha256_${'0'.repeat(64)}`;
    const row = ['n'.repeat(200), digest, `repo_a_${'1'.repeat(22)}`];
    const [, cut] = table([words('FILE'), 'DIGEST', 'ASSET'], [row], { style: plain, columns: 40 }).split(
      '\n',
    );
    expect(cut).toBe(`${'n'.repeat(23)}…  ${digest}  ${row[2]}`);
  });

  test('counts wide characters as two columns, and marks as none', () => {
    const rows = ['日本語', 'e\u0301clair', '👩‍👩‍👧x', 'plain'].map((name) => [name, 'd_1']);
    expect(table(['NAME', 'DEVICE'], rows, { style: plain, columns: 80 }).split('\n').slice(1)).toEqual([
      '日本語  d_1',
      'e\u0301clair  d_1',
      '👩‍👩‍👧x     d_1',
      'plain   d_1',
    ]);
    const [, cut] = table([words('NAME')], [['日本語日本語']], { style: plain, columns: 10 }).split('\n');
    expect(cut).toBe('日本語日…');
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
