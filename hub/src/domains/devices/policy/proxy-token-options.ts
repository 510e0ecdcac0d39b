import { ActionError } from '@corral/contract';
import { isReservedLabel } from './reserved-labels.ts';

const maxRedirectLength = 1024;
const labelForm = /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/;

/** The label of a requested host name, which may be a label or a full name. Throws an `ActionError` when the label is not allowed. */
export function requestedLabel(hostname: string, proxyDomain: string): string {
  const name = hostname.toLowerCase();
  const label = name.endsWith(`.${proxyDomain}`) ? name.slice(0, -proxyDomain.length - 1) : name;
  if (labelForm.test(label) && !isReservedLabel(label)) return label;
  throw new ActionError(
    'Invalid',
    `The host name must be one label of 3 to 63 letters, digits and hyphens below ${proxyDomain}, without words such as login or account, which people could take for pages of the hub.`,
  );
}

/** The host name with a label. */
export function hostOf({ proxyDomain }: { readonly proxyDomain: string }, label: string): string {
  return `${label}.${proxyDomain}`;
}

/** The path of a redirect on the console's origin; undefined for any other origin, which prevents open redirects. */
export function consolePathOf(redirect: string | undefined, consoleOrigin: string): string | undefined {
  if (redirect === undefined || redirect.length > maxRedirectLength) return undefined;
  // Browsers remove control characters and turn backslashes into slashes before they parse a URL.
  if (/[\p{Cc}\\]/u.test(redirect)) return undefined;
  if (!redirect.startsWith('/') && !redirect.startsWith(`${consoleOrigin}/`) && redirect !== consoleOrigin)
    return undefined;
  if (!URL.canParse(redirect, consoleOrigin)) return undefined;
  const url = new URL(redirect, consoleOrigin);
  if (url.origin !== consoleOrigin) return undefined;
  const path = url.pathname + url.search + url.hash;
  // A path that begins with // is a protocol-relative URL: it leads to another host.
  return path.startsWith('//') ? undefined : path;
}
