import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLostWithContainer } from './data-folder.ts';

test('a folder in the file system of a container is told from one on a volume', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'corral-overlay-'));
  const [lower, upper, work, mounted] = ['lower', 'upper', 'work', 'mounted'].map((name) =>
    join(folder, name),
  );
  for (const path of [lower, upper, work, mounted]) mkdirSync(path!);
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  const { status } = spawnSync('mount', ['-t', 'overlay', 'overlay', '-o', options, mounted!]);
  try {
    expect(await isLostWithContainer(lower!)).toBe(false);
    if (status !== 0) return context.skip('This user may not mount file systems here.');
    expect(await isLostWithContainer(mounted!)).toBe(true);
  } finally {
    if (status === 0) spawnSync('umount', [mounted!]);
    rmSync(folder, { recursive: true });
  }
});
