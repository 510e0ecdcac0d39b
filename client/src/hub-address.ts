import { isLoopbackHost } from '@corral/contract';

/** A text without the blanks, line ends and invisible marks at its ends that copying, editors and Windows leave there. */
export function trimmed(text: string): string {
  return text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
}

/** How plain HTTP to another machine is allowed. */
export interface PlainHttp {
  readonly isAllowed: boolean;
  /** What allows it, as in "or … on a network that you trust". */
  readonly allowedBy: string;
}

/** The origin of the hub that an address names. Throws a RangeError whose message is the rest of a sentence that begins with the name of the setting. */
export function hubOrigin(text: string, { isAllowed, allowedBy }: PlainHttp): string {
  const address = trimmed(text);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new RangeError('must be an http or https address, such as https://hub.example.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('must hold neither a user name nor a question mark nor a fragment.');
  if (!/^\/*$/.test(url.pathname))
    throw new RangeError(`must end with the name of the hub: ${url.origin} instead of ${url.href}.`);
  if (url.protocol === 'http:' && !isAllowed && !isLoopbackHost(url.hostname))
    throw new RangeError(
      `is plain HTTP, by which others on the way can read the token: use https, or ${allowedBy} on a network that you trust.`,
    );
  return url.origin;
}
