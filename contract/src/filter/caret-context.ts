import { FilterReader } from './FilterReader.ts';

/** The piece of a filter at the caret; the filter may have errors before and after it. */
export interface CaretContext {
  readonly expects: 'field' | 'operator' | 'value';
  /** Where the piece begins and ends; it is empty between two pieces. */
  readonly start: number;
  readonly end: number;
  /** The field whose operator or value it is. */
  readonly field?: string;
  /** Whether a test stands before it, so that `and` and `or` may follow. */
  readonly isAfterTest?: boolean;
  /** Whether the field is that of a `has:`. */
  readonly isAfterHas?: boolean;
  /** Whether the field has an operator already. */
  readonly hasOperator?: boolean;
  /** Where the other values of the same test are. */
  readonly otherValues?: readonly (readonly [start: number, end: number])[];
}

/** The piece at the caret; undefined inside quotation marks, where nothing can be completed. */
export function caretContext(text: string, caret: number): CaretContext | undefined {
  return new CaretParser(text, caret).find();
}

const logicalOperators: ReadonlySet<string> = new Set(['and', 'or', 'not']);

class CaretParser {
  readonly #text: string;
  readonly #caret: number;
  readonly #reader: FilterReader;
  #isAfterTest = false;

  constructor(text: string, caret: number) {
    this.#text = text;
    this.#caret = caret;
    this.#reader = new FilterReader(text);
  }

  find(): CaretContext | undefined {
    for (;;) {
      this.#reader.skipBlanks();
      if (this.#isBetween()) return this.#fieldAt(this.#caret, this.#caret);
      if (this.#reader.take('(')) this.#isAfterTest = false;
      else if (this.#reader.take(')')) this.#isAfterTest = true;
      else if (!this.#reader.takeMinus()) {
        const { context, isFound } = this.#test();
        if (isFound) return context;
      }
    }
  }

  /** Whether the caret is before the next piece of a test. */
  #isBetween(): boolean {
    const { at, isAtEnd } = this.#reader;
    return at > this.#caret || isAtEnd || (at === this.#caret && /[()-]/u.test(this.#text[at] ?? ''));
  }

  #test(): { isFound: boolean; context?: CaretContext | undefined } {
    const start = this.#reader.at;
    const name = this.#reader.name();
    if (name === undefined) return { isFound: this.#skipText() };
    const end = this.#reader.at;
    const operator = this.#reader.operator() ?? (this.#reader.take('!') ? '!' : undefined);
    const operatorEnd = this.#reader.at;
    const hasOperator = operator !== undefined;
    if (this.#caret <= end) return found({ ...this.#fieldAt(start, end), hasOperator });
    if (this.#caret < operatorEnd || (operator === '!' && this.#caret === operatorEnd))
      return found({ expects: 'operator', start: end, end: operatorEnd, field: name });
    const context = hasOperator ? this.#valueOf(name, operator) : undefined;
    this.#isAfterTest = hasOperator || !logicalOperators.has(name);
    return context === undefined ? { isFound: false } : found(context);
  }

  /** Reads a quoted text, or one unexpected character; returns whether the caret is in it. */
  #skipText(): boolean {
    const { at } = this.#reader;
    if (this.#reader.isNext('"')) this.#skipValue();
    else this.#reader.take(String.fromCodePoint(this.#text.codePointAt(at) ?? 0));
    this.#isAfterTest = true;
    return this.#caret <= this.#reader.at;
  }

  #valueOf(field: string, operator: string): CaretContext | undefined {
    if (field === 'has' && operator === ':') {
      const start = this.#reader.at;
      this.#reader.name();
      const end = this.#reader.at;
      return this.#caret <= end ? { expects: 'field', start, end, isAfterHas: true } : undefined;
    }
    const values: [number, number][] = [];
    do values.push([this.#reader.at, this.#skipValue()]);
    while (operator === ':' && this.#reader.take(','));
    const own = values.find(([start, end]) => start <= this.#caret && this.#caret <= end);
    if (own === undefined) return undefined;
    const [start, end] = own;
    return { expects: 'value', start, end, field, otherValues: values.filter((value) => value !== own) };
  }

  /** Reads a value if there is one, and returns its end. Without a closing quotation mark it extends to the end of the filter. */
  #skipValue(): number {
    this.#reader.skipValue();
    return this.#reader.at;
  }

  #fieldAt(start: number, end: number): CaretContext {
    return { expects: 'field', start, end, isAfterTest: this.#isAfterTest };
  }
}

function found(context: CaretContext): { isFound: true; context: CaretContext } {
  return { isFound: true, context };
}
