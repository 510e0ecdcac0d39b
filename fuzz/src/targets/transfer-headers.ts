import {
  contentDisposition,
  parseRanges,
  publicPathOf,
  readChecksum,
  readOffset,
  TransferFailure,
} from '@corral/hub';
import type { Random } from '../Random.ts';
import { assertThat, type Target } from '../target.ts';

const sizeBytes = 100_000;
const samples = [
  'bytes=0-99,500-,-20',
  'bytes = 5-9 , 7-20',
  'bytes=99999-200000',
  '1048576',
  'sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  '/r/firmware/press/stable~1/a%2Fb.img',
  '../\u202Egpj.exe\r\nX: "y"; é',
];

/** What clients of transfers write into headers, paths and names: Range, the headers of tus, public paths, and the names of downloads. */
export const transferHeadersTarget: Target = {
  name: 'transfer-headers',
  count: () => 5,
  sample: (random: Random) => new TextEncoder().encode(random.pick(samples)),
  run(input) {
    const text = new TextDecoder().decode(input);
    return [
      rangesOf(text),
      nameOf(text),
      pathOf(text),
      refusedOr(() => readOffset(text)),
      refusedOr(() => readChecksum(text)),
    ].join(' ');
  },
};

function rangesOf(text: string): string {
  const wanted = parseRanges(text, sizeBytes);
  if (wanted.kind !== 'parts') return wanted.kind;
  assertThat(wanted.parts.length <= 16, 'there are at most 16 ranges');
  let bytes = 0;
  for (const { start, end } of wanted.parts) {
    assertThat(
      Number.isInteger(start) && start >= 0 && start <= end && end < sizeBytes,
      'a range is in the file',
    );
    bytes += end - start + 1;
  }
  assertThat(bytes <= sizeBytes, 'no byte is sent twice');
  return `${wanted.parts.length} ranges`;
}

function nameOf(text: string): string {
  const header = contentDisposition(text);
  assertThat(
    /^attachment(?:; filename="[\x20-\x7e]*"(?:; filename\*=UTF-8''[\x21-\x7e]*)?)?$/.test(header),
    'a name stays in its quotes',
  );
  const plain = /filename="([^"]*)"/.exec(header)?.[1] ?? '';
  assertThat(!/[/\\]/.test(plain), 'a name has no path');
  return header.includes('*=') ? 'name in UTF-8' : 'plain name';
}

function pathOf(text: string): string {
  const path = publicPathOf(text);
  if (path === undefined) return 'no path';
  assertThat(
    Object.values(path).every((part) => part !== '' && !part.includes('\0')),
    'a path names all its parts',
  );
  return 'path';
}

function refusedOr(read: () => unknown): string {
  try {
    return typeof read();
  } catch (error) {
    assertThat(error instanceof TransferFailure && error.message.endsWith('.'), 'a refusal is a sentence');
    return 'refused';
  }
}
