import { isIP } from 'node:net';
import { isLoopback } from './addresses.ts';

/** The name that passkeys belong to (the RP ID of WebAuthn), and the only origin whose pages use them. */
interface PasskeySite {
  readonly rpId: string;
  readonly origin: string;
}

/** Where passkeys of a hub work: at its public URL, else at another of its names. Browsers know none for IP addresses, nor for plain HTTP beyond this machine: then undefined. */
export function passkeySite(publicUrl: string, hostNames: readonly string[]): PasskeySite | undefined {
  const url = new URL(publicUrl);
  const names = [url.hostname, ...hostNames, ...(isLoopback(url.hostname) ? ['localhost'] : [])];
  const rpId = names.find(
    (name) => isIP(name.replace(/^\[|\]$/g, '')) === 0 && (url.protocol === 'https:' || isLoopback(name)),
  );
  if (rpId === undefined) return undefined;
  url.hostname = rpId;
  return { rpId, origin: url.origin };
}
