import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fetchParts } from './fetch-parts.ts';
import { postgresVersion, type Platform } from './platforms.ts';
import { runTool } from './run-tool.ts';
import { writeJson } from './write-json.ts';

const files = join(import.meta.dirname, 'files');

/** Makes the folder that is installed on a platform: what `makeApp` made, with Node.js, PostgreSQL and the programs in `bin/`. */
export function makeFolder(folder: string, app: string, platform: Platform): void {
  cpSync(app, folder, { recursive: true });
  const parts = fetchParts(platform);
  copyExecutable(join(parts.node, 'bin/node'), join(folder, 'node/bin/node'));
  cpSync(join(parts.node, 'LICENSE'), join(folder, 'node/LICENSE'));
  for (const [name, source] of Object.entries(parts.packages))
    cpSync(source, join(folder, 'node_modules', name), { recursive: true, dereference: true });
  makePostgresPackage(join(folder, 'node_modules', postgresPackage(platform)), platform);
  cpSync(join(files, 'health.mjs'), join(folder, 'health.mjs'));
  for (const name of ['corral-hub', 'corral', 'corral-agent'])
    copyExecutable(join(files, `${name}.sh`), join(folder, 'bin', name));
  runTool('chmod', ['-R', 'u+rw,go+r,go-w,a+X', '.'], folder);
}

/** The name of the npm package of PostgreSQL for a platform. */
export const postgresPackage = ({ name }: Platform): string => `corral-postgres-${name}`;

/** What needs a compiler, another language or a library that the hub does not use. */
const notNeeded =
  /\.a$|^(?:pkgconfig|pgxs)$|^lib(?:ecpg|pgtypes|xslt|ossp-uuid)|plperl|plpython|pltcl|^pgxml|^xml2|^uuid-ossp/;

/** Makes the npm package of PostgreSQL for a platform; npm packages contain no symbolic links, so these are in a list, by which the hub makes them. */
export function makePostgresPackage(folder: string, platform: Platform): void {
  const { postgres } = fetchParts(platform);
  const native = join(folder, 'native');
  cpSync(postgres, native, {
    recursive: true,
    filter: (path) => !notNeeded.test(basename(path)) && !lstatSync(path).isSymbolicLink(),
  });
  writeFileSync(join(native, 'pg-symlinks.json'), `${JSON.stringify(linksOf(postgres))}\n`);
  cpSync(join(files, 'postgres-licences.txt'), join(folder, 'LICENSE'));
  writeJson(join(folder, 'package.json'), {
    name: postgresPackage(platform),
    version: postgresVersion,
    description: `The programs of PostgreSQL ${postgresVersion} for ${platform.name}, for corral-hub.`,
    license: 'PostgreSQL',
    os: ['linux'],
    cpu: [platform.cpu],
    files: ['native'],
  });
}

/** The symbolic links of PostgreSQL's libraries, as the hub reads them: both paths begin with `native`. */
function linksOf(postgres: string): { source: string; target: string }[] {
  return readdirSync(join(postgres, 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink() && !notNeeded.test(entry.name))
    .map(({ name }) => ({
      source: `native/lib/${basename(realpathSync(join(postgres, 'lib', name)))}`,
      target: `native/lib/${name}`,
    }))
    .toSorted((left, right) => (left.target < right.target ? -1 : 1));
}

function copyExecutable(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
  chmodSync(to, 0o755);
}
