import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listedLibraries, type ListedLibrary } from '../licence-notices.ts';
import { locked } from './fetch-parts.ts';
import { spdxLicences } from './bill-schema.ts';
import type { DebianPackage } from './debian-licences.ts';
import { postgresLibraries, postgresVersion, type Platform } from './platforms.ts';

interface Component {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly licenses?: readonly Licence[];
}

type Licence =
  | { readonly license: { readonly id: string } | { readonly name: string } }
  | { readonly expression: string };

/** What a bill is made for. */
export interface BillPlan {
  readonly folder: string;
  readonly platform: Platform;
  readonly version: string;
  readonly epochSecs: number;
  /** The packages of Debian in an image. */
  readonly debian?: readonly DebianPackage[];
}

/** A bill of software, as far as it is read again. */
export interface SoftwareBill {
  readonly metadata: { readonly component: { readonly version: string } };
  readonly components: readonly Component[];
}

/** What is in an installed folder or an image, in the format CycloneDX 1.6: libraries by the licences that the folder contains, machine code, Node.js and PostgreSQL. */
export function softwareBill({ folder, platform, version, epochSecs, debian = [] }: BillPlan): SoftwareBill {
  const components = [
    ...librariesIn(folder).map(npmComponent),
    ...nativePackages(folder),
    ...programs(platform),
    ...debian.map(debianComponent),
  ];
  const unique = new Map(components.map((component) => [component['bom-ref'], component]));
  const sorted = [...unique.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, platform.name, sorted]))}`,
    version: 1,
    metadata: {
      timestamp: new Date(epochSecs * 1000).toISOString(),
      component: {
        ...component('application', 'corral-hub', version, 'Apache-2.0'),
        purl: `pkg:npm/corral-hub@${version}`,
      },
    },
    components: sorted,
  };
  return bill;
}

/** The files in which a folder lists the libraries of its programs. */
const lists = [
  'hub/licences.txt',
  'console/dist/licences.txt',
  'agent/dist/corral-agent.mjs',
  'cli/dist/corral.mjs',
];

/** The libraries that the programs in a folder contain, by their own lists of licences. */
export function librariesIn(folder: string): ListedLibrary[] {
  return lists.flatMap((path) => listedLibraries(readFileSync(join(folder, path), 'utf8')));
}

const npmComponent = ({ name, version, licence }: ListedLibrary): Component => ({
  ...component('library', name, version, licence),
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
});

/** The packages below node_modules, but for PostgreSQL's. */
function nativePackages(folder: string): Component[] {
  const root = join(folder, 'node_modules');
  const names = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return names
    .filter((name) => !name.startsWith('corral-postgres-'))
    .map((name) => {
      const text = readFileSync(join(root, name, 'package.json'), 'utf8');
      const { version, license } = JSON.parse(text) as { version: string; license: string };
      return npmComponent({ name, version, licence: license });
    });
}

const debianComponent = ({ name, version, licence }: DebianPackage): Component => ({
  ...component('library', name, version, licence),
  'bom-ref': `deb/${name}@${version}`,
  purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}`,
});

const programs = (platform: Platform): Component[] => [
  generic('application', 'postgresql', postgresVersion.replace(/\.0$/, ''), 'PostgreSQL'),
  generic('application', 'node', locked(`node-${platform.name}`).version, 'MIT'),
  ...postgresLibraries.map(([name, version, licence]) => generic('library', name, version, licence)),
];

const generic = (type: Component['type'], name: string, version: string, licence: string): Component => ({
  ...component(type, name, version, licence),
  purl: `pkg:generic/${name}@${version}`,
});

function component(type: Component['type'], name: string, version: string, licence: string): Component {
  return {
    type,
    'bom-ref': `${name}@${version}`,
    name,
    version,
    licenses: [licenceOf(licence)],
  };
}

/** As CycloneDX wants it: an identifier of SPDX, an expression of them, or a name of its own. */
function licenceOf(text: string): Licence {
  if (/^\(.+ OR .+\)$/.test(text)) return { expression: text };
  return { license: spdxLicences().includes(text) ? { id: text } : { name: text } };
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
