import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Whether a host name or address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || isLoopbackV4(bare);
}

function isLoopbackV4(address: string): boolean {
  const plain = canonicalAddress(address) ?? '';
  return isIPv4(plain) && plain.startsWith('127.');
}

/** An IP address in its one spelling: IPv4 inside IPv6 as IPv4, other IPv6 in lower case and shortened, without a zone. Undefined for any other text. */
export function canonicalAddress(text = ''): string | undefined {
  if (isIPv4(text)) return text;
  const bare = text.split('%', 1)[0] ?? '';
  if (!isIPv6(bare)) return undefined;
  const written = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(written);
  if (mapped === null) return written;
  return mapped
    .slice(1)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join('.');
}

/** The address in one entry of X-Forwarded-For as proxies write it: also quoted, in brackets, with a port, or as `for=` (RFC 7239). Undefined if there is none. */
export function forwardedAddress(entry: string): string | undefined {
  const node = (/(?:^|;)\s*for=([^;]*)/i.exec(entry)?.[1] ?? entry).replace(/["'\s]/g, '');
  const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::[\w.-]*)?$/.exec(node);
  return canonicalAddress(withPort?.[1] ?? withPort?.[2] ?? node);
}

/** Whether a text is an IP address or a range such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Returns a function that tests whether an address is in one of the ranges; an IPv4-mapped IPv6 address counts as IPv4. */
export function addressMatcher(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const plain = canonicalAddress(address) ?? address;
    const bits = isIPv4(plain) ? 32 : 128;
    const cut = isIPv4(plain) && !isIPv4(address) ? 96 : 0;
    list.addSubnet(
      plain,
      prefix === undefined ? bits : Math.max(0, Number(prefix) - cut),
      bits === 32 ? 'ipv4' : 'ipv6',
    );
  }
  return (address) => {
    const plain = canonicalAddress(address);
    return plain !== undefined && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}
