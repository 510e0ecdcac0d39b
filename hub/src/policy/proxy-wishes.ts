import { ActionError } from '@corral/contract';

const defaultSecs = 3600;
const longestSecs = 24 * 3600;
const longestRedirect = 1024;
const labelForm = /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/;
/** Names that people would take for the hub itself, or that mean something of their own. */
const reservedLabel =
  /^(?:www|api|app|admin|administrator|auth|account|accounts|billing|console|corral|hub|login|mail|ns\d*|proxy|root|security|signin|signup|sso|status|support|wpad|autoconfig|autodiscover)$|^..--/;

/** For how long a token is to be good: an hour unless told. Throws an `ActionError` outside one second to one day. */
export function validitySecs(wish: number | undefined): number {
  const secs = wish ?? defaultSecs;
  if (secs >= 1 && secs <= longestSecs) return secs;
  throw new ActionError('Invalid', `A token may be valid for 1 to ${longestSecs} seconds.`);
}

/** The label of a host name that is asked for, alone or in full. Throws an `ActionError` where it cannot be one. */
export function chosenLabel(hostname: string, proxyDomain: string): string {
  const name = hostname.toLowerCase();
  const label = name.endsWith(`.${proxyDomain}`) ? name.slice(0, -proxyDomain.length - 1) : name;
  if (labelForm.test(label) && !reservedLabel.test(label)) return label;
  throw new ActionError(
    'Invalid',
    `The host name must be one label of 3 to 63 letters, digits and hyphens below ${proxyDomain}, and no reserved word.`,
  );
}

/** The host name of a label. */
export function hostOf({ proxyDomain }: { readonly proxyDomain: string }, label: string): string {
  return `${label}.${proxyDomain}`;
}

/** A place on the console's origin, as a path; undefined for anywhere else, which is ignored. */
export function mustStayOnConsole(redirect: string | undefined, consoleOrigin: string): string | undefined {
  if (redirect === undefined || redirect.length > longestRedirect) return undefined;
  // Browsers drop or turn such characters before they look where an address leads.
  if (/[\p{Cc}\\]/u.test(redirect)) return undefined;
  if (!redirect.startsWith('/') && !redirect.startsWith(`${consoleOrigin}/`) && redirect !== consoleOrigin)
    return undefined;
  if (!URL.canParse(redirect, consoleOrigin)) return undefined;
  const url = new URL(redirect, consoleOrigin);
  if (url.origin !== consoleOrigin) return undefined;
  const path = url.pathname + url.search + url.hash;
  // A path such as //elsewhere.example is another place as soon as it stands alone.
  return path.startsWith('//') ? undefined : path;
}
