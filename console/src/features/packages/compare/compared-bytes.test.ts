import { expect, test } from 'vitest';
import { type ComparedFile, comparedBytes, totalOf } from './compared-bytes.ts';

const side = (content: number): NonNullable<ComparedFile['to']> => ({
  assetId: `repo_a_${content}`,
  size: content === 0 ? 0 : content * 10,
  digest: `sha256_${content}`,
  status: 'Available',
});

/** The files of two versions by name, as the hub compares them; each number is a content. */
function compare(
  from: Readonly<Record<string, number>>,
  to: Readonly<Record<string, number>>,
): ComparedFile[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].map((filename): ComparedFile => {
    const [before, after] = [from[filename], to[filename]];
    const change =
      before === undefined
        ? 'Added'
        : after === undefined
          ? 'Removed'
          : before === after
            ? 'Same'
            : 'Changed';
    return {
      filename,
      change,
      hasOtherMetadata: false,
      ...(before === undefined ? {} : { from: side(before) }),
      ...(after === undefined ? {} : { to: side(after) }),
    };
  });
}

test('the bytes of both versions are split by what became of their files', () => {
  const { from, to } = comparedBytes(
    compare({ same: 1, changed: 2, removed: 3, empty: 0 }, { same: 1, changed: 4, added: 5, empty: 0 }),
  );
  expect(from).toEqual({ Same: 10, Changed: 20, Added: 0, Removed: 30 });
  expect(to).toEqual({ Same: 10, Changed: 40, Added: 50, Removed: 0 });
});

test('what was renamed or is there twice is neither new nor counted twice', () => {
  const { from, to } = comparedBytes(compare({ a: 1, b: 2 }, { c: 1, d: 1, b: 7, e: 7 }));
  expect(to).toEqual({ Same: 10, Changed: 70, Added: 0, Removed: 0 });
  expect(from).toEqual({ Same: 10, Changed: 20, Added: 0, Removed: 0 });
});

test('versions without a common file, equal ones and ones without files have whole bars or none', () => {
  expect(comparedBytes(compare({ a: 1 }, { b: 2 }))).toEqual({
    from: { Same: 0, Changed: 0, Added: 0, Removed: 10 },
    to: { Same: 0, Changed: 0, Added: 20, Removed: 0 },
  });
  expect(comparedBytes(compare({ a: 1 }, { a: 1 })).to.Same).toBe(10);
  expect(totalOf(comparedBytes([]).to)).toBe(0);
});

test('the sums are those of the hub for any files', () => {
  let state = 7;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 200; round += 1) {
    const version = () =>
      Object.fromEntries(Array.from({ length: random(12) }, () => [`f${random(10)}`, random(8)]));
    const [from, to] = [version(), version()];
    const { from: before, to: after } = comparedBytes(compare(from, to));
    const contents = [...new Set(Object.values(to))];
    const known = new Set(Object.values(from));
    const sum = (all: readonly number[]) => all.reduce((total, content) => total + content * 10, 0);
    // As CompareVersions answers totalBytes and bytesToFetch.
    expect(totalOf(after)).toBe(sum(contents));
    expect(after.Changed + after.Added).toBe(sum(contents.filter((content) => !known.has(content))));
    expect(before.Same).toBe(after.Same);
    expect(after.Removed + before.Added).toBe(0);
  }
});
