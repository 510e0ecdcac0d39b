import { addressMatcher, canonicalAddress, isAddressRange } from './addresses.ts';
import type { PrivateTarget } from './private-targets.ts';

/** Addresses at which clouds answer the machine itself, and those that name no machine. */
const isForbidden = addressMatcher([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254',
  'ff00::/8',
  // 169.254.0.0/16 through NAT64, also of one's own, SIIT and 6to4.
  '64:ff9b::a9fe:0/112',
  '64:ff9b:1::a9fe:0/112',
  '64:ff9b:1:a9fe::/64',
  '::ffff:0:a9fe:0/112',
  '2002:a9fe::/32',
]);

/** IPv4 addresses that are not of the internet. */
const isPrivateV4 = addressMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
]);

/** IPv6 addresses outside 2000::/3, and inside it those that lead to an IPv4 address (Teredo and 6to4) or are for documentation. */
const isPrivateV6 = addressMatcher([
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** To whom the hub is about to connect. */
interface Target {
  /** As the URL has it. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Why the hub does not connect to an address. */
type AddressRefusal = 'Forbidden' | 'Private' | 'Unencrypted';

/**
 * The rule for addresses to which settings of users lead the hub: public ones by TLS, private ones that the operator has listed, never a cloud's
 * metadata.
 */
export function outgoingRule(
  targets: readonly PrivateTarget[] | 'all',
): (address: string, target: Target) => AddressRefusal | undefined {
  const allowed = targets === 'all' ? [] : targets.map(({ place, port }) => ({ port, fits: fitting(place) }));
  return (address, { host, port, isTls }) => {
    if (isForbidden(address)) return 'Forbidden';
    if (targets === 'all') return undefined;
    if (allowed.some((one) => (one.port ?? port) === port && one.fits(address, host))) return undefined;
    const isPrivate = canonicalAddress(address)?.includes(':') === true ? isPrivateV6 : isPrivateV4;
    if (isPrivate(address)) return 'Private';
    return isTls ? undefined : 'Unencrypted';
  };
}

function fitting(place: string): (address: string, host: string) => boolean {
  if (isAddressRange(place)) return addressMatcher([place]);
  return (_address, host) => host.toLowerCase().replace(/\.$/, '') === place;
}
