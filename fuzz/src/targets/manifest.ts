import { ManifestError, parseManifest } from '@corral/cli';
import type { Random } from '../Random.ts';
import { assertThat, type Target } from '../target.ts';

const parts = [
  'version = "1.4.0"\n',
  'kind = "rugix"\n',
  'tags = ["stable", { name = "1.4.0", locked = true }]\n',
  '[metadata]\ncommit = "4f2a"\nbuilt = 2026-09-01T12:00:00Z\nboards = [1, 2.5, true, { a = 1979-05-27 }]\n',
  '[[files]]\npath = "build/*.img"\nmetadata = { board.name = "a" }\n',
  '[[files]]\npath = """\nnotes.txt"""\nname = \'notes\'\n',
];

/** The manifest of `corral publish`: any text is a manifest within its limits, or is refused with a line that it has. */
export const manifestTarget: Target = {
  name: 'manifest',
  count: () => 1,
  sample: (random: Random) => new TextEncoder().encode(sampleText(random)),
  run(input) {
    const text = new TextDecoder().decode(input);
    try {
      const { tags, files, metadata } = parseManifest(text);
      assertThat(
        files.length > 0 && files.length <= 1_000 && tags.length <= 100,
        'a manifest is within its limits',
      );
      const lines = text.split('\n').length;
      assertThat(
        files.every(({ line }) => line >= 1 && line <= lines),
        'each file is on a line',
      );
      assertThat(Object.getPrototypeOf(metadata) === Object.prototype, 'metadata is a plain object');
      return `manifest with ${Object.keys(metadata).length > 0 ? 'metadata' : 'files'}`;
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      assertThat(error.line >= 1 && error.line <= text.split('\n').length, 'an error is on a line');
      assertThat(error.message.endsWith('.') && !error.message.includes('\n'), 'an error is a sentence');
      return error.message.replaceAll(/"[^]*"/g, '…').replaceAll(/[\d']+/g, '…');
    }
  },
};

function sampleText(random: Random): string {
  const chosen = parts.filter(() => random.oneIn(2)).join('');
  const files = chosen.includes('[[files]]') ? '' : 'files = ["press.img"]\n';
  return `repository = "firmware"\npackage = "press"\n${files}${chosen}`;
}
