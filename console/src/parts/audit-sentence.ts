import type { AuditLogEvent } from '@corral/contract';
import { terms } from '../copy/terms.ts';
import { jsonText } from '../ui/text/json-text.ts';
import { middleTruncate } from '../ui/text/middle-truncate.ts';
import { auditSentences, sentenceWords } from './audit-sentences.ts';
import { type IdContext, idKindOf, pathOfId } from './id-path.ts';

/** A piece of a sentence: words, or what they are about, with its page if it has one. */
export interface SentencePiece {
  readonly text: string;
  readonly isSubject: boolean;
  readonly path?: string | undefined;
}

type Named = Omit<IdContext, 'data'>;

/** What an entry of a log says, as a sentence in pieces. */
export function auditSentence(entry: AuditLogEvent, known: Named): SentencePiece[] {
  const data = { ...(entry.data as Record<string, unknown>), tag: tagsOf(entry.data) };
  const found = (auditSentences as Readonly<Record<string, unknown>>)[entry.event];
  const sentence = typeof found === 'function' ? (found as (of: object) => string)(data) : found;
  if (typeof sentence !== 'string')
    return [words(sentenceWords.other(entry.event, whoOf(entry.actor, { ...known, data }).text))];
  return sentencePieces(sentence, { actor: entry.actor, data }, known);
}

/** A sentence in pieces: `{who}` is the actor, any other name in braces a value of the data; of several names the first one that the data has. */
export function sentencePieces(
  sentence: string,
  {
    actor,
    data,
  }: { readonly actor: AuditLogEvent['actor']; readonly data: Readonly<Record<string, unknown>> },
  known: Named,
): SentencePiece[] {
  const context = { ...known, data };
  const who = whoOf(actor, context);
  return sentence
    .split(/(\{[\w|]+\})/u)
    .filter((part) => part !== '')
    .map((part, index) => {
      if (!part.startsWith('{')) return words(part);
      const names = part.slice(1, -1).split('|');
      if (names[0] === 'who') return index === 0 ? who : { ...who, text: inSentence(who.text) };
      const value = names.map((name) => data[name]).find((given) => isGiven(given));
      return subjectOf(value, context);
    });
}

/** The sentence of an entry as plain text. */
export function auditSentenceText(entry: AuditLogEvent, known: Named): string {
  return auditSentence(entry, known)
    .map(({ text }) => text)
    .join('');
}

const words = (text: string): SentencePiece => ({ text, isSubject: false });
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function whoOf(actor: AuditLogEvent['actor'], context: IdContext): SentencePiece {
  switch (actor.kind) {
    case 'User':
    case 'UserToken':
      return subjectOf(actor.userId, context);
    case 'Device':
      return subjectOf(actor.deviceId, context);
    case 'Anonymous':
      return words(sentenceWords.somebody);
    default:
      return words(sentenceWords.hub);
  }
}

function subjectOf(value: unknown, context: IdContext): SentencePiece {
  if (!isGiven(value)) return { text: terms.unnamed, isSubject: true };
  const text = typeof value === 'string' ? value : jsonText(value);
  const kind = idKindOf(text);
  if (kind === undefined) return { text: middleTruncate(text, 80), isSubject: true };
  const what = (sentenceWords.kinds as Readonly<Record<string, string>>)[kind];
  const name =
    context.names.get(text) ??
    ownName(kind, context.data) ??
    `${what === undefined ? '' : `${what} `}…${text.slice(-4)}`;
  return { text: name, isSubject: true, path: pathOfId(text, context) };
}

/** The name of an operation, which its entries have. */
function ownName(kind: string, data: unknown): string | undefined {
  if (kind !== 'flt_op' && kind !== 'd_op') return undefined;
  const { name } = data as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function tagsOf(data: unknown): string | undefined {
  const { tags } = data as { readonly tags?: unknown };
  return Array.isArray(tags) ? tags.map(({ tag }: { tag: string }) => tag).join(', ') : undefined;
}

/** The hub and nobody known are written small within a sentence. */
function inSentence(who: string): string {
  return who === sentenceWords.hub || who === sentenceWords.somebody ? who.toLowerCase() : who;
}
