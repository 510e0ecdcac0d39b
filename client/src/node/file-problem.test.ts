import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileProblem } from '../node.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-file-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });

test('a refused permission names the user, and the folder whose mode forbids it', () => {
  const { username } = userInfo();
  expect(fileProblem(refused, join(folder, 'state', 'key.pem'))).toBe(
    `the user ${username} may not access ${folder}, whose mode forbids it; change it with chmod`,
  );
});

test('a refused permission names the owner of what belongs to somebody else', async () => {
  const isRoot = process.getuid?.() === 0;
  const path = isRoot ? join(folder, 'foreign') : '/etc/passwd';
  if (isRoot) {
    await writeFile(path, '');
    await chown(path, 65_534, 65_534);
  }
  const owner = isRoot ? 'the user with the id 65534' : 'root';
  expect(fileProblem(refused, path)).toBe(
    `the user ${userInfo().username} may not access ${path}, which belongs to ${owner}; run this as that user, or change the owner with chown`,
  );
});

test.each([
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EISDIR', 'EISDIR: it is a folder'],
])('%s is %s', (code, sentence) => {
  expect(fileProblem(Object.assign(new Error('EISDIR: it is a folder'), { code }), folder)).toBe(sentence);
});
