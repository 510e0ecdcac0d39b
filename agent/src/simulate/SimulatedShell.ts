import type { Shell } from '../terminal/Shell.ts';

const help = 'This shell is simulated. It knows echo, size, whoami, yes, exit N and help.';
const keys = { enter: '\r', backspace: '\x7f', interrupt: '\x03', endOfInput: '\x04' };

/** A shell that runs nothing. */
export class SimulatedShell implements Shell {
  readonly output: AsyncIterable<Uint8Array>;
  readonly exited: Promise<number>;
  readonly #exit: (status: number) => void;
  readonly #user: string;
  readonly #prompt: string;
  #written = '';
  #line = '';
  #size = '80 x 24';
  #repeated: string | undefined;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(user: string, hostname: string) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.exited = promise;
    this.#exit = resolve;
    this.#user = user;
    this.#prompt = `\x1b[1;32m${user}@${hostname}\x1b[0m:~# `;
    this.#written = `${help}\r\n${this.#prompt}`;
    this.output = this.#read();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (const key of new TextDecoder().decode(bytes)) this.#press(key);
    this.#wake();
  }

  resize(cols: number, rows: number): void {
    this.#size = `${cols} x ${rows}`;
  }

  async hangUp(): Promise<void> {
    this.#end(129);
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    while (!this.#isEnded || this.#written !== '') {
      const text = this.#written + (this.#repeated ?? '');
      this.#written = '';
      if (text !== '') yield new TextEncoder().encode(text);
      if (this.#repeated === undefined && this.#written === '' && !this.#isEnded)
        await new Promise<void>((resolve) => (this.#wake = resolve));
      // Keys have their turn between two pieces of endless output.
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #press(key: string): void {
    if (key === keys.interrupt) {
      this.#repeated = undefined;
      this.#line = '';
      this.#written += `^C\r\n${this.#prompt}`;
    } else if (this.#repeated !== undefined) return;
    else if (key === keys.enter) this.#run();
    else if (key === keys.endOfInput && this.#line === '') this.#end(0);
    else if (key === keys.backspace) {
      if (this.#line !== '') this.#written += '\b \b';
      this.#line = this.#line.slice(0, -1);
    } else if (key >= ' ') {
      this.#line += key;
      this.#written += key;
    }
  }

  #run(): void {
    const [command = '', ...words] = this.#line.trim().split(/\s+/);
    this.#line = '';
    this.#written += '\r\n';
    if (command === 'exit') return this.#end(Number(words[0] ?? 0) & 255);
    if (command === 'yes') this.#repeated = `${words.join(' ') || 'y'}\r\n`.repeat(500);
    else {
      const answer = command === '' ? '' : `${this.#answer(command, words)}\r\n`;
      this.#written += answer + this.#prompt;
    }
  }

  #answer(command: string, words: readonly string[]): string {
    if (command === 'echo') return words.join(' ');
    if (command === 'size') return this.#size;
    if (command === 'whoami') return this.#user;
    return command === 'help' ? help : `${command}: command not found`;
  }

  #end(status: number): void {
    this.#isEnded = true;
    this.#repeated = undefined;
    this.#exit(status);
    this.#wake();
  }
}
