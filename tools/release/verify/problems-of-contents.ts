import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Files that no release contains: maps of sources, settings of who made it, and keys. */
const unwanted = /\.map$|^\.(?!corral)|\.env$|\.(?:pem|key)$|(?<!\.d)\.tsx?$/;
const allowed = ['defaults.env'];
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[\w+/]{20}/;

/** The files below a folder that tell where it was made, by these places, or that should not be delivered. One sentence each. */
export function problemsOfContents(folder: string, places: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const full = join(folder, path);
    if (!lstatSync(full).isFile()) return [];
    const name = basename(path);
    if (unwanted.test(name) && !allowed.includes(name)) return [`${path} should not be delivered.`];
    const content = readFileSync(full, 'latin1');
    const place = places.find((each) => content.includes(each));
    return [
      ...(place === undefined ? [] : [`${path} has the path ${place} of where it was made.`]),
      ...(privateKey.test(content) ? [`${path} has a private key.`] : []),
    ];
  });
}
