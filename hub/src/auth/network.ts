import { isIPv4, isIPv6 } from 'node:net';

/** The network of one subscriber: an IPv4 address itself, or the /64 of an IPv6 address; other text is returned unchanged. */
export function networkOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? address;
  if (isIPv4(plain) || !isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high(groups[6]), low(groups[6]), high(groups[7]), low(groups[7])].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

const high = (group = 0): number => group >> 8;
const low = (group = 0): number => group & 0xff;

/** The eight 16-bit groups of an IPv6 address; the URL parser normalises its spelling. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [front = [], back = []] = written
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...zeros, ...back];
}
