import { FilterReader } from './FilterReader.ts';

/** What is written at the caret of a filter, which may have mistakes before and after it. */
export interface CaretPlace {
  readonly wants: 'field' | 'operator' | 'value';
  /** Where the piece at the caret begins and ends: empty between two pieces. */
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

/** What is written at the caret; undefined inside of a text that is looked for as it is. */
export function caretPlace(text: string, caret: number): CaretPlace | undefined {
  return new PlaceFinder(text, caret).find();
}

const joiningWords: ReadonlySet<string> = new Set(['and', 'or', 'not']);

class PlaceFinder {
  readonly #text: string;
  readonly #caret: number;
  readonly #reader: FilterReader;
  #isAfterTest = false;

  constructor(text: string, caret: number) {
    this.#text = text;
    this.#caret = caret;
    this.#reader = new FilterReader(text);
  }

  find(): CaretPlace | undefined {
    for (;;) {
      this.#reader.skipBlanks();
      if (this.#isBetween()) return this.#fieldAt(this.#caret, this.#caret);
      if (this.#reader.take('(')) this.#isAfterTest = false;
      else if (this.#reader.take(')')) this.#isAfterTest = true;
      else if (!this.#reader.takeMinus()) {
        const { place, isFound } = this.#test();
        if (isFound) return place;
      }
    }
  }

  /** Whether the caret is before the next piece of a test. */
  #isBetween(): boolean {
    const { at, isAtEnd } = this.#reader;
    return at > this.#caret || isAtEnd || (at === this.#caret && /[()-]/u.test(this.#text[at] ?? ''));
  }

  #test(): { isFound: boolean; place?: CaretPlace | undefined } {
    const start = this.#reader.at;
    const name = this.#reader.name();
    if (name === undefined) return { isFound: this.#skipText() };
    const end = this.#reader.at;
    const operator = this.#reader.operator() ?? (this.#reader.take('!') ? '!' : undefined);
    const operatorEnd = this.#reader.at;
    const hasOperator = operator !== undefined;
    if (this.#caret <= end) return found({ ...this.#fieldAt(start, end), hasOperator });
    if (this.#caret < operatorEnd || (operator === '!' && this.#caret === operatorEnd))
      return found({ wants: 'operator', start: end, end: operatorEnd, field: name });
    const place = hasOperator ? this.#valueOf(name, operator) : undefined;
    this.#isAfterTest = hasOperator || !joiningWords.has(name);
    return place === undefined ? { isFound: false } : found(place);
  }

  /** Reads a text in quotation marks, or a character that begins nothing; whether the caret is in it. */
  #skipText(): boolean {
    const { at } = this.#reader;
    if (this.#reader.isNext('"')) this.#skipValue();
    else this.#reader.take(String.fromCodePoint(this.#text.codePointAt(at) ?? 0));
    this.#isAfterTest = true;
    return this.#caret <= this.#reader.at;
  }

  #valueOf(field: string, operator: string): CaretPlace | undefined {
    if (field === 'has' && operator === ':') {
      const start = this.#reader.at;
      this.#reader.name();
      const end = this.#reader.at;
      return this.#caret <= end ? { wants: 'field', start, end, isAfterHas: true } : undefined;
    }
    const values: [number, number][] = [];
    do values.push([this.#reader.at, this.#skipValue()]);
    while (operator === ':' && this.#reader.take(','));
    const own = values.find(([start, end]) => start <= this.#caret && this.#caret <= end);
    if (own === undefined) return undefined;
    const [start, end] = own;
    return { wants: 'value', start, end, field, otherValues: values.filter((value) => value !== own) };
  }

  /** Reads a value if there is one; the end of it. Without the closing quotation mark it goes on to the end. */
  #skipValue(): number {
    this.#reader.skipValue();
    return this.#reader.at;
  }

  #fieldAt(start: number, end: number): CaretPlace {
    return { wants: 'field', start, end, isAfterTest: this.#isAfterTest };
  }
}

function found(place: CaretPlace): { isFound: true; place: CaretPlace } {
  return { isFound: true, place };
}
