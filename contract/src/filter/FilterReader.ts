import type { FilterValue } from './filter.ts';
import { FilterError } from './FilterError.ts';

const blank = /\s*/uy;
/** An at sign is the version operator only before a quotation mark, because e-mail addresses contain one, too. */
const name = /(?:[^\s"():=!<>@,]|@(?!"))+/uy;
const word = /[^\s"(),]+/uy;
const quoted = /"(?:[^"\\]|\\.)*"/suy;
const operator = /!=|<=|>=|[:=<>]|@(?=")/uy;

/** Reads the text of a filter piece by piece. */
export class FilterReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of the next character. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skipBlanks(): void {
    this.#match(blank);
  }

  /** Reads this text if it comes next; returns whether it did. */
  take(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** Reads this whole word if it comes next; returns whether it did. */
  takeWord(text: string): boolean {
    return this.isWordNext(text) && this.take(text);
  }

  /** Whether this whole word comes next. */
  isWordNext(text: string): boolean {
    const after = this.#text[this.#at + text.length];
    return this.isNext(text) && (after === undefined || /[\s(]/u.test(after));
  }

  /** Whether this text comes next. */
  isNext(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  /** Reads a minus that negates what follows it; alone it is a word. */
  takeMinus(): boolean {
    const after = this.#text[this.#at + 1];
    return after !== undefined && !/\s/u.test(after) && this.take('-');
  }

  /** A run of characters that can be the name of a field. */
  name(): string | undefined {
    return this.#match(name);
  }

  operator(): string | undefined {
    return this.#match(operator);
  }

  /** A quoted text or a word; a star at the end of a word means "begins with". A word that ends with an at sign has the quoted requirement of a version behind it. */
  value(what: string): FilterValue {
    const at = this.#at;
    const inQuotes = this.quotedText();
    if (inQuotes !== undefined) return { text: inQuotes, isPrefix: false, isQuoted: true, at };
    const found = this.#match(word);
    if (found === undefined) throw new FilterError(`${what} is missing here.`, at);
    const requirement = found.endsWith('@') ? this.quotedText() : undefined;
    if (requirement !== undefined) return { text: found + requirement, isPrefix: false, isQuoted: false, at };
    return { ...withoutStar(found), isQuoted: false, at };
  }

  /** The text between quotation marks; a backslash keeps the character after it as it is. */
  quotedText(): string | undefined {
    const at = this.#at;
    if (!this.isNext('"')) return undefined;
    const found = this.#match(quoted);
    if (found === undefined) throw new FilterError('the closing quotation mark is missing.', at);
    return found.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
  }

  /** Skips a value if there is one. Without a closing quotation mark it extends to the end of the filter. */
  skipValue(): void {
    if (!this.isNext('"') && this.#match(word)?.endsWith('@') !== true) return;
    if (this.isNext('"') && this.#match(quoted) === undefined) this.#at = this.#text.length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** A word without the star at its end. */
export function withoutStar(text: string): { text: string; isPrefix: boolean } {
  const isPrefix = text.length > 1 && text.endsWith('*');
  return { text: isPrefix ? text.slice(0, -1) : text, isPrefix };
}
