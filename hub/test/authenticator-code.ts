import { totpCode, totpStep } from '../src/auth/totp.ts';

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows at a time, by its secret as people type it. */
export function authenticatorCode(secret: string, at: Date): string {
  const bits = [...secret].map((symbol) => base32.indexOf(symbol).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return totpCode(Buffer.from(bytes), totpStep(at));
}
