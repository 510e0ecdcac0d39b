// Bundles a program of this repository with all its libraries into one file for Node.js, with their licences.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { licenceNotices } from './licence-notices.ts';
import { repositoryRoot } from './source-files.ts';

/** A program that is delivered as one file. */
export interface BundledProgram {
  /** The command's name. */
  readonly name: string;
  /** Entry file, relative to the repository. */
  readonly entry: string;
  /** Constants that the build substitutes for names. */
  readonly define?: Readonly<Record<string, string>>;
}

const oldestNode = 20;

/** Runs before the program: reports a Node that is too old, and polyfills the one function that Node 20 lacks. */
const prelude = (name: string): string => `#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < ${oldestNode}) {
  process.stderr.write('${name} needs Node.js ${oldestNode} or newer; this is ' + process.version + '.\\n');
  process.exit(1);
}
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((onResolve, onReject) => { resolve = onResolve; reject = onReject; });
  return { promise, resolve, reject };
};
`;

/** Writes the program to a file. Rejects when bundling fails or when one of its libraries has no licence text. */
export async function buildProgram(
  { name, entry, define = {} }: BundledProgram,
  file: string,
): Promise<void> {
  const bundle = await rolldown({
    input: join(repositoryRoot, entry),
    platform: 'node',
    transform: { target: `node${oldestNode}`, define },
    logLevel: 'warn',
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      minify: true,
      comments: false,
      codeSplitting: false,
    });
    const [chunk, ...others] = output;
    if (others.length > 0) throw new Error(`${name} could not be put into one file.`);
    const notices = licenceNotices(Object.keys(chunk.modules), repositoryRoot);
    writeFileSync(file, `${prelude(name)}${chunk.code}\n${notices}`);
  } finally {
    await bundle.close();
  }
}

/** The version in the package.json of a package. */
export function versionOf(name: string): string {
  const text = readFileSync(join(repositoryRoot, name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
