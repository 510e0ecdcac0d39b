import { findOnSystem, type SystemProgram } from './system-program.ts';

const firefox: SystemProgram = {
  names: ['firefox-esr', 'firefox'],
  places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  probe: ['--version'],
  variable: 'CORRAL_FIREFOX',
  debianPackage: 'firefox-esr',
  need: 'The flows in Firefox need Firefox',
};

/** Says that the flows in Firefox were left out, and how to install it. */
export const firefoxMissingNotice = `${firefox.need}, and were left out: install it (Debian: apt-get install ${firefox.debianPackage}) or set ${firefox.variable} to its path.`;

/** The path of Firefox; undefined where there is none, which is never installed by itself. */
export function findFirefox(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env[firefox.variable] ?? findOnSystem(firefox, env);
}
