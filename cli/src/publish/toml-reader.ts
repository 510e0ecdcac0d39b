import { problemMessages, type Json, type Problem } from '@corral/contract';
import { TomlDate, TomlError, parse } from 'smol-toml';
import { DocumentLines, type TomlPath } from './manifest-lines.ts';
import { ManifestError } from './ManifestError.ts';

const maxBytes = 1_048_576;

/** A table of a TOML document. */
export type TomlTable = Readonly<Record<string, unknown>>;

/** Reads values of a TOML document; everything unexpected is a ManifestError with its line. The last part of a path is the key. */
export class TomlReader {
  readonly #lines: DocumentLines;
  readonly root: TomlTable;

  /** Throws a ManifestError when the text is no TOML, or larger than 1 MiB. */
  constructor(text: string) {
    if (Buffer.byteLength(text) > maxBytes) throw new ManifestError(1, 'a manifest has at most 1 MiB.');
    this.root = parsed(text);
    this.#lines = new DocumentLines(text);
  }

  lineOf(path: TomlPath): number {
    return this.#lines.of(path);
  }

  error(path: TomlPath, message: string): ManifestError {
    return new ManifestError(this.lineOf(path), message);
  }

  /** Throws unless there is no problem. */
  check(path: TomlPath, problem: Problem | undefined): void {
    if (problem !== undefined) throw this.error(path, problemMessages[problem]);
  }

  /** Throws when the table has another key. */
  checkKeys(table: TomlTable, path: TomlPath, known: readonly string[]): void {
    const unknown = Object.keys(table).find((key) => !known.includes(key));
    if (unknown === undefined) return;
    const message = `${JSON.stringify(unknown)} is no key here; the keys are ${known.join(', ')}.`;
    throw this.error([...path, unknown], message);
  }

  text(table: TomlTable, path: TomlPath): string | undefined {
    const value = valueAt(table, path);
    if (value === undefined || typeof value === 'string') return value;
    throw this.error(path, `${path.at(-1)} must be a text in quotes.`);
  }

  required(table: TomlTable, path: TomlPath): string {
    const value = this.text(table, path);
    if (value === undefined || value === '') throw this.error(path, `${path.at(-1)} is missing.`);
    return value;
  }

  flag(table: TomlTable, path: TomlPath): boolean | undefined {
    const value = valueAt(table, path);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.error(path, `${path.at(-1)} must be true or false.`);
  }

  list(table: TomlTable, path: TomlPath, maxLength: number): unknown[] {
    const value = valueAt(table, path) ?? [];
    if (!Array.isArray(value)) throw this.error(path, `${path.at(-1)} must be an array.`);
    if (value.length > maxLength)
      throw this.error(path, `${path.at(-1)} may have at most ${maxLength} entries.`);
    return value;
  }

  table(value: unknown, path: TomlPath, what: string): TomlTable {
    if (isTable(value)) return value;
    throw this.error(path, `an entry of ${path[0]} must be ${what}.`);
  }

  /** A table as JSON of at most so many KiB; empty where there is none. */
  json(table: TomlTable, path: TomlPath, maxKib: number): Record<string, Json> {
    const value = valueAt(table, path) ?? {};
    if (!isTable(value)) throw this.error(path, `${path.at(-1)} must be a table.`);
    const json = this.#jsonOf(value, path) as Record<string, Json>;
    if (Buffer.byteLength(JSON.stringify(json)) <= maxKib * 1024) return json;
    throw this.error(path, `${path.at(-1)} may have at most ${maxKib} KiB as JSON.`);
  }

  /** TOML has dates and numbers that JSON does not have. */
  #jsonOf(value: unknown, path: TomlPath): Json {
    if (value instanceof TomlDate) return value.toISOString();
    if (typeof value === 'number' && !Number.isFinite(value))
      throw this.error(path, 'metadata takes neither inf nor nan.');
    if (Array.isArray(value)) return value.map((item, index) => this.#jsonOf(item, [...path, index]));
    if (!isTable(value)) return value as Json;
    const entries = Object.entries(value).map(([key, item]) => [key, this.#jsonOf(item, [...path, key])]);
    return Object.fromEntries(entries) as Json;
  }
}

function valueAt(table: TomlTable, path: TomlPath): unknown {
  const key = String(path.at(-1));
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function parsed(text: string): TomlTable {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [line = ''] = cause.message.split('\n', 1);
    const message = `it is not valid TOML: ${line.replace(/^Invalid TOML document: /, '')}.`;
    throw new ManifestError(cause.line, message, { cause });
  }
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof TomlDate);
}
