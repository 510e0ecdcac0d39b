import { lookup as lookUp, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** To whom the hub is about to connect. */
export interface Target {
  /** As the URL has it. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Why the hub does not connect to an address: it names no host or a cloud's metadata, it is private and not listed, or it is of the internet without TLS. */
export type AddressRefusal = 'Forbidden' | 'Private' | 'Unencrypted';

/** Decides whether the hub may connect to an address: the reason why not, or undefined. */
export type AddressRule = (address: string, target: Target) => AddressRefusal | undefined;

/** The addresses of a host name. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The hub may not connect to an address; the message does not tell it, or it would reveal names of the hub's network. */
export class AddressRefused extends Error {
  readonly refusal: AddressRefusal;

  constructor(refusal: AddressRefusal) {
    super('The hub may not connect to this address.');
    this.name = 'AddressRefused';
    this.refusal = refusal;
  }
}

/**
 * Looks up a host for one connection. The addresses that are checked are those that are connected to, so a name cannot resolve to another
 * one in between; one that is refused refuses all.
 */
export function guardedLookup(
  rule: AddressRule,
  target: Target,
  resolve: Resolve = lookUp as Resolve,
): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const refusal = addresses?.map(({ address }) => rule(address, target)).find(Boolean);
      if (error) callback(error, '');
      else if (refusal !== undefined) callback(new AddressRefused(refusal), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
}

/** Checks a host that is an address, which nothing looks up. Throws AddressRefused. */
export function mustBeAllowed(rule: AddressRule, target: Target): void {
  const literal = target.host.replace(/^\[|\]$/g, '');
  const refusal = isIP(literal) === 0 ? undefined : rule(literal, target);
  if (refusal !== undefined) throw new AddressRefused(refusal);
}
