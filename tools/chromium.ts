import { findOrInstall, type SystemProgram } from './system-program.ts';

/** The browser of the browser tests. */
export const chromium: SystemProgram = {
  // The headless shell renders the same pictures with a third less processor time.
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

/** The path of a browser that runs, as `findOrInstall` finds it. */
export function findOrInstallChromium(env: NodeJS.ProcessEnv = process.env): string {
  return findOrInstall(chromium, env);
}
