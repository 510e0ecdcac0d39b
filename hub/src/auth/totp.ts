import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepSecs = 30;
const digits = 6;
/** Codes of one step before and after are accepted: clocks differ. */
const windowSteps = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret of an authenticator, of 160 bits as RFC 4226 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(20);

/** The step of RFC 6238 at a time. */
export const totpStep = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSecs);

/** The code of a step. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step whose code it is, within 30 seconds of a time; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, typed: string, at: Date): number | undefined {
  const code = Buffer.from(typed.replaceAll(/\s/g, ''));
  const now = totpStep(at);
  return [now, now - windowSteps, now + windowSteps].find((step) => {
    const right = Buffer.from(totpCode(secret, step));
    return code.length === right.length && timingSafeEqual(code, right);
  });
}

/** RFC 4648 without padding, as authenticators take secrets. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The address by which an authenticator takes a secret. */
export function totpUri(secret: Buffer, hubName: string, account: string): string {
  const label = `${encodeURIComponent(hubName)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(hubName)}&digits=${digits}&period=${stepSecs}`;
}

/** Ten recovery codes of 80 bits each, such as `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => (base32(randomBytes(10)).match(/.{4}/g) ?? []).join('-'));
}

/** A recovery code as it is hashed, however it was typed. */
export const normalRecoveryCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
