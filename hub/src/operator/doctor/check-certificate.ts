import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkOf, type Finding } from './finding.ts';

const { right, wrong } = checkOf('TLS certificate');
const dayMs = 86_400_000;
const warnWithinDays = 14;

/** Whether a certificate is valid for the host names of the hub, and when it expires. */
export function checkCertificate(
  certificate: X509Certificate,
  names: readonly string[],
  nowMs: number,
): Finding[] {
  const unmatched = names.filter((name) => !matches(certificate, name));
  const from = Date.parse(certificate.validFrom);
  const left = Math.floor((Date.parse(certificate.validTo) - nowMs) / dayMs);
  const until = new Date(certificate.validTo).toISOString().slice(0, 10);
  return [
    unmatched.length > 0
      ? wrong(
          `It is not for ${unmatched.join(', ')}: get one that names ${unmatched.length === 1 ? 'it' : 'them'} as well.`,
        )
      : right(`It is for ${names.join(', ')}.`),
    from > nowMs
      ? wrong(`It is valid only from ${certificate.validFrom}: check the clock of this machine.`)
      : left < 0
        ? wrong(`It ended on ${until}: renew it, and start the hub or the proxy again.`)
        : left < warnWithinDays
          ? wrong(`It ends on ${until}, in ${left} days: renew it, and start the hub or the proxy again.`)
          : right(`It is valid until ${until}.`),
  ];
}

function matches(certificate: X509Certificate, name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, '');
  const found = isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare);
  return found !== undefined;
}
