import { expect, test } from 'vitest';
import { auditCommandLine } from './audit-command-line.ts';
import { backupCommandLine, restoreCommandLine } from './backup-command-line.ts';
import { configHelp, configReference } from './describe.ts';
import { doctorCommandLine } from './doctor-command-line.ts';
import { movePasskeysCommandLine } from './move-passkeys-command-line.ts';
import { resetCommandLine } from './reset-command-line.ts';
import { storageCommandLine } from './storage-command-line.ts';

const commands = [
  { words: 'audit verify', commandLine: auditCommandLine },
  { words: 'backup /b', commandLine: backupCommandLine },
  { words: 'doctor', commandLine: doctorCommandLine },
  { words: 'move-passkeys', commandLine: movePasskeysCommandLine },
  { words: 'reset-administrator', commandLine: resetCommandLine },
  { words: 'restore /b', commandLine: restoreCommandLine },
  { words: 'storage doctor', commandLine: storageCommandLine },
];

test.each(commands)('corral-hub $words has what all commands have', ({ words, commandLine }) => {
  const [name, ...given] = words.split(' ');
  const read = (...more: string[]) => commandLine.read([...given, ...more]);
  expect(read('--config', 'a.toml', '--data-dir=/d')).toMatchObject({
    hubArguments: ['--config', 'a.toml', '--data-dir', '/d'],
  });
  expect(read()).toMatchObject({ hubArguments: [] });
  for (const wanted of ['help', 'version'] as const)
    expect([read(`--${wanted}`), commandLine.read([`--${wanted}`])]).toEqual([wanted, wanted]);
  expect(read('-h')).toBe('help');
  expect(commandLine.help).toMatch(new RegExp(`^Usage: npm start -- ${name} `));
  expect(commandLine.help).toMatch(/\nExit codes: 0 /);
  for (const option of ['config FILE', 'data-dir DIR', 'help', 'version'])
    expect(commandLine.help).toContain(`\n  --${option} `);
  expect(() => read('--data-dri', '/d')).toThrow('There is no option --data-dri; did you mean --data-dir?');
  expect(() => read('--config')).toThrow(
    /^The command line is wrong: Option '--config <value>' argument missing\.$/,
  );
  expect(() => read('--help=yes')).toThrow(/^The command line is wrong: /);
  expect(() => read('more')).toThrow(/npm start -- .*; --help explains it\.$/);
});

test('the own options of commands are read, and their help is in lines that fit', () => {
  expect(storageCommandLine.read(['doctor', '--fix', '--dry-run', '--read', '--json'])).toEqual({
    command: 'doctor',
    isFixing: false,
    isDryRun: true,
    isReading: true,
    isJson: true,
    isFolderLost: false,
    hubArguments: [],
  });
  expect(storageCommandLine.read(['move', '--json'])).toMatchObject({ command: 'move', isJson: true });
  expect(() => storageCommandLine.read(['move', '--fix'])).toThrow('storage move has no option --fix');
  expect(backupCommandLine.read(['verify', '/b'])).toMatchObject({ folder: '/b', isCheckOnly: true });
  expect(() => backupCommandLine.read(['verify', '/b', '--with-secret-key'])).toThrow(
    /no options that begin/,
  );
  expect(() => restoreCommandLine.read(['/b', '--with-secret-key'])).toThrow(/There is no option/);
  expect(auditCommandLine.read(['verify', '--public-key', 'k'])).toMatchObject({ publicKey: 'k' });
  expect(resetCommandLine.read(['--email', 'a@b'])).toMatchObject({ email: 'a@b' });
  const [, options = ''] = storageCommandLine.help.split('\n\n  ');
  const lines = options.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(storageCommandLine.help).toMatch(/\n {22}file heals the asset/);
});

test('the help of the hub and the reference name every command', () => {
  const calls = commands.flatMap(({ commandLine: { help } }) =>
    [...help.matchAll(/^(?:Usage:| {6}) npm start -- (.+) \[options\]$/gm)].map(([, call = '']) => call),
  );
  expect(calls).toContain('storage claim');
  for (const call of calls) {
    expect(configHelp()).toMatch(new RegExp(`^  ${call}  `, 'm'));
    expect(configReference()).toContain(`| \`${call}\` |`);
  }
});
