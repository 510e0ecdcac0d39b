// The rule by which names are searched and sorted. The functions folded and name_key of the database (hub/src/platform/db/schema.sql) follow the same rule.

const isAscii = /^[\0-\x7f]*$/;
/** The marks of accents; those of other scripts, such as vowel signs, stay. */
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
/** Letters without an accent to remove, and the plain ones that they are sorted with. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  ς: 'σ',
};
const replaceable = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** A text as it is searched: without case and accents. */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(accents, '')
    .normalize()
    .toLowerCase()
    .replace(replaceable, (letter) => plainLetters[letter] ?? letter);
}

/** A version of SemVer, also with a v or another number of numbers; build metadata does not count. */
const version = /^[vV]?(\d+(?:\.\d+)+)(?:-([\dA-Za-z.-]+))?(?:\+[\dA-Za-z.-]+)?$/;

/**
 * The key by which a name is sorted, code point by code point: without case and accents, numbers by value up to 20 digits, and by the precedence of SemVer
 * what looks like a version.
 */
export function orderKey(name: string): string {
  const found = version.exec(name);
  if (found === null) return padded(foldText(name));
  const [, core = '', preRelease] = found;
  const key = padded(/\..*\./.test(core) ? core : `${core}.0`);
  if (preRelease === undefined) return `${key}#`;
  // `!` comes before `#`; a number before a word; and a list before a longer one.
  const identifiers = preRelease.split('.').map((id) => (/^\d+$/.test(id) ? `0${padded(id)} ` : `1${id} `));
  return `${key}!${identifiers.join('')}`;
}

/** Compares two names by their keys, for `sort`. */
export function compareNames(one: string, other: string): number {
  const [left, right] = [orderKey(one), orderKey(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function padded(text: string): string {
  return text.replace(/\d+/g, (run) => run.replace(/^0+/, '').padStart(20, '0'));
}
