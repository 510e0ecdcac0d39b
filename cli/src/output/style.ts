/** Text styles; each returns the text unchanged where colours are off. */
export type Style = Readonly<Record<keyof typeof codes, (text: string) => string>>;

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** The parts of an output stream that are used. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Whether the stream is a terminal that understands escape sequences. */
export function isCapable({ isTTY }: OutputStream, env: NodeJS.ProcessEnv): boolean {
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** The style of a stream: none where it is no terminal, or where NO_COLOR is set. */
export function styleOf(stream: OutputStream, env: NodeJS.ProcessEnv): Style {
  const isColoured = isCapable(stream, env) && !env['NO_COLOR'];
  const entries = Object.entries(codes).map(([name, [on, off]]) => [
    name,
    isColoured ? (text: string) => `\u001B[${on}m${text}\u001B[${off}m` : (text: string) => text,
  ]);
  return Object.fromEntries(entries) as Style;
}
