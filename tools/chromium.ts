import { findOrInstall, type SystemProgram } from './system-program.ts';

/** The browser for the browser tests. */
export const chromium: SystemProgram = {
  // The headless shell renders the same pages with a third less CPU time.
  names: [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'chrome',
  ],
  places: [
    '/usr/lib/chromium/chromium',
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  probe: ['--version'],
  variable: 'CORRAL_CHROMIUM',
  debianPackage: 'chromium-headless-shell',
  need: 'The browser tests need Chromium or Chrome',
};

/** The path of a browser that works; see `findOrInstall`. */
export function findOrInstallChromium(env: NodeJS.ProcessEnv = process.env): string {
  return findOrInstall(chromium, env);
}
