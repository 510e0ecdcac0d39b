import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { foreignPackages, neededBy, readLockFile } from '../../lock-file.ts';
import { problemsOfSchema } from '../bill-schema.ts';
import { librariesIn, type SoftwareBill } from '../sbom.ts';

/** What is wrong with the bill of a folder, or of the image with this root: with its form, with what it lists, or with where that comes from. One sentence each. */
export function problemsOfBill(bill: SoftwareBill, folder: string, root?: string): string[] {
  const listed = new Map(bill.components.map(({ name, version }) => [name, version]));
  const all = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
  const found = new Set([
    ...packagesIn(folder),
    // Of these the version is not written where a script could find it.
    ...[...programsIn(folder), ...debianPackagesIn(root)].map((name) => `${name} ${listed.get(name) ?? ''}`),
  ]);
  return [
    ...problemsOfSchema(bill).map((problem) => `It is no CycloneDX 1.6: ${problem}.`),
    ...[...found].filter((each) => !all.has(each)).map((name) => `It lacks ${name}.`),
    ...[...all].filter((each) => !found.has(each)).map((name) => `It lists ${name}, which is not there.`),
    ...bill.components.flatMap(({ name, licenses: [licence] = [] }) =>
      licence === undefined || /see below|see licen|unlicensed|undefined/i.test(JSON.stringify(licence))
        ? [`It does not know the licence of ${name}.`]
        : [],
    ),
    ...unlockedIn(bill).map(
      (name) => `It lists ${name}, which package-lock.json does not have for these programs.`,
    ),
  ];
}

/** The npm packages that programs of a folder contain, or that lie beside them. */
function packagesIn(folder: string): string[] {
  const described = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'package.json' && path !== 'hub/package.json')
    .map(
      (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as { name?: string; version?: string },
    )
    .filter(({ name, version }) => version !== undefined && name?.startsWith('corral-postgres-') === false);
  return [...librariesIn(folder), ...described].map(({ name, version }) => `${name} ${version}`);
}

const librariesOfPostgres: readonly (readonly [RegExp, string])[] = [
  [/^libicu/, 'icu'],
  [/^lib(?:ssl|crypto)\b/, 'openssl'],
  [/^liblzma\b/, 'liblzma'],
  [/^libxml2\b/, 'libxml2'],
  [/^libz\b/, 'zlib'],
  [/^libpq/, 'postgresql'],
];

/** Programs and libraries of machine code. */
function programsIn(folder: string): string[] {
  const modules = readdirSync(join(folder, 'node_modules')).filter((name) =>
    name.startsWith('corral-postgres-'),
  );
  const libraries = modules
    .flatMap((name) => readdirSync(join(folder, 'node_modules', name, 'native/lib')))
    .filter((name) => /\.so\b/.test(name))
    .map((name) => librariesOfPostgres.find(([pattern]) => pattern.test(name))?.[1] ?? name);
  return ['node', ...modules.map(() => 'postgresql'), ...libraries];
}

function debianPackagesIn(root: string | undefined): string[] {
  if (root === undefined) return [];
  const folder = join(root, 'usr/share/doc');
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'copyright')));
}

/** The npm packages of a bill that the lock file does not have, in this version, for what is delivered: node_modules was not that of the lock file. */
function unlockedIn(bill: SoftwareBill): string[] {
  const lock = readLockFile();
  const needed = neededBy(lock, ['hub', 'console', 'cli', 'agent']);
  const known = new Set(
    foreignPackages(lock)
      .filter(({ path }) => needed.has(path))
      .map(({ name, locked: { version } }) => `${name} ${version}`),
  );
  return bill.components
    .filter(({ purl = '' }) => purl.startsWith('pkg:npm/'))
    .map(({ name, version }) => `${name} ${version}`)
    .filter((each) => !known.has(each));
}
