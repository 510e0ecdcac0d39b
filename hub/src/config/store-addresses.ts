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
]);

const isPrivate = addressMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::1',
  '64:ff9b::/96',
  'fc00::/7',
]);

/**
 * The rule for addresses of stores that people configure: public ones by TLS, private ones only in the operator's ranges. The operator's
 * own store may be anywhere except at addresses of a cloud's metadata. Returns the reason for a refusal.
 */
export function storeAddressRule(
  privateRanges: readonly string[] | 'all',
): (address: string, isTls: boolean) => string | undefined {
  const isAllowed = privateRanges === 'all' ? () => true : addressMatcher(privateRanges);
  return (address, isTls) => {
    if (isForbidden(address)) return `A store cannot be at the address ${address}.`;
    if (isAllowed(address)) return undefined;
    if (isPrivate(address))
      return `The store is at the private address ${address}: ask the operator to add it to CORRAL_S3_PRIVATE_RANGES.`;
    return isTls ? undefined : 'A store on the internet is reached by https: change http to https.';
  };
}
