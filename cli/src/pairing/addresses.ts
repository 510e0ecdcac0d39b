import { CliError, exitCodes } from '../CliError.ts';

/** Where an agent may wait to be paired. */
export interface AgentAddress {
  readonly host: string;
  readonly port: number;
}

/** A network may have so many addresses: 20 bits name it. */
const shortestPrefix = 20;

/** Reads an address with or without a port, such as 192.168.1.7, [fe80::1]:6947 or pump.local. Throws a CliError. */
export function readAddress(text: string, defaultPort: number): AgentAddress {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number < 1 || number > 65_535)
    throw new CliError(
      `"${text}" is no address: give a name or an IP address, such as 192.168.1.7 or 192.168.1.7:${defaultPort}.`,
      exitCodes.usage,
    );
  return { host, port: number };
}

/** The addresses of the machines of an IPv4 network, such as 192.168.1.0/24. Throws a CliError. */
export function addressesOf(network: string, port: number): AgentAddress[] {
  const [, address = '', bits = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(network) ?? [];
  const octets = address.split('.').map(Number);
  const prefix = Number(bits);
  if (address === '' || octets.some((octet) => octet > 255) || prefix > 32)
    throw new CliError(`"${network}" is no IPv4 network, such as 192.168.1.0/24.`, exitCodes.usage);
  if (prefix < shortestPrefix)
    throw new CliError(
      `${network} has too many addresses: a network to scan may be /${shortestPrefix} at most.`,
      exitCodes.usage,
    );
  const size = 2 ** (32 - prefix);
  const first = Math.floor(octets.reduce((sum, octet) => sum * 256 + octet, 0) / size) * size;
  // The first and the last address are the network itself and all of it, except in the smallest ones.
  const [from, to] = size > 2 ? [1, size - 1] : [0, size];
  return Array.from({ length: to - from }, (_, index) => ({ host: dotted(first + from + index), port }));
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** An address as people write it, without the usual port. */
export function addressText(address: AgentAddress, usualPort: number): string {
  return address.port === usualPort ? hostText(address) : textWithPort(address);
}

/** All ways to write an address: with its port and without. */
export function addressTexts(address: AgentAddress): string[] {
  return [textWithPort(address), hostText(address), address.host];
}

const hostText = ({ host }: AgentAddress): string => (host.includes(':') ? `[${host}]` : host);
const textWithPort = (address: AgentAddress): string => `${hostText(address)}:${address.port}`;
