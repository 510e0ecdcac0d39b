import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shells, type Shell } from '../../test/shells.ts';

const kit = join(import.meta.dirname, '../../kit');
const mib = 1_048_576;
const allIn = (of: string): string[] => readdirSync(of, { recursive: true }).map(String).toSorted();
const digestOf = (content: Buffer): string => `sha256_${createHash('sha256').update(content).digest('hex')}`;

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-files-'));
  for (const name of ['kit', 'in', 'out']) mkdirSync(at(name));
  for (const name of readdirSync(kit)) writeFileSync(at(`kit/${name}`), readFileSync(join(kit, name)));
  writeFileSync(at('out/secret'), 'a secret');
  for (const list of ['readable', 'writable'])
    writeFileSync(at(list), `# what the owner lists\n\n${at('in')}\n${at('single.conf')}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(Object.keys(shells))('in %s', (shellName) => {
  let shell: Shell;
  beforeEach(() => {
    const make = shells[shellName];
    if (make === undefined) throw new Error(`no shell ${shellName}`);
    shell = make(folder);
  });

  async function run(script: string, input: unknown, timeoutMs = 20_000) {
    const [executable = '', ...before] = shell.command;
    const child = spawn(executable, [...before, at(`kit/${script}`)], {
      env: { PATH: shell.path, CORRAL_KIT_READABLE: at('readable'), CORRAL_KIT_WRITABLE: at('writable') },
      timeout: timeoutMs,
      cwd: folder,
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
    child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input));
    const [code] = (await once(child, 'close')) as [number | null];
    const [said, log] = [Buffer.concat(stdout).toString(), Buffer.concat(stderr).toString()];
    const data = said === '' ? undefined : (JSON.parse(said) as { data: Record<string, unknown> }).data;
    return { code, data, log };
  }

  async function fetched(path: string): Promise<Buffer> {
    const head = await run('read-file.sh', { path });
    expect(head).toMatchObject({ code: 0, log: '' });
    const parts: Buffer[] = [];
    for (let part = 0; part * mib < Number(head.data?.['sizeBytes']); part += 1) {
      const { code, log } = await run('read-file.sh', { path, part });
      expect(code).toBe(0);
      expect(Math.max(...log.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(65_536);
      parts.push(Buffer.from(log, 'base64'));
    }
    const content = Buffer.concat(parts);
    expect([content.length, digestOf(content)]).toEqual([head.data?.['sizeBytes'], head.data?.['digest']]);
    return content;
  }

  const partOf = (content: Buffer, part: number): string =>
    content.subarray(part * mib, (part + 1) * mib).toString('base64');
  async function put(path: string, content: Buffer, script = 'write-file.sh') {
    const of = { path, size: content.length, digest: digestOf(content) };
    let answer = await run(script, of);
    while (answer.data?.['isDone'] === false) {
      const part = Number(answer.data['parts']);
      answer = await run(script, { ...of, part, data: partOf(content, part) });
    }
    return answer;
  }

  test.each([0, 1, 76, mib, 2 * mib + 12_345])(
    'a file of %i bytes comes as it is, and goes',
    async (size) => {
      const content = randomBytes(size);
      writeFileSync(at('in/a b, {c}é.bin'), content);
      expect((await fetched(at('in/a b, {c}é.bin'))).equals(content)).toBe(true);
      expect(await put(at('in/-new, {c}é.bin'), content)).toMatchObject({ code: 0, data: { isDone: true } });
      expect(readFileSync(at('in/-new, {c}é.bin')).equals(content)).toBe(true);
      expect(readdirSync(at('in')).toSorted()).toEqual(['-new, {c}é.bin', 'a b, {c}é.bin']);
    },
  );

  test.each([
    ['a path outside', () => at('out/secret')],
    ['two dots', () => at('in/../out/secret')],
    ['a link that leads out', () => at('in/link')],
    ['a folder link that leads out', () => at('in/folder/secret')],
    ['a name that begins as the listed one', () => at('inside')],
    ['a list itself', () => at('readable')],
    ['a relative path', () => 'in/../out/secret'],
    ['a line feed', () => at('in/x\n/../../out/secret')],
    ['a quote that ends the text', () => at('in/x","path":"/etc/passwd')],
    ['a process', () => '/proc/self/environ'],
    ['a memory', () => '/dev/mem'],
    ['an option', () => '-rf'],
    ['nothing', () => ''],
  ])('%s is refused, to fetch and to put', async (_what, path) => {
    symlinkSync(at('out/secret'), at('in/link'));
    symlinkSync(at('out'), at('in/folder'));
    writeFileSync(at('inside'), 'another one');
    const before = allIn(folder);
    for (const answer of [
      await run('read-file.sh', { path: path() }),
      await run('read-file.sh', { path: path(), part: 0 }),
      await put(path(), Buffer.from('changed')),
    ]) {
      expect(answer).toMatchObject({ code: 1, data: undefined });
      expect(answer.log).not.toContain('secret\n');
    }
    expect(readFileSync(at('out/secret'), 'utf8')).toBe('a secret');
    expect(allIn(folder)).toEqual(before);
  });

  test('what is outside is refused alike, whether it is there or not', async () => {
    const logs = await Promise.all(
      ['secret', 'nothing', ''].map(
        async (name) => (await run('read-file.sh', { path: at(`out/${name}`) })).log,
      ),
    );
    for (const log of logs)
      expect(log).toMatch(/^\/.* is not in .*readable, where the owner of this device lists/);
  });

  test('pipes, folders and what cannot be read are no files, and nothing waits for them', async () => {
    spawnSync('mkfifo', [at('in/pipe')]);
    symlinkSync('/dev/zero', at('in/zero'));
    for (const name of ['pipe', 'zero', '.', 'absent']) {
      expect(await run('read-file.sh', { path: at(`in/${name}`) })).toMatchObject({ code: 1 });
      if (name !== 'absent') expect(await put(at(`in/${name}`), Buffer.from('x'))).toMatchObject({ code: 1 });
    }
    expect(statSync(at('in/pipe')).isFIFO()).toBe(true);
  });

  test('without a list nothing is fetched or put, and a listed file is one alone', async () => {
    writeFileSync(at('single.conf'), 'one');
    writeFileSync(at('single.conf2'), 'two');
    expect((await fetched(at('single.conf'))).toString()).toBe('one');
    expect(await put(at('single.conf'), Buffer.from('new'))).toMatchObject({ code: 0 });
    expect(await put(at('single.conf2'), Buffer.from('new'))).toMatchObject({ code: 1 });
    for (const list of ['readable', 'writable']) rmSync(at(list));
    expect((await run('read-file.sh', { path: at('single.conf') })).code).toBe(1);
    expect((await put(at('single.conf'), Buffer.from('newer'))).code).toBe(1);
    expect(readFileSync(at('single.conf'), 'utf8')).toBe('new');
  });

  test('a link within the listed folders is followed to fetch, and is not replaced', async () => {
    writeFileSync(at('in/today.log'), 'lines');
    symlinkSync('today.log', at('in/current.log'));
    expect((await fetched(at('in/current.log'))).toString()).toBe('lines');
    const answer = await put(at('in/current.log'), Buffer.from('x'));
    expect(answer).toMatchObject({ code: 1, log: expect.stringContaining('is no plain file') });
  });

  test('a link that takes the place of the file after it was looked at gives nothing away', async () => {
    writeFileSync(at('in/log'), 'lines');
    const text = readFileSync(join(kit, 'read-file.sh'), 'utf8');
    const swap = `rm '${at('in/log')}' && ln -s '${at('out/secret')}' '${at('in/log')}'\nexec 3<`;
    writeFileSync(
      at('kit/raced.sh'),
      text.replace('exec 3<', () => swap),
    );
    for (const part of [undefined, 0]) {
      rmSync(at('in/log'));
      writeFileSync(at('in/log'), 'lines');
      const { code, data, log } = await run('raced.sh', { path: at('in/log'), part });
      expect([code, data, log.includes(Buffer.from('a secret').toString('base64'))]).toEqual([
        1,
        undefined,
        false,
      ]);
    }
  });

  test('before each line of a put a link takes the place of its folder or of the file, and nothing outside changes', async () => {
    const text = readFileSync(join(kit, 'write-file.sh'), 'utf8').split('\n');
    const first = text.findIndex((line) => line.startsWith('if [ -L'));
    mkdirSync(at('in/sub'));
    const swaps = [
      `[ -L '${at('in/sub')}' ] || { mv '${at('in/sub')}' '${at('moved')}' && ln -s '${at('out')}' '${at('in/sub')}'; }`,
      `rm -f '${at('in/sub/secret')}'; ln -s '${at('out/secret')}' '${at('in/sub/secret')}'`,
      `rm -f '${at('in/sub/secret')}'; ln -s '${at('out')}' '${at('in/sub/secret')}'`,
      `rm -rf '${at('in/sub/.secret.corral-put')}'; ln -s '${at('out')}' '${at('in/sub/.secret.corral-put')}'`,
    ];
    const content = Buffer.from('evil');
    for (const swap of swaps)
      for (let line = first; line < text.length - 1; line += 1) {
        if (/^( |fi|[})])/.test(text[line] ?? '') || text[line - 1]?.endsWith('||') === true) continue;
        for (const name of ['in/sub', 'moved']) rmSync(at(name), { recursive: true, force: true });
        mkdirSync(at('in/sub'));
        writeFileSync(at('kit/raced.sh'), [...text.slice(0, line), swap, ...text.slice(line)].join('\n'));
        await put(at('in/sub/secret'), content, 'raced.sh');
        expect(readdirSync(at('out')), `${swap} before ${text[line]}`).toEqual(['secret']);
        expect(readFileSync(at('out/secret'), 'utf8'), `${swap} before ${text[line]}`).toBe('a secret');
      }
  });

  test('a folder of somebody else in the way of a put is not used', async () => {
    symlinkSync(at('out'), at('in/.file.corral-put'));
    const answer = await put(at('in/file'), Buffer.from('x'));
    expect(answer).toMatchObject({ code: 1, log: expect.stringContaining('is of somebody else') });
    expect(readdirSync(at('out'))).toEqual(['secret']);
  });

  test('killed before any of its lines, a put leaves the old file or the new one, and the next one completes', async () => {
    const text = readFileSync(join(kit, 'write-file.sh'), 'utf8').split('\n');
    const first = text.findIndex((line) => line.startsWith('data='));
    const [old, content] = [Buffer.from('the old one'), randomBytes(mib + 7)];
    const of = { path: at('in/file'), size: content.length, digest: digestOf(content) };
    for (let line = first; line < text.length - 1; line += 1) {
      if (/^(fi|[})])/.test(text[line] ?? '') || text[line - 1]?.endsWith('||') === true) continue;
      writeFileSync(at('in/file'), old);
      chmodSync(at('in/file'), 0o640);
      await run('write-file.sh', of);
      await run('write-file.sh', { ...of, part: 0, data: partOf(content, 0) });
      writeFileSync(
        at('kit/killed.sh'),
        [...text.slice(0, line), 'kill -9 $$', ...text.slice(line)].join('\n'),
      );
      for (const input of [of, { ...of, part: 1, data: partOf(content, 1) }]) await run('killed.sh', input);
      const left = readFileSync(at('in/file'));
      expect(left.equals(old) || left.equals(content), `line ${line + 1}: ${text[line]}`).toBe(true);
      expect(await put(at('in/file'), content), `line ${line + 1}: ${text[line]}`).toMatchObject({ code: 0 });
      expect(readFileSync(at('in/file')).equals(content)).toBe(true);
      expect(statSync(at('in/file')).mode & 0o777).toBe(0o640);
      expect(readdirSync(at('in')).filter((name) => !name.endsWith('-put'))).toEqual(['file']);
      rmSync(at('in/.file.corral-put'), { recursive: true, force: true });
    }
  });

  test('before each line of a put another one of the same path begins, and none of them leaves less than a whole file', async () => {
    const text = readFileSync(join(kit, 'write-file.sh'), 'utf8').split('\n');
    const first = text.findIndex((line) => line.startsWith('have='));
    const [content, other] = [Buffer.from('the new one'), Buffer.from('another one')];
    const begun = JSON.stringify({ path: at('in/file'), size: other.length, digest: digestOf(other) });
    const begin = `echo '${begun}' | ${shell.command.join(' ')} '${at('kit/write-file.sh')}' >/dev/null 2>&1 || :`;
    for (let line = first; line < text.length - 1; line += 1) {
      if (/^( |fi|[})])/.test(text[line] ?? '')) continue;
      writeFileSync(at('in/file'), 'the old one');
      writeFileSync(at('kit/raced.sh'), [...text.slice(0, line), begin, ...text.slice(line)].join('\n'));
      const of = { path: at('in/file'), size: content.length, digest: digestOf(content) };
      await run('write-file.sh', of);
      const { code } = await run('raced.sh', { ...of, part: 0, data: partOf(content, 0) });
      expect(readFileSync(at('in/file'), 'utf8'), `line ${line + 1}: ${text[line]}`).toBe(
        code === 0 ? 'the new one' : 'the old one',
      );
      expect(await put(at('in/file'), other), `line ${line + 1}: ${text[line]}`).toMatchObject({ code: 0 });
      expect(readdirSync(at('in'))).toEqual(['file']);
    }
  });

  test('other bytes than the digest says, too many of them and a part too early are refused, and the old file stays', async () => {
    writeFileSync(at('in/file'), 'the old one');
    const content = Buffer.from('the new one');
    const of = { path: at('in/file'), size: content.length, digest: digestOf(content) };
    const data = (text: string) => Buffer.from(text).toString('base64');
    expect((await run('write-file.sh', { ...of, part: 0, data: data('the') })).log).toContain(
      'has not begun',
    );
    for (const [part, wrong, reason] of [
      [0, 'the bad one', 'does not have the digest'],
      [0, 'the new one and more', 'bytes came'],
      [1, 'the new one', 'a part before it is missing'],
    ] as const) {
      expect(await run('write-file.sh', of)).toMatchObject({ data: { parts: 0, isDone: false } });
      const answer = await run('write-file.sh', { ...of, part, data: data(wrong) });
      expect(answer).toMatchObject({ code: 1, log: expect.stringContaining(reason) });
      expect(readFileSync(at('in/file'), 'utf8')).toBe('the old one');
    }
    expect(await put(at('in/file'), content)).toMatchObject({ code: 0 });
    expect(existsSync(at('in/.file.corral-put'))).toBe(false);
  });
});
