import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { deviceCertificate } from '../../../test/device-certificate.ts';
import { leafInHeader } from './credentials.ts';
import { AdmissionError } from './refuse-upgrade.ts';

const device = await deviceCertificate();
const other = await deviceCertificate();
const pem = device.certificatePem.trim();
const der = new X509Certificate(pem).raw;

function armoured(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const escapedEntirely = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

test.each<[string, string]>([
  ['as clients and nginx encode it', encodeURIComponent(`${pem}\n`)],
  ['without a last line feed', encodeURIComponent(pem)],
  ['with every byte escaped, in lower case', escapedEntirely(pem)],
  ['with CRLF', encodeURIComponent(pem.replaceAll('\n', '\r\n'))],
  ['with nothing but line feeds escaped', pem.replaceAll('\n', '%0A')],
  ['before its chain', encodeURIComponent(`${pem}\n${other.certificatePem}`)],
  ['before its chain, with an empty line between', encodeURIComponent(`${pem}\n\n${other.certificatePem}`)],
])('reads the certificate %s', (_how, header) => {
  expect(leafInHeader(header).equals(der)).toBe(true);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['text that is not PEM', encodeURIComponent(der.toString('base64'))],
  ['a broken escape', `${encodeURIComponent(pem)}%`],
  ['bytes that are not UTF-8', `${encodeURIComponent(pem)}%ff`],
  ['PEM that was escaped twice', encodeURIComponent(encodeURIComponent(pem))],
  ['text before it', encodeURIComponent(`subject=device\n${pem}`)],
  ['text behind it', encodeURIComponent(`${pem}\nX-Client-Cert: more`)],
  ['text between chain links', encodeURIComponent(`${pem}\n# next\n${other.certificatePem}`)],
  ['chain links without a line between', encodeURIComponent(pem + other.certificatePem)],
  ['a broken link of the chain', encodeURIComponent(`${pem}\n${armoured(Buffer.from('no certificate'))}`)],
  ['spaces in the base64', encodeURIComponent(pem.replace('MII', 'M I I'))],
  ['a folded line', encodeURIComponent(pem.replaceAll('\n', '\r\n '))],
  ['other PEM', encodeURIComponent(device.keyPem)],
  ['no certificate in the PEM', encodeURIComponent(armoured(Buffer.from('no certificate')))],
  [
    'bytes behind the certificate in its PEM',
    encodeURIComponent(armoured(Buffer.concat([der, Buffer.of(0)]))),
  ],
  ['half a certificate', encodeURIComponent(armoured(der.subarray(0, 200)))],
  ['base64 that ends in stray bits', encodeURIComponent(withStrayBits(armoured(der)))],
  ['a header of more than 8 KiB', encodeURIComponent(`${pem}\n`.repeat(20))],
  [
    'more links than eight',
    Array.from({ length: 9 }, () => pem)
      .join('\n')
      .replaceAll('\n', '%0A'),
  ],
])('refuses %s with a sentence', (_what, header) => {
  expect(() => leafInHeader(header)).toThrow(AdmissionError);
  expect(() => leafInHeader(header)).toThrow(/^The header X-Client-Cert must hold .*\.$/);
});

/** Another spelling of the same bytes, which a lenient decoder would accept. */
function withStrayBits(text: string): string {
  const padded = text.replace(/([A-Za-z0-9+/])(=+)\n/, (_all, last: string, padding: string) => {
    const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    return `${symbols[symbols.indexOf(last) + 1]}${padding}\n`;
  });
  return padded === text ? text.replace('\n-----END', '=\n-----END') : padded;
}
