import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manifestOf, readCommands } from './read-commands.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-commands-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function manifest(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function read() {
  const warnings: string[] = [];
  const commands = readCommands(folder, (warning) => warnings.push(warning.replaceAll(`${folder}/`, '')));
  return { commands, warnings };
}

test('manifests are read as clients of 2026 write them, and what runs is not published', () => {
  manifest(
    'deploy.toml',
    `[command]
name = "acme.app.deploy"
description = "Deploy a version"
category = "applications"
[input]
schema = '''{"type": "object", "required": ["versionId"]}'''
[output]
schema = 'true'
[exec]
handler = ["./deploy", "--fast"]
timeout = 600
`,
  );
  manifest('reboot.toml', '[command]\nname = "reboot"\n[exec]\nhandler = ["reboot"]\n');
  manifest('notes.txt', 'no manifest');
  const { commands, warnings } = read();
  expect(warnings).toEqual([]);
  expect(commands.get('acme.app.deploy')).toMatchObject({
    handler: [join(folder, 'deploy'), '--fast'],
    timeoutSecs: 600,
  });
  expect(commands.get('reboot')).toEqual({ name: 'reboot', handler: ['reboot'], timeoutSecs: 30 });
  expect(manifestOf(commands)).toEqual({
    commands: [
      {
        name: 'acme.app.deploy',
        description: 'Deploy a version',
        category: 'applications',
        input: { type: 'object', required: ['versionId'] },
        output: true,
      },
      { name: 'reboot' },
    ],
  });
});

test.each([
  ['[command]', 'The manifest bad.toml is not used: it has no table [exec].'],
  ['[command]\n[exec]', 'command.name must have 1 to 128 of the characters'],
  ['[command]\nname = "a b"\n[exec]', 'command.name must have 1 to 128 of the characters'],
  ['[command]\nname = "a"\n[exec]', 'exec.handler must be a list'],
  ['[command]\nname = "a"\n[exec]\nhandler = []', 'exec.handler must be a list'],
  ['[command]\nname = "a"\n[exec]\nhandler = ["x", 1]', 'exec.handler must be a list'],
  ['[command]\nname = "a"\n[exec]\nhandler = ["x"]\ntimeout = 0', 'exec.timeout must be a whole number'],
  ['[command]\nname = "a"\ndescription = 1\n[exec]\nhandler = ["x"]', 'command.description must be a string'],
  ['[command]\nname = "a"\n[exec]\nhandler = ["x"]\n[input]\nschema = "{"', 'input.schema is no JSON'],
  [
    '[command]\nname = "a"\n[exec]\nhandler = ["x"]\n[input]\nschema = 3',
    'input.schema must be a JSON Schema',
  ],
  ['[command', 'The manifest bad.toml is not valid TOML (line 1).'],
])('the manifest %j is left out with a reason, and the others are used', (text, reason) => {
  manifest('bad.toml', text);
  manifest('good.toml', '[command]\nname = "good"\n[exec]\nhandler = ["/bin/true"]\n');
  const { commands, warnings } = read();
  expect([...commands.keys()]).toEqual(['good']);
  expect(warnings).toEqual([expect.stringContaining(reason)]);
});

test('the second manifest of a name, and what is beyond 4 MiB, is left out', () => {
  const text = (name: string, description = '') =>
    `[command]\nname = "${name}"\ndescription = "${description}"\n[exec]\nhandler = ["/bin/true"]\n`;
  manifest('a.toml', text('one'));
  manifest('b.toml', text('one'));
  manifest('c.toml', text('large', 'x'.repeat(4 * 1_048_576)));
  const { commands, warnings } = read();
  expect([...commands.keys()]).toEqual(['one']);
  expect(warnings).toEqual([
    'The manifest b.toml is not used: another one has the name one.',
    'The manifest c.toml is not used: all commands together may have 4 MiB.',
  ]);
});

test('a folder that is not there offers nothing, and is named', () => {
  rmSync(folder, { recursive: true });
  const { commands, warnings } = read();
  expect(commands.size).toBe(0);
  expect(warnings[0]).toContain('No command is offered: the folder');
  writeFileSync(folder, '');
});
