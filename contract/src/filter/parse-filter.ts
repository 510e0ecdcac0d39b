import type { Filter, FilterOperator } from './filter.ts';
import { FilterError } from './FilterError.ts';
import { FilterReader, withoutStar } from './FilterReader.ts';

/** The longest filter, in characters. */
export const maxFilterCharacters = 1000;
const maxTests = 32;
const maxValues = 100;
const maxDepth = 16;

/**
 * Parses a filter; undefined for one without any text. `flagNamed` returns the field of a word that stands alone for one that is true or
 * false: any other word is looked for in the row. Throws a `FilterError`. The grammar:
 *
 * ```
 * filter = "all" | or ;   or = and { "or" and } ;   and = unary { [ "and" ] unary } ;
 * unary  = [ "not" | "-" ] ( "(" or ")" | test | text ) ;   text = word [ "*" ] | quoted ;
 * test   = field ( ":" value { "," value } | ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value | "@" quoted ) | "has:" field ;
 * ```
 */
export function parseFilter(
  text: string,
  flagNamed: (word: string) => string | undefined,
): Filter | undefined {
  if (text.length > maxFilterCharacters)
    throw new FilterError(`it may have at most ${maxFilterCharacters} characters.`, maxFilterCharacters);
  if (text.includes('\0'))
    throw new FilterError('there is a character that no text has.', text.indexOf('\0'));
  if (text.trim() === '') return undefined;
  return new Parser(new FilterReader(text), flagNamed).whole();
}

class Parser {
  readonly #reader: FilterReader;
  readonly #flagNamed: (word: string) => string | undefined;
  #tests = 0;
  #depth = 0;

  constructor(reader: FilterReader, flagNamed: (word: string) => string | undefined) {
    this.#reader = reader;
    this.#flagNamed = flagNamed;
  }

  whole(): Filter {
    const filter = this.#or();
    if (!this.#reader.isAtEnd) throw new FilterError('this bracket closes nothing.', this.#reader.at);
    return filter;
  }

  #or(): Filter {
    const parts = [this.#and()];
    while (this.#reader.takeWord('or')) parts.push(this.#and());
    return combined('or', parts);
  }

  #and(): Filter {
    const parts = [this.#unary()];
    for (let isMore = this.#isMore(); isMore; isMore = this.#isMore()) {
      this.#reader.takeWord('and');
      parts.push(this.#unary());
    }
    return combined('and', parts);
  }

  #isMore(): boolean {
    this.#reader.skipBlanks();
    return !this.#reader.isAtEnd && !this.#reader.isNext(')') && !this.#reader.isWordNext('or');
  }

  #unary(): Filter {
    this.#reader.skipBlanks();
    const { at } = this.#reader;
    if (!this.#reader.takeWord('not') && !this.#reader.takeMinus()) return this.#primary();
    if ((this.#depth += 1) > maxDepth) throw tooDeep(at);
    const part = this.#unary();
    this.#depth -= 1;
    return { kind: 'not', part };
  }

  #primary(): Filter {
    const { at } = this.#reader;
    if (!this.#reader.take('(')) return this.#countedTest(at);
    if ((this.#depth += 1) > maxDepth) throw tooDeep(at);
    const filter = this.#or();
    if (!this.#reader.take(')')) throw new FilterError('this bracket is not closed.', at);
    this.#depth -= 1;
    return filter;
  }

  #countedTest(at: number): Filter {
    if ((this.#tests += 1) > maxTests)
      throw new FilterError(`a filter may have at most ${maxTests} conditions.`, at);
    return this.#test(at);
  }

  #test(at: number): Filter {
    const inQuotes = this.#reader.quotedText();
    if (inQuotes !== undefined) return { kind: 'text', text: inQuotes, isPrefix: false, at };
    const field = this.#reader.name();
    if (field === undefined) throw this.#missingCondition(at);
    const operator = this.#reader.operator() as FilterOperator | undefined;
    if (operator === undefined) {
      const flag = this.#flagNamed(field);
      return flag === undefined ? textTest(field, at) : { kind: 'flag', field: flag, at };
    }
    if (field === 'has' && operator === ':') return this.#has();
    return { kind: 'compare', field, operator, values: this.#values(operator, field), at };
  }

  /** Whoever writes `status = ok` has given a condition that is only spaced out. */
  #missingCondition(at: number): FilterError {
    const operator = this.#reader.operator();
    const problem =
      operator === undefined || at === 0
        ? 'a condition is missing here.'
        : `write "${operator}" without spaces, as in name${operator}value.`;
    return new FilterError(problem, at);
  }

  #has(): Filter {
    const { at } = this.#reader;
    const field = this.#reader.name();
    if (field === undefined) throw new FilterError('the name of a field is missing here.', at);
    return { kind: 'has', field, at };
  }

  #values(operator: FilterOperator, field: string) {
    const what = `the value of "${field}"`;
    const values = [this.#reader.value(what)];
    while (operator === ':' && this.#reader.take(',')) {
      if (values.length >= maxValues)
        throw new FilterError(`a condition may have at most ${maxValues} values.`, this.#reader.at);
      values.push(this.#reader.value(what));
    }
    return values;
  }
}

const reservedWords: ReadonlySet<string> = new Set(['and', 'or', 'not']);

function textTest(word: string, at: number): Filter {
  if (word === 'all') return { kind: 'all' };
  if (reservedWords.has(word))
    throw new FilterError(`"${word}" needs a condition; write it in quotation marks to look for it.`, at);
  return { kind: 'text', ...withoutStar(word), at };
}

function combined(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const [only, second] = parts;
  return second === undefined && only !== undefined ? only : { kind, parts };
}

function tooDeep(at: number): FilterError {
  return new FilterError(`brackets and negations may be nested at most ${maxDepth} deep.`, at);
}
