import { hash, type KeyObject } from 'node:crypto';
import { leafHash, rootFromInclusionPath } from '../auth/merkle-tree.ts';
import { isSigned, parseStatement, type SealStatement } from '../auth/seal-statement.ts';

/** The result of a check of an exported log. */
export interface ExportVerdict {
  readonly rows: number;
  /** The number of the first wrong line, from 1, and what is wrong. */
  readonly problem?: { readonly line: number; readonly sentence: string };
}

interface ExportState {
  readonly seals: Map<number, SealStatement>;
  /** The lines of the current page. */
  lines: string[];
  next: string | null;
  projectId: string | undefined;
  isComplete: boolean;
  rows: number;
}

/** Verifies the lines of an exported log: the signatures, the inclusion path of each row, and that no line is missing. */
export async function checkExport(lines: AsyncIterable<string>, key: KeyObject): Promise<ExportVerdict> {
  const state: ExportState = {
    seals: new Map(),
    lines: [],
    next: null,
    projectId: undefined,
    isComplete: false,
    rows: 0,
  };
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const sentence = problemOf(text, key, state);
    if (sentence !== undefined) return { rows: state.rows, problem: { line, sentence } };
  }
  if (state.isComplete) return { rows: state.rows };
  return { rows: state.rows, problem: { line: line + 1, sentence: 'The end is missing.' } };
}

function problemOf(text: string, key: KeyObject, state: ExportState): string | undefined {
  if (state.isComplete) return 'There are lines after the end.';
  const parsed = parseLine(text);
  if (parsed === undefined) return 'The line is not valid JSON.';
  if (typeof parsed['page'] === 'string') return pageProblem(parsed['page'], signatureOf(parsed), key, state);
  state.lines.push(text);
  if (typeof parsed['statement'] === 'string') {
    const signed = { statement: parsed['statement'], signature: signatureOf(parsed) };
    if (!isSigned(key, signed.statement, signed.signature)) return 'The seal is not signed with the key.';
    const statement = parseStatement(signed);
    state.seals.set(statement.seal, statement);
    return undefined;
  }
  state.rows += 1;
  return isIncluded(text, parsed, state) ? undefined : 'The row does not fit its seal.';
}

function isIncluded(
  text: string,
  { seal, index, path }: Record<string, unknown>,
  { seals }: ExportState,
): boolean {
  const statement = seals.get(Number(seal));
  if (statement === undefined || !Array.isArray(path)) return false;
  const row = text.slice(text.indexOf('"row":') + '"row":'.length, -1);
  const nodes = path.map((node) => Buffer.from(String(node), 'base64'));
  const leafPosition = { index: Number(index), count: statement.actions + statement.events };
  return rootFromInclusionPath(leafHash(row), leafPosition, nodes)?.toString('hex') === statement.root;
}

interface Page {
  readonly projectId: string;
  readonly after: string | null;
  readonly next: string | null;
  readonly digest: string;
}

function pageProblem(
  text: string,
  signature: Buffer,
  key: KeyObject,
  state: ExportState,
): string | undefined {
  if (!isSigned(key, text, signature)) return 'The end of the page is not signed with the key.';
  const page = JSON.parse(text) as Page;
  const lines = state.lines.splice(0).map((line) => `${line}\n`);
  const isNext = page.after === state.next && (state.projectId ?? page.projectId) === page.projectId;
  if (!isNext) return 'A page is missing, or belongs to another export.';
  if (hash('sha256', lines.join(''), 'hex') !== page.digest)
    return 'A line of the page was changed, added or removed.';
  state.projectId = page.projectId;
  state.next = page.next;
  state.isComplete = page.next === null;
  return undefined;
}

function signatureOf({ signature }: Record<string, unknown>): Buffer {
  return Buffer.from(String(signature), 'base64');
}

function parseLine(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
