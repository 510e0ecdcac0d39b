import { describe, expect, test } from 'vitest';
import { parseManifest } from './manifest.ts';

const whole = `
# comment
repository = "firmware"
package = "press"
kind = "rugix"
version = "1.4.0"
tags = ["stable", { name = "1.4.0", locked = true }]

[metadata]
commit = "4f2a"
built = 2026-09-01T12:00:00Z
boards = ["a", "b"]

[[files]]
path = "build/press.img"
name = "press.img"
metadata = { board = "a" }

[[files]]
path = "notes/*.txt"
`;

test('a manifest names repository, package, version, tags, metadata and files', () => {
  expect(parseManifest(whole)).toEqual({
    repository: 'firmware',
    package: 'press',
    kind: 'rugix',
    version: '1.4.0',
    tags: [
      { name: 'stable', locked: false },
      { name: '1.4.0', locked: true },
    ],
    metadata: { commit: '4f2a', built: '2026-09-01T12:00:00.000Z', boards: ['a', 'b'] },
    files: [
      { path: 'build/press.img', name: 'press.img', metadata: { board: 'a' }, line: 14 },
      { path: 'notes/*.txt', name: undefined, metadata: {}, line: 19 },
    ],
  });
});

test('a manifest needs a repository, a package and a file', () => {
  expect(parseManifest('repository = "r"\npackage = "p"\nfiles = ["a"]')).toMatchObject({
    version: undefined,
    tags: [],
    metadata: {},
    files: [{ path: 'a', line: 3 }],
  });
});

const base = 'repository = "r"\npackage = "p"\nfiles = ["a"]\n';

describe('a wrong manifest is refused with the line', () => {
  test.each([
    ['repository = "r"\nfiles = ["a"]', 1, 'package is missing.'],
    [
      'repository = "r"\npackage = "p"',
      1,
      'files is missing: name at least one, such as files = ["press.img"].',
    ],
    [
      `${base}tag = "x"`,
      4,
      '"tag" is no key here; the keys are repository, package, kind, version, tags, metadata, files.',
    ],
    [`${base}\n[[files]]\npath = "b"\n`, 5, 'it is not valid TOML: '],
    [
      'repository = "r"\npackage = "p"\n[[files]]\npath = "b"\n[[files]]\npath = "c"\nnmae = "x"',
      7,
      '"nmae" is no key here; the keys are path, name, metadata.',
    ],
    [`${base}version = 1.4`, 4, 'version must be a text in quotes.'],
    [`${base}tags = "x"`, 4, 'tags must be an array.'],
    [`${base}tags = ["a", "b",\n"a"]`, 4, 'the tag "a" is there twice.'],
    [`${base}tags = ["no spaces"]`, 4, /tag/i],
    [`${base}[[tags]]\nname = "x"\nlocked = "yes"`, 6, 'locked must be true or false.'],
    ['repository = "a/b"\npackage = "p"\nfiles = ["a"]', 1, /repository/i],
    ['repository = "r"\npackage = "p q"\nfiles = ["a"]', 2, /package/i],
    [`${base}[metadata]\nx = nan`, 5, 'metadata takes neither inf nor nan.'],
    [`${base}[metadata]\nx = "${'y'.repeat(70_000)}"`, 4, 'metadata may have at most 64 KiB as JSON.'],
    ['repository = """\nversion = 1\n"""\npackage = 3', 4, 'package must be a text in quotes.'],
    [`${base}x = `, 4, 'it is not valid TOML: '],
    [`${base}#${'x'.repeat(1_100_000)}`, 1, 'a manifest has at most 1 MiB.'],
  ])('%#', (text, line, message) => {
    let error: unknown;
    try {
      parseManifest(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      name: 'ManifestError',
      line,
      message:
        typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    });
    expect((error as Error).message).not.toContain('\n');
  });
});
