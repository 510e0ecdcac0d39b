import { reach } from '@corral/client';

/** Loads the parser for answers with integers that a number would round. */
export const loadBigIntJson = () => import('./big-int-json.ts');

const longInteger = /\W\d{16}/;

/**
 * Parses an answer of the hub. In the JSON of devices and publishers an integer that a number would round is a bigint, whatever its type says: the cache can copy and compare those, and JSON.stringify
 * refuses them. The parser is loaded with the first answer that may have one, unless it was before; a failure counts as one to reach the hub.
 */
export function parseAnswer(text: string): unknown {
  return longInteger.test(text)
    ? reach(loadBigIntJson).then((module) => module.parseJsonWithBigInts(text))
    : JSON.parse(text);
}
