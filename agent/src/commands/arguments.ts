import { trimmed } from '@corral/client';
import { isLongInteger, parseExactJson, type DeviceEventSeverity, type Json } from '@corral/contract';
import { AgentError } from '../AgentError.ts';

/** Reads a JSON value that was given as `what`. Throws an AgentError. */
export function jsonArgument(what: string, text: string): Json {
  try {
    return parseExactJson(trimmed(text)) as Json;
  } catch {
    throw new AgentError(`${what} must be JSON; texts are written with double quotes, such as '"on"'.`);
  }
}

/** Reads a JSON object that was given as `what`. Throws an AgentError. */
export function objectArgument(what: string, text: string): Record<string, Json> {
  const value = jsonArgument(what, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLongInteger(value))
    throw new AgentError(`${what} must be a JSON object, such as '{"site": "quay"}'.`);
  return value;
}

/** Reads attributes, each NAME=JSON. Throws an AgentError. */
export function attributesOf(pairs: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new AgentError('--attribute must be NAME=JSON, such as celsius=21.5.');
      return [pair.slice(0, at), jsonArgument(`--attribute ${pair.slice(0, at)}`, pair.slice(at + 1))];
    }),
  );
}

const severities: readonly DeviceEventSeverity[] = ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'];

/** Reads a severity in any case. Throws an AgentError that names all of them. */
export function severityOf(text: string): DeviceEventSeverity {
  const severity = severities.find((known) => known.toLowerCase() === text.toLowerCase());
  if (severity === undefined) throw new AgentError(`--severity must be one of ${severities.join(', ')}.`);
  return severity;
}

/** Reads a whole number between two bounds that was given as `what`. Throws an AgentError. */
export function wholeNumber(what: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new AgentError(`${what} must be a whole number from ${min} to ${max}.`);
}
