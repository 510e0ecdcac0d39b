const [escape, bell] = ['\u001B', '\u0007'];
/** Sequences that end with these letters ask the terminal for an answer, which it would type. */
const asking = new Set(['c', 'n', 't', 'x', 'u']);
/** The beginnings of texts for the terminal: its clipboard, titles, colours, settings and files. */
const texts = new Set([']', 'P', '_', '^', 'X']);
const maxHeldLength = 4_096;

type State = 'text' | 'escape' | 'sequence' | 'string' | 'string escape';

/** Takes out of the output of a shell what makes a terminal answer, paste or copy; colours and the cursor stay. */
export class OutputFilter {
  #state: State = 'text';
  #held = '';

  /** The part of the output that may be shown now. */
  push(output: string): string {
    let shown = '';
    for (const character of output) shown += this.#take(character);
    return shown;
  }

  #take(character: string): string {
    switch (this.#state) {
      case 'text':
        if (character === '\u0005') return '';
        if (character === '\u009B') return this.#hold('sequence', `${escape}[`);
        if ('\u0090\u0098\u009D\u009E\u009F'.includes(character)) return this.#hold('string', '');
        return character === escape ? this.#hold('escape', escape) : character;
      case 'escape':
        if (character === '[') return this.#hold('sequence', `${escape}[`);
        if (texts.has(character)) return this.#hold('string', '');
        return this.#let(character === 'Z' ? '' : this.#held + character);
      case 'sequence':
        return this.#takeOfSequence(character);
      case 'string':
        if (character === escape) this.#state = 'string escape';
        return character === bell || character === '\u009C' ? this.#let('') : '';
      case 'string escape':
        return character === '\\' ? this.#let('') : this.#hold('string', '');
    }
  }

  #takeOfSequence(character: string): string {
    this.#held += character;
    if (character < '@' || character > '~') return this.#held.length > maxHeldLength ? this.#let('') : '';
    const isAsking = asking.has(character) || (character === 'q' && this.#held.startsWith(`${escape}[>`));
    const isModeQuestion = character === 'p' && this.#held.includes('$');
    return this.#let(isAsking || isModeQuestion ? '' : this.#held);
  }

  #hold(state: State, held: string): string {
    this.#state = state;
    this.#held = held;
    return '';
  }

  #let(shown: string): string {
    this.#state = 'text';
    this.#held = '';
    return shown;
  }
}
