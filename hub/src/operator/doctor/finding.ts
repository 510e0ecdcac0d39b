/** One result of a check. */
export interface Finding {
  /** What was checked, such as `NATS`. */
  readonly check: string;
  readonly state: 'right' | 'wrong' | 'unchecked';
  /** What is right, or what is wrong and what to do, in sentences. */
  readonly text: string;
}

/** Functions that create the findings of one check. */
export interface Check {
  right(text: string): Finding;
  wrong(text: string): Finding;
  unchecked(text: string): Finding;
}

/** The functions that create findings of the check with this name. */
export function checkOf(check: string): Check {
  const of = (state: Finding['state']) => (text: string) => ({ check, state, text });
  return { right: of('right'), wrong: of('wrong'), unchecked: of('unchecked') };
}

/** Runs a check; if it throws or takes longer than `timeoutMs`, the finding is `unchecked`. */
export async function bounded(
  name: string,
  timeoutMs: number,
  run: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { unchecked } = checkOf(name);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly Finding[]>((resolve) => {
    const text = `This took longer than ${timeoutMs / 1000} s and was given up.`;
    timer = setTimeout(() => resolve([unchecked(text)]), timeoutMs);
  });
  try {
    return await Promise.race([run(), timeout]);
  } catch (error) {
    return [unchecked(messageOf(error))];
  } finally {
    clearTimeout(timer);
  }
}

const maxLength = 300;

/** The message of an error as one sentence. */
export function messageOf(error: unknown): string {
  const { message, code, errors } = (error ?? {}) as { message?: string; code?: string; errors?: unknown[] };
  // Node tries all addresses of a name; the resulting AggregateError has no message of its own.
  if (!message && Array.isArray(errors) && errors.length > 0) return messageOf(errors[0]);
  const text = (message || code || String(error))
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A duration as text in seconds, without its sign. */
export function secondsOf(ms: number): string {
  return `${(Math.abs(ms) / 1000).toFixed(Math.abs(ms) < 10_000 ? 1 : 0)} s`;
}
