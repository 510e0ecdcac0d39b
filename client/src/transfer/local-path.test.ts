import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeBelow, placesBelow, relativePath } from './local-path.ts';

let folder: string;
let output: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'corral-places-')));
  output = join(folder, 'output');
  await mkdir(output);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['press.img', 'a/b/c.js', '.hidden/x', '...', 'a..b', 'a b', 'ä/日本.bin', 'dev-disk\\x2d.swap'])(
  '%s stays as it is',
  (filename) => expect(relativePath(filename, 'linux')).toBe(filename),
);

test.each(
  ['', '.', '..', '/', '/etc/passwd', '../x', 'a/../../x', 'a/./x', 'a//x', 'a/', '..\\x', 'a\\..\\x'].concat(
    ['\\\\server\\share', 'C:x', 'c:/x', 'C:\\x', 'a\0b', 'a\nb', 'a/\u009bx'],
  ),
)('%j leads elsewhere on every system', (filename) => {
  for (const platform of ['linux', 'win32'] as const)
    expect(() => relativePath(filename, platform)).toThrow('is no path below a folder here');
});

test.each(
  ['NUL', 'con.txt', 'a/COM1', 'lpt9.tar.gz', 'aux /x', 'COM¹', 'CONIN$', 'x.', 'x /y', 'a\\b'].concat([
    'file:stream',
    'a?b',
    'a*b',
    'a|b',
    'a<b',
    'a"b',
    'nul .txt',
  ]),
)('%j is refused on Windows alone', (filename) => {
  expect(() => relativePath(filename, 'win32')).toThrow('is no path below a folder here');
  expect(relativePath(filename, 'linux')).toBe(filename);
});

test.each(['console.js', 'com.example.img', 'nullable', 'a/com10', 'auxiliary/x'])(
  '%s is no device of Windows',
  (filename) => expect(relativePath(filename, 'win32')).toBe(filename),
);

test('a folder and those between are made; a link within the output is followed, one that leads out is not', async () => {
  await mkdir(join(output, 'real'));
  await symlink('real', join(output, 'within'));
  expect(await placesBelow(output, ['a/b/x.js', 'within/x.js', 'y.js'])).toEqual(
    ['a/b/x.js', 'within/x.js', 'y.js'].map((path) => join(output, path)),
  );
  expect((await readdir(join(output, 'a'))).toSorted()).toEqual(['b']);
  await symlink(folder, join(output, 'out'));
  await symlink(join(folder, 'missing'), join(output, 'dangling'));
  for (const path of ['out/x.js', 'out/new/x.js', 'dangling/x.js'])
    await expect(placesBelow(output, [path])).rejects.toThrow('is a link that leads out of');
  expect((await readdir(folder)).toSorted()).toEqual(['output']);
  const fresh = join(folder, 'fresh');
  expect(await placesBelow(fresh, ['z.js'])).toEqual([join(fresh, 'z.js')]);
  expect(await readdir(fresh)).toEqual([]);
  await symlink(output, join(folder, 'named'));
  expect(await placesBelow(join(folder, 'named'), ['a/z.js'])).toEqual([join(folder, 'named', 'a/z.js')]);
});

test('a link to a file of another folder does not verify as a file of this one, and a missing file is left to the reader', async () => {
  await writeFile(join(folder, 'secret'), 's');
  await symlink(join(folder, 'secret'), join(output, 'x.js'));
  await expect(placeBelow(output, 'x.js')).rejects.toThrow('is a link that leads out of');
  expect(await placeBelow(output, 'a/missing.js')).toBe(join(output, 'a/missing.js'));
});

test('names that differ by case alone are refused where the file system takes them for one, and only there', async () => {
  await writeFile(join(output, 'case'), '');
  const isFolding = await realpath(join(output, 'CASE')).then(
    () => true,
    () => false,
  );
  for (const names of [
    ['a/x.js', 'A/X.js'],
    ['Straße', 'STRASSE'],
    ['\u00e9.js', 'e\u0301.js'],
    ['A', 'a/x.js'],
  ]) {
    const placing = placesBelow(await mkdtemp(join(output, 'new-')), names);
    if (isFolding) await expect(placing).rejects.toThrow('would be at one place');
    else expect(await placing).toHaveLength(2);
  }
  expect((await readdir(output)).some((name) => name.startsWith('.corral-case-'))).toBe(false);
});

test('a file cannot be the folder of another', async () => {
  await expect(placesBelow(output, ['a', 'a/x.js'])).rejects.toThrow(
    '"a" and "a/x.js" would be at one place: name each alone, and a path for it.',
  );
});
