import { settableLimits } from '../limits/describe.ts';
import { operatorCommand } from '../operator-command.ts';
import { commandLineHelp } from './command-line.ts';
import { keyNames, keys, tomlNameOf, variableOf, type Key } from './keys.ts';
import { wrapText } from './wrap-text.ts';

const configFile = [
  'CORRAL_CONFIG',
  'The path of a TOML file with settings; the environment takes precedence over it.',
] as const;
const scripts =
  'Scripts that the console loads are [[scripts]] tables of the TOML file, each with src, attributes and allow-unpinned.';

function paragraph(name: string, doc: string, values?: string, fallback?: string): string {
  const more = [
    ...(values === undefined ? [] : [`Value: ${values}.`]),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
  ];
  return `  ${name}\n${wrapText([doc, ...more].join(' '), 92, '      ')}`;
}

const allKeys: readonly (readonly [string, Key])[] = keyNames.map((name) => [name, keys[name]]);

/** The commands besides the hub itself; `--help` of each explains its options and exit codes. */
const commands = [
  ['doctor', 'Says what is wrong with the hub and what it depends on, and what to do.'],
  ['backup FOLDER', 'Saves the database and the assets.'],
  ['backup verify FOLDER', 'Compares every byte of a backup with its digests.'],
  ['restore FOLDER', 'Restores a backup into an empty database.'],
  ['storage doctor', 'Compares the assets in the database with the bytes in the stores.'],
  ['storage move', 'Moves assets from the data folder to object stores.'],
  ['storage claim', 'Lets a restored hub delete in the object stores of the backup.'],
  ['audit verify', 'Checks the audit log against its seals.'],
  ['move-passkeys', 'Lets new passkeys belong to the present host name of the hub.'],
  ['reset-administrator', 'Sets a new password for an administrator who lost it.'],
] as const;

/** The text of `--help`: every option and every setting with its default. */
export function configHelp(): string {
  return [
    `Usage: ${operatorCommand('[options]')}`,
    `       ${operatorCommand('COMMAND [options]')}\n`,
    'Without a command the hub runs. The commands; --help after one explains it:\n',
    ...commands.map(([command, doc]) => `  ${command.padEnd(22)}${doc}`),
    '\nOptions:\n',
    ...commandLineHelp.map(([option, doc]) => `  ${option.padEnd(16)}${doc}`),
    '\nSettings (environment variables):\n',
    ...allKeys.map(([name, { doc, schema, fallback }]) =>
      paragraph(variableOf(name), doc, schema.description, fallback),
    ),
    paragraph(...configFile),
    `\n${wrapText(scripts, 98, '')}\n`,
  ].join('\n');
}

/** A text as it is: Markdown would take its asterisks for emphasis and its angle brackets for HTML. */
const cell = (text: string): string => text.replaceAll(/[\\*<>|]/g, '\\$&');

function row(variable: string, toml: string, { doc, schema, fallback = '' }: Key): string {
  return `| \`${variable}\` | ${toml === '' ? '' : `\`${toml}\``} | ${cell(schema.description ?? '')} | ${cell(fallback)} | ${cell(doc)} |`;
}

const scriptReference = `## Scripts of the console

Each \`[[scripts]]\` table of the TOML file is a script that the console loads when it starts. A script of another origin must have the attribute
\`integrity\`, unless \`allow-unpinned = true\`. Allowed attributes: \`async\`, \`defer\`, \`type\`, \`integrity\`, \`crossorigin\`,
\`referrerpolicy\`, \`nomodule\` and \`data-*\`; the value \`true\` writes an attribute without a value.

\`\`\`toml
[[scripts]]
src = "https://metrics.example/script.js"
attributes = { defer = true, integrity = "sha384-…", crossorigin = "anonymous", data-site = "hub" }
\`\`\`
`;

/** The text of docs/configuration.md. */
export function configReference(): string {
  const options = commandLineHelp.map(([option, doc]) => `| \`${option}\` | ${cell(doc)} |`);
  return [
    '# Configuration\n',
    '<!-- Generated from hub/src/config/keys.ts; change it there. -->\n',
    'Settings come from the command line, then from the environment, then from an optional TOML file. A wrong value or an unknown name',
    'stops the hub with one sentence that names the key.\n',
    '## Settings\n',
    'In the TOML file, texts are in quotes, numbers and `true` or `false` need none, and lists may be arrays of texts. `on`, `yes` and `1` mean `true`; `off`, `no` and `0`',
    '`false`. An empty variable counts as unset.\n',
    '| environment | TOML | value | default | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...allKeys.map(([name, key]) => row(variableOf(name), tomlNameOf(name), key)),
    `| \`${configFile[0]}\` | | the path of a file | | ${cell(configFile[1])} |`,
    '\n## Command line\n',
    '`corral-hub` runs the hub. In a checkout it is `npm start --`, and by npx `npx corral-hub`.\n',
    '| option | meaning |',
    '| --- | --- |',
    ...options,
    '\n## Commands\n',
    '`corral-hub COMMAND` runs one of these instead, with the same settings; `corral-hub COMMAND --help` explains its options and exit codes.\n',
    '| command | what it does |',
    '| --- | --- |',
    ...commands.map(([command, doc]) => `| \`${command}\` | ${cell(doc)} |`),
    '\n## Limits\n',
    'These can be set; [Security](../SECURITY.md#limits) has all, and whom each protects.\n',
    settableLimits(),
    `\n${scriptReference}`,
  ].join('\n');
}
