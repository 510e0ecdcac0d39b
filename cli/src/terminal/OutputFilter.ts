const [escape, bell, sequenceStart] = ['\u001B', '\u0007', '\u009B'];
/** A question for an answerback, and what terminals ignore. */
const dropped = '\u0000\u0005\u007F';
/** What ends every sequence and text before its end. */
const cancels = '\u0018\u001A';
/** The beginnings of texts for the terminal after an escape: its clipboard, titles, colours, settings and files. */
const texts = new Set([']', 'P', '_', '^', 'X']);
const eightBitTexts = '\u0090\u0098\u009D\u009E\u009F';
/** Colours, the cursor, erasing and scrolling; other sequences may ask the terminal for an answer, which it would type. */
// oxlint-disable-next-line no-control-regex
const drawing = /^\u001B\[(?:[\d;:]*[@A-MPXZ`abdefgmrs]|\d*[ST]|\?[\d;]*[JK]|u|\d* q|!p|4[hl])$/;
// oxlint-disable-next-line no-control-regex
const setsModes = /^\u001B\[\?([\d;]+)([hl])$/;
/** Those that change what is drawn; others make the terminal report the mouse, the focus and pastes. */
const drawnModes = new Set(['5', '6', '7', '12', '25', '47', '1047', '1048', '1049', '2026']);
const maxHeldLength = 4_096;

type State = 'text' | 'escape' | 'sequence' | 'string';

/** Takes out of the output of a shell what makes a terminal answer, report, paste or copy; it begins and ends sequences where terminals do. */
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
    if (character === escape) return this.#hold('escape', escape);
    if (character === sequenceStart) return this.#hold('sequence', `${escape}[`);
    if (eightBitTexts.includes(character)) return this.#hold('string', '');
    if (cancels.includes(character) || (character >= '\u0080' && character <= '\u009F')) return this.#let('');
    if (character < ' ' || character === '\u007F') return this.#takeControl(character);
    if (this.#state === 'text') return character;
    if (this.#state === 'string') return '';
    this.#held += character;
    if (this.#held.length > maxHeldLength || character > '~') return this.#let('');
    return this.#state === 'escape' ? this.#takeAfterEscape(character) : this.#takeOfSequence(character);
  }

  /** Terminals obey these also within sequences. */
  #takeControl(character: string): string {
    if (this.#state === 'string') return character === bell ? this.#let('') : '';
    return dropped.includes(character) ? '' : character;
  }

  #takeAfterEscape(character: string): string {
    if (character < '0') return '';
    if (this.#held.length > 2) return this.#let(this.#held);
    if (character === '[') return this.#hold('sequence', this.#held);
    if (texts.has(character)) return this.#hold('string', '');
    return this.#let(character === 'Z' || character === '\\' ? '' : this.#held);
  }

  #takeOfSequence(character: string): string {
    if (character < '@') return '';
    const [, names = '', value = ''] = setsModes.exec(this.#held) ?? [];
    const drawn = names.split(';').filter((name) => drawnModes.has(name));
    if (drawn.length > 0) return this.#let(`${escape}[?${drawn.join(';')}${value}`);
    return this.#let(drawing.test(this.#held) ? this.#held : '');
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
