import { ActionError, ids, type Input, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { installedProperty } from '../../devices/index.ts';

type Step = Input<'fleet_CreateOperation'>['steps'][number];
type Recipe = NonNullable<NonNullable<Input<'fleet_CreateOperation'>['install']>['recipe']>;

/** A version as devices are told to install it. */
export interface InstalledVersion {
  readonly versionId: string;
  readonly packageId: string;
  readonly repository: string;
  readonly package: string;
  /** The name of the version, or else its public id. */
  readonly version: string;
  readonly kind: string | null;
  readonly tag: string | null;
  readonly assets: readonly {
    readonly filename: string;
    readonly assetId: string;
    readonly size: number;
    readonly digest: string;
    readonly isAvailable: boolean;
  }[];
}

/** Reads a version, by its raw id, that the devices of a project may fetch: its repository is public or linked. Undefined for others. */
export async function findInstallable(
  tx: Database,
  projectId: string,
  versionId: string,
): Promise<InstalledVersion | undefined> {
  const { rows } = await sql<InstalledVersion>`
    select v.version_id as "versionId", p.package_id as "packageId", r.name as repository, p.name as package, p.kind,
      coalesce(v.name, ${ids.packageVersion.tag} || '_' || v.version_id) as version, (
        select t.tag from package_tags t where t.version_id = v.version_id and t.package_id = p.package_id
        order by t.locked desc, t.tag = v.name desc nulls last, t.tag limit 1) as tag,
      coalesce((
        select jsonb_agg(jsonb_build_object('filename', f.filename, 'assetId', ${ids.asset.tag} || '_' || a.asset_id, 'size', a.size,
          'digest', 'sha256_' || encode(a.digest, 'hex'), 'isAvailable', a.status = 'Available') order by f.filename)
        from version_assets f join assets a using (asset_id) where f.version_id = v.version_id), '[]') as assets
    from package_versions v join packages p using (package_id) join repositories r on r.repository_id = v.repository_id
    where v.version_id = ${versionId} and (r.visibility = 'Public' or exists (
      select 1 from project_repositories l where l.repository_id = r.repository_id and l.project_id = ${projectId}))`.execute(
    tx,
  );
  return rows[0];
}

/** The bytes that one device downloads. */
export function downloadBytesOf({ assets }: InstalledVersion): number {
  return assets.reduce((sum, { size }) => sum + size, 0);
}

/** The recipe that installs a version: the one that is named, or else the one that the kind of its package stands for. Throws an `ActionError` of kind Invalid. */
export function stepsOfInstall(version: InstalledVersion, named: Recipe | undefined): Step[] {
  const missing = version.assets.find(({ isAvailable }) => !isAvailable);
  if (version.assets.length === 0) throw new ActionError('Invalid', 'This version has no files.');
  if (missing !== undefined)
    throw new ActionError('Invalid', `The file "${missing.filename}" of this version is not uploaded yet.`);
  return recipes[named ?? recipeOf(version)](version);
}

function recipeOf({ kind }: InstalledVersion): Recipe {
  if (kind?.startsWith('rugix') === true) return 'rugix';
  return kind === 'property' ? 'property' : 'command';
}

const wantedProperty = 'corral.wanted';
/** A device may be switched off for the night while it installs. */
const proofSecs = 86_400;
const installSecs = 3_600;

const recipes: Readonly<Record<Recipe, (version: InstalledVersion) => Step[]>> = {
  rugix: (version) => [
    {
      kind: 'UpdateDeviceProperty',
      name: 'dev.nexigon.ota.config',
      mutation: { mutation: 'Set', path: ['path'], expr: { kind: 'Literal', value: pathOf(version) } },
    },
    proofOf({
      kind: 'And',
      exprs: [
        {
          kind: 'Or',
          exprs: ['state', 'status'].map((key) => isEqual('dev.nexigon.ota.status', key, 'completed')),
        },
        isEqual('dev.nexigon.ota.status', 'currentVersion', version.version),
      ],
    }),
  ],
  command: (version) => [
    { kind: 'DeviceCommand', command: 'install', input: wantedOf(version), timeoutSecs: installSecs },
    installedProof(version),
  ],
  property: (version) => [
    { kind: 'SetDeviceProperty', name: wantedProperty, value: wantedOf(version) },
    installedProof(version),
  ],
};

/** What a device is told, flat, so that a shell can read it. */
function wantedOf({ repository, package: name, version, versionId, tag, assets }: InstalledVersion): Json {
  return {
    repository,
    package: name,
    version,
    versionId: ids.packageVersion.of(versionId),
    tag: tag ?? ids.packageVersion.of(versionId),
    assets: assets.map(({ filename, assetId, size, digest }) => ({ filename, assetId, size, digest })),
  };
}

function pathOf({ repository, package: name, tag }: InstalledVersion): string {
  if (tag !== null) return `${repository}/${name}/${tag}`;
  throw new ActionError(
    'Invalid',
    'This version has no tag, and devices that update by Rugix fetch a version by its tag. Give it one.',
  );
}

/** What an expression says when a member of a property has a value; false where either is missing. */
function isEqual(name: string, key: string, value: string): Json {
  const member = {
    kind: 'Get',
    expr: { kind: 'NamedValue', name },
    path: [key],
    default: { kind: 'Literal', value: null },
  };
  return { kind: 'Equals', left: member, right: { kind: 'Literal', value } };
}

function installedProof({ repository, package: name, version }: InstalledVersion): Step {
  const said = { repository, package: name, version };
  return proofOf({
    kind: 'And',
    exprs: Object.entries(said).map(([key, value]) => isEqual(installedProperty, key, value)),
  });
}

function proofOf(predicate: Json): Step {
  return { kind: 'WaitForDeviceProperty', predicate, timeoutSecs: proofSecs, freshOnly: true } as Step;
}
