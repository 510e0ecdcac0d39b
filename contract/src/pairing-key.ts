/** The symbols of pairing keys: Crockford's base 32, which has no I, L, O and U. */
export const pairingKeySymbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The longest time for which a pairing key is valid, in seconds. */
export const maxPairingKeySecs = 600;

/** How many pairing keys of a project may be open. */
export const maxOpenPairingKeys = 20;

/** A pairing key in its parts: the first names it, the second proves it. */
export interface PairingKeyParts {
  readonly selector: string;
  readonly secret: string;
}

const selectorLength = 6;
const lookAlikes: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
const form = new RegExp(`^[${pairingKeySymbols}]{10}$`);

/** The parts of a typed pairing key, in either case, with or without its dash, and with letters that look like its digits; undefined for what is none. */
export function readPairingKey(typed: string): PairingKeyParts | undefined {
  const symbols = typed
    .trim()
    .replace(/[- ]/, '')
    .toUpperCase()
    .replace(/[OIL]/g, (letter) => lookAlikes[letter] ?? letter);
  if (!form.test(symbols)) return undefined;
  return { selector: symbols.slice(0, selectorLength), secret: symbols.slice(selectorLength) };
}

/** A pairing key as people read it, such as 7K2M9Q-X4TB. */
export function writePairingKey({ selector, secret }: PairingKeyParts): string {
  return `${selector}-${secret}`;
}
