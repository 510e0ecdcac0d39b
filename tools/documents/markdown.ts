import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../source-files.ts';

/** A page of the documents; its name is its path in the repository. */
export interface Page {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The text outside of the blocks. */
  readonly prose: string;
}

/** A fenced block. */
export interface Block {
  /** The page and the line of the fence. */
  readonly place: string;
  /** The word behind the fence; empty for what programs print. */
  readonly language: string;
  readonly text: string;
}

/** README and CONTRIBUTING, and every page below docs. */
export function readPages(): Page[] {
  const docs = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' });
  const names = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'CONTRIBUTING.md', ...names.toSorted()].map((name) =>
    pageOf(name, readFileSync(join(repositoryRoot, name), 'utf8')),
  );
}

/** Takes a page apart. A fence may be indented, as in a list; its block then loses the same blanks. */
function pageOf(name: string, text: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { indent: string; language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(\w*)$/.exec(line) ?? [undefined];
    const isFence = /^ *```\w*$/.test(line);
    if (open === undefined && isFence) open = { indent, language, line: index + 1, lines: [] };
    else if (open === undefined) prose.push(line);
    else if (isFence) {
      blocks.push({ place: `${name}:${open.line}`, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  if (open !== undefined) throw new Error(`${name}:${open.line}: the block has no end.`);
  return { name, text, blocks, prose: prose.join('\n') };
}

/** The texts in `code` outside of blocks. */
export const codeSpans = ({ prose }: Page): string[] =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

const shells = ['sh', 'bash', 'console', 'cron'];

/** Whether a block has commands for people to run. */
export const isCommands = ({ language }: Block): boolean => shells.includes(language);

/** The script that a block is; a line of cron is the command behind its times and its user. */
export const scriptOf = ({ language, text }: Block): string =>
  language === 'cron' ? text.replaceAll(/^(?:[\d*/,-]+ +){5}\S+ +/gm, '').replaceAll('\\%', '%') : text;
