import type { HttpContext } from './identity.ts';

const name = 'provider-session';
/** Proxies refuse an answer with more than 4 KiB of headers by default, and the others take up to 1 KiB. */
const longestValue = 2_800;

/** The cookie by which a browser keeps, sealed, what a provider wants to see when its session there ends. It is sent only to the path of the sign-out, so that it is no load elsewhere. */
export function providerSessionCookie({ config }: Pick<HttpContext, 'config'>) {
  const attributes = `; Path=/api/private/logout; HttpOnly; ${config.isInsecure ? '' : 'Secure; '}SameSite=Lax`;
  const clear = `${name}=; Max-Age=0${attributes}`;
  return {
    /** Forgets the one before where the new one is too long. */
    write: (hint: string): string => (hint.length > longestValue ? clear : `${name}=${hint}${attributes}`),
    clear: (): string => clear,
    read: (header = ''): string | undefined =>
      new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`).exec(header)?.[1] || undefined,
  };
}
