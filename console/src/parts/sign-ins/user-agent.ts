import { signInsCopy } from './copy.ts';

// The order matters: most user agents also contain the names of browsers further down.
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const maxCharacters = 40;

/** The browser and the system of a user agent, such as "Firefox on Linux", as far as they are recognised. */
export function nameUserAgent(userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined) return system ?? signInsCopy.unknownBrowser;
  return system === undefined ? browser : signInsCopy.on(browser, system);
}

/** The first 40 characters of a user agent, with an ellipsis if it is longer. */
export function truncateUserAgent(userAgent: string): string {
  return userAgent.length <= maxCharacters ? userAgent : `${userAgent.slice(0, maxCharacters)}…`;
}
