import { enAccount } from '../copy/en-account.ts';

// The order matters: nearly every browser also claims to be those that stand after it.
const browsers: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly (readonly [sign: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const shownCharacters = 40;

/** Names browser and system of a user agent, such as "Firefox on Linux"; as much as can be told. */
export function nameUserAgent(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined) return system ?? enAccount.sessions.unknownBrowser;
  return system === undefined ? browser : enAccount.sessions.on(browser, system);
}

/** The first 40 characters of a user agent, with a mark where it was cut. */
export function cutUserAgent(userAgent: string): string {
  return userAgent.length <= shownCharacters ? userAgent : `${userAgent.slice(0, shownCharacters)}…`;
}
