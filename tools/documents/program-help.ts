import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { createProgram } from '@corral/cli';
import { runCollecting } from '../run.ts';
import { repositoryRoot } from '../source-files.ts';

const inRepository = (path: string): string => join(repositoryRoot, path);
const programs: Readonly<Record<string, string>> = {
  corral: inRepository('cli/dist/corral.mjs'),
  'corral-agent': inRepository('agent/dist/corral-agent.mjs'),
  'corral-hub': inRepository('hub/src/main.ts'),
};
const hubCommands = [
  'audit',
  'backup',
  'doctor',
  'move-passkeys',
  'reset-administrator',
  'restore',
  'storage',
];
const { scripts } = JSON.parse(readFileSync(inRepository('package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const texts = new Map<string, Promise<string>>();

/** The help of a program, or of one of its commands. */
export function helpOf(program: string, path: readonly string[] = []): Promise<string> {
  const key = [program, ...path].join(' ');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = program === 'corral' ? commandLineHelp(path) : processHelp(program, path);
  texts.set(key, text);
  return text;
}

async function processHelp(program: string, path: readonly string[]): Promise<string> {
  const args = [programs[program] ?? '', ...path, '--help'];
  return (await runCollecting(process.execPath, args)).output;
}

/** The help of the command line, which has too many commands for a process each. */
async function commandLineHelp(path: readonly string[]): Promise<string> {
  let text = '';
  const stdout = { write: (part: string) => (text += part) } as unknown as NodeJS.WriteStream;
  const { stdin } = process;
  const stopSignal = () => AbortSignal.abort();
  const place = { env: {}, cwd: '/', home: '/nonexistent' };
  const program = createProgram({ ...place, stdin, stdout, stderr: stdout, stopSignal });
  // Commander rejects when it has printed the help.
  await program.parseAsync(['node', 'corral', ...path, '--help']).catch(() => undefined);
  return text;
}

/** The names of the commands below a program or a command. */
async function commandsOf(program: string, path: readonly string[]): Promise<string[]> {
  const [, list = ''] = /\nCommands:\n((?: .*\n)*)/.exec(`${await helpOf(program, path)}\n`) ?? [];
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

/** A command line of one of the programs. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/** The call of a program of Corral in a simple command; undefined for other commands. */
export function programCallOf(words: readonly string[]): ProgramCall | undefined {
  const [first = '', second = '', ...rest] = words[0] === 'sudo' ? words.slice(1) : words;
  const hubAt = words.findIndex((word) => word.endsWith('hub/src/main.ts'));
  if (hubAt >= 0) return { program: 'corral-hub', args: words.slice(hubAt + 1) };
  if (first === 'npm' && second === 'start') {
    const end = rest.indexOf('--');
    return { program: 'corral-hub', args: end < 0 ? [] : rest.slice(end + 1) };
  }
  const [, name] = /(?:^|\/)(corral(?:-agent)?)\.mjs$/.exec(second) ?? [];
  if (first === 'node' && name !== undefined) return { program: name, args: rest };
  return programs[first] === undefined
    ? undefined
    : { program: first, args: [second, ...rest].filter((word) => word !== '') };
}

/** What is wrong with a simple command, such as an option that the program does not have; undefined where nothing is. */
export async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const [first = '', second = '', third = ''] = words;
  if (first === 'npm' && !['start', 'test', 'run'].includes(second)) return `npm ${second} is not expected`;
  if (first === 'npm' && second === 'run' && scripts[third] === undefined)
    return `package.json has no script ${third}`;
  const call = programCallOf(words);
  if (call === undefined) return undefined;
  return call.program === 'corral-hub' ? problemOfHub(call.args) : problemOfCall(call);
}

const isPlaceholder = (word: string): boolean => /^[A-Z]+$/.test(word) || word.startsWith('…');

async function problemOfHub([first = '', ...rest]: readonly string[]): Promise<string | undefined> {
  const isCommand = /^[a-z]/.test(first);
  if (isCommand && !hubCommands.includes(first)) return `corral-hub has no command ${first}`;
  const options = isCommand ? rest : [first, ...rest];
  return missingOption(await helpOf('corral-hub', isCommand ? [first] : []), options);
}

async function problemOfCall({ program, args }: ProgramCall): Promise<string | undefined> {
  const path: string[] = [];
  for (const word of args) {
    if (word.startsWith('-')) continue;
    const commands = await commandsOf(program, path);
    if (commands.includes(word)) path.push(word);
    else if (commands.length === 0 || isPlaceholder(word)) break;
    else return `${[program, ...path].join(' ')} has no command ${word}`;
  }
  return missingOption(await helpOf(program, path), args);
}

function missingOption(help: string, args: readonly string[]): string | undefined {
  const names = args.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*/, ''));
  const missing = names.find((name) => !new RegExp(`(?:^|[\\s,[])${name}(?![\\w-])`, 'm').test(help));
  return missing === undefined ? undefined : `there is no option ${missing}`;
}

/** A command as a table describes it. */
export interface DescribedCommand {
  readonly path: readonly string[];
  /** An option that it does not have. */
  readonly problem: string | undefined;
}

/** The commands in the first column of a table of commands. A name without its group belongs to that of the one before. */
export async function commandsInTable(program: string, table: string): Promise<DescribedCommand[]> {
  const top = await commandsOf(program, []);
  const described: DescribedCommand[] = [];
  for (const [, cell = ''] of table.matchAll(/^\| (`.*?) \|/gm)) {
    let group: readonly string[] = [];
    for (const [, span = ''] of cell.matchAll(/`([^`]+)`/g)) {
      const words = span.split(/[\s[\]…]+/).filter((word) => word !== '');
      const own = top.includes(words[0] ?? '') ? words : [...group, ...words];
      const path = await commandPath(program, own);
      described.push({ path, problem: missingOption(await helpOf(program, path), own) });
      group = path.slice(0, -1);
    }
  }
  return described;
}

async function commandPath(program: string, words: readonly string[]): Promise<string[]> {
  const path: string[] = [];
  for (const word of words) {
    if (!(await commandsOf(program, path)).includes(word)) break;
    path.push(word);
  }
  return path;
}

/** Every command of a program that has none below it. */
export async function leafCommandsOf(program: string, path: readonly string[] = []): Promise<string[][]> {
  const names = await commandsOf(program, path);
  if (names.length === 0) return [[...path]];
  return (await Promise.all(names.map((name) => leafCommandsOf(program, [...path, name])))).flat();
}
