import { BlockList, isIP } from 'node:net';
import { ConnectError } from '../link/ConnectError.ts';

/** The environment of the process. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL: that of `HTTPS_PROXY` for hosts that `NO_PROXY` does not list; none for plain HTTP. Throws a ConnectError
 * when the variable names none that can be used.
 */
export function proxyFor({ protocol, hostname, port }: URL, env: ProxyEnvironment): URL | undefined {
  const variable = env['https_proxy'] ? 'https_proxy' : 'HTTPS_PROXY';
  const address = env[variable]?.trim() ?? '';
  const host = hostname.replace(/[[\]]|\.$/g, '');
  const exempt = (env['no_proxy'] || env['NO_PROXY'] || '').toLowerCase().split(/[\s,]+/);
  const isExempt = exempt.some((entry) => isListed(entry, host, port || '443'));
  return protocol !== 'https:' || address === '' || isExempt ? undefined : parse(variable, address);
}

const example = 'name an HTTP proxy, such as http://proxy.example:3128';

function parse(variable: string, address: string): URL {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(address) ?? [];
  const full = scheme === undefined ? `http://${address.replace(/^\/\//, '')}` : address;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    throw new ConnectError(`${variable} names a proxy for ${scheme}, which is not supported: ${example}.`);
  if (url !== undefined) return url;
  // The address may hold a password.
  throw new ConnectError(`${variable} holds no address of a proxy: ${example}.`);
}

/** Whether an entry of `NO_PROXY` names the host: as a name, also of a domain above it, an address, a range, or with asterisks; with a port or for all. */
function isListed(entry: string, host: string, port: string): boolean {
  const [, before, entryPort] = /^([^:]+|\[[^\]]*\]):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const name = (before ?? entry).replace(/[[\]]|^\.|\.$/g, '');
  if (name === '') return false;
  if (name.includes('*')) return globOf(name).test(host);
  return isIP(host) === 0 ? host === name || host.endsWith(`.${name}`) : isWithin(host, name);
}

const globOf = (name: string): RegExp =>
  new RegExp(`^${name.replace(/[^\w*]/g, '\\$&').replace(/\*+/g, '.*')}$`);

/** Whether an address is one (`::1`), in a network (`10.0.0.0/8`) or between two (`10.0.0.1-10.0.0.9`). */
function isWithin(host: string, name: string): boolean {
  const [first = '', last, prefix] = name.includes('/')
    ? [name.split('/')[0], undefined, name.split('/')[1]]
    : name.split('-');
  const list = new BlockList();
  try {
    if (prefix !== undefined)
      list.addSubnet(first, /^\d+$/.test(prefix) ? Number(prefix) : -1, familyOf(first));
    else if (last !== undefined) list.addRange(first, last, familyOf(first));
    else list.addAddress(first, familyOf(first));
  } catch {
    return false;
  }
  return list.check(host, familyOf(host));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
