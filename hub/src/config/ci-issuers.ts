import { wellKnownIssuers } from '@corral/contract';
import { z } from 'zod';
import { taking } from './value-schemas.ts';

const forms =
  'github, gitlab, or issuers such as https://gitlab.example or https://forge.example/api/actions, separated by commas';
const words: Readonly<Record<string, string>> = wellKnownIssuers;

const partsOf = (list: string): string[] => list.split(/[\s,]+/).filter((part) => part !== '');

/** Issuers are compared letter by letter, so they must be written as the CI writes them. */
function isIssuer(part: string): boolean {
  if (Object.hasOwn(words, part)) return true;
  const url = URL.canParse(part) ? new URL(part) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.search + url.hash === '';
}

/** A list of CIs, by words and issuers. */
export const ciIssuers = taking(
  forms,
  z
    .string()
    .refine((list) => partsOf(list).length > 0 && partsOf(list).every(isIssuer), `must be ${forms}`)
    .transform((list) => partsOf(list).join(', ')),
);

/** The issuers of such a list. */
export const issuersOf = (list: string): string[] =>
  partsOf(list).map((part) => (Object.hasOwn(words, part) ? (words[part] ?? part) : part));
