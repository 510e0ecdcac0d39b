import { InvalidArgumentError } from 'commander';
import { trimmed } from '@corral/client';
import { FilterError, parseExactJson, readDuration, type Json } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';

/** Parses a whole number between two bounds. Throws commander's error for a wrong argument. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Parses `true` or `false`. Throws commander's error for a wrong argument. */
export function trueOrFalse(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
}

/** Parses JSON. Throws a CliError. */
function jsonArgument(what: string, text: string): Json {
  try {
    return parseExactJson(trimmed(text)) as Json;
  } catch (cause) {
    throw new CliError(`${what} is not valid JSON.`, exitCodes.usage, { cause });
  }
}

/** A JSON argument, or all of the standard input where it is `-`. */
export async function jsonOrInput(what: string, text: string, stdin: AsyncIterable<unknown>): Promise<Json> {
  if (text !== '-') return jsonArgument(what, text);
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return jsonArgument(what, Buffer.concat(chunks).toString('utf8'));
}

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: string[]): string[] => [...before, value];

/** Reads a duration such as 4h, in milliseconds; for an option. */
export function durationMs(text: string): number {
  try {
    return readDuration({ text, isQuoted: false, isPrefix: false, at: 0 });
  } catch (error) {
    if (error instanceof FilterError)
      throw new InvalidArgumentError('It must be a duration such as 30min, 4h or 7d.');
    throw error;
  }
}
