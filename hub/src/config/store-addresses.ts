import { addressMatcher } from './addresses.ts';

/** Addresses at which clouds answer the machine itself, and those that name no machine: never a store. */
const isForbidden = addressMatcher([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '192.0.0.192',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'ff00::/8',
  // 169.254.0.0/16 through NAT64 and 6to4.
  '64:ff9b::a9fe:0/112',
  '2002:a9fe::/32',
]);

/** Addresses that are not of the internet, and those that lead to an IPv4 address inside them. */
const isPrivate = addressMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2002::/16',
  '5f00::/16',
  'fc00::/7',
  'fec0::/10',
]);

/**
 * The rule for addresses of stores, with the reason for a refusal: public ones by TLS, private ones in the operator's ranges, never a cloud's
 * metadata. The reason does not tell the address, or it would reveal names of the hub's network.
 */
export function storeAddressRule(
  privateRanges: readonly string[] | 'all',
): (address: string, isTls: boolean) => string | undefined {
  const isAllowed = privateRanges === 'all' ? () => true : addressMatcher(privateRanges);
  return (address, isTls) => {
    if (isForbidden(address)) return 'A store cannot be at the address of this host: use another endpoint.';
    if (isAllowed(address)) return undefined;
    if (isPrivate(address))
      return 'The address of the store is private: ask the operator to add it to CORRAL_S3_PRIVATE_RANGES.';
    return isTls ? undefined : 'A store on the internet is reached by https: change http to https.';
  };
}
