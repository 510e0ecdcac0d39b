import { ids } from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import type { Scene } from './generation-scene.ts';
import type { Calls, Case } from './newer-client-calls.ts';

const people = ['HTTP', 'command line'] as const;
const everybody = [...people, 'agent'] as const;

type Input = Case['input'];

/** Writes: the agents have these commands, too, but are refused. */
const byPeople = (...inputs: Input[]): Calls => ({ by: people, cases: inputs.map((input) => ({ input })) });
const byAll = (...inputs: Input[]): Calls => ({ by: everybody, cases: inputs.map((input) => ({ input })) });
const cases = (by: Calls['by'], ...answers: readonly (readonly [Input, string])[]): Calls => ({
  by,
  cases: answers.map(([input, result]) => ({ input, result })),
});

const ofRepository: Input = ({ catalogue: { repositoryId } }) => ({ repositoryId });
const ofPackage: Input = ({ catalogue: { packageId } }) => ({ packageId });
const ofVersion: Input = ({ catalogue: { versionId } }) => ({ versionId });
const link: Input = (scene) => ({ projectId: scene.projectId, ...ofRepository(scene) });
const path = ({ catalogue: { repository } }: Scene) => ({
  repository: repository.name,
  package: 'base-image',
});
const unused = () => `n${newRawId()}`;
const metadata = { notes: ['a', null], size: 3 };
const tags = (tag: string) => [{ tag, locked: false, reassign: false }];
const file =
  (of: Input, filename: string, more: object = {}): Input =>
  (scene) => ({ ...of(scene), assetId: scene.catalogue.assetId, filename, ...more });

/** The calls about repositories, packages, versions, tags and files; see `newerCalls`. */
export const newerRepositoryCalls: Readonly<Record<string, Calls>> = {
  projects_QueryLinkedRepositories: byPeople(({ projectId }) => ({ projectId })),
  projects_LinkRepository: byPeople(link),
  projects_UnlinkRepository: byPeople(link),
  repositories_ResolveName: cases(
    everybody,
    [({ catalogue }) => ({ repository: catalogue.repository.name }), 'Found'],
    [() => ({ repository: 'none' }), 'NotFound'],
  ),
  repositories_GetDetails: byAll(ofRepository),
  repositories_Create: {
    by: people,
    cases: [
      {
        input: ({ userId }) => ({
          organizationId: ids.organization.of(ids.user.raw(userId)),
          displayName: unused(),
          visibility: 'Public',
        }),
        firstInput: () => ({ name: unused() }),
        result: 'Created',
      },
      {
        input: ({ userId, catalogue }) => ({
          organizationId: ids.organization.of(ids.user.raw(userId)),
          displayName: catalogue.repository.name,
        }),
        firstInput: ({ catalogue }) => ({ name: catalogue.repository.name }),
        result: 'NameAlreadyExists',
      },
    ],
  },
  repositories_Delete: byPeople(ofRepository),
  repositories_SetDisplayName: byPeople((scene) => ({ ...ofRepository(scene), displayName: unused() })),
  repositories_SetVisibility: byPeople((scene) => ({ ...ofRepository(scene), visibility: 'Public' })),
  repositories_SetSlug: {
    by: people,
    cases: [
      { input: (scene) => ({ ...ofRepository(scene), slug: unused() }), result: 'Success' },
      {
        input: (scene) => ({ ...ofRepository(scene), slug: scene.catalogue.repository.name }),
        result: 'Success',
      },
    ],
  },
  repositories_QueryLinkedProjects: byPeople(ofRepository),
  repositories_QueryPackages: byAll(ofRepository),
  repositories_ResolvePackageByPath: cases(
    everybody,
    [path, 'Found'],
    [(scene) => ({ ...path(scene), package: 'none' }), 'NotFound'],
  ),
  repositories_GetPackageDetails: byAll(ofPackage),
  repositories_CreatePackage: cases(
    people,
    [(scene) => ({ ...ofRepository(scene), name: 'app', kind: 'rugix', metadata }), 'Created'],
    [(scene) => ({ ...ofRepository(scene), name: 'base-image' }), 'NameAlreadyExists'],
  ),
  repositories_DeletePackage: byPeople(ofPackage),
  repositories_SetPackageName: cases(people, [
    (scene) => ({ ...ofPackage(scene), name: 'renamed' }),
    'Success',
  ]),
  repositories_SetPackageKind: byPeople((scene) => ({ ...ofPackage(scene), kind: 'rugix' }), ofPackage),
  repositories_SetPackageMetadata: byPeople((scene) => ({ ...ofPackage(scene), metadata })),
  repositories_AddPackageAsset: cases(
    people,
    [file(ofPackage, 'y', { metadata }), 'Added'],
    [file(ofPackage, 'x'), 'FilenameAlreadyExists'],
  ),
  repositories_RemovePackageAsset: byPeople((scene) => ({ ...ofPackage(scene), filename: 'x' })),
  repositories_SetPackageAssetMetadata: byPeople((scene) => ({
    ...ofPackage(scene),
    filename: 'x',
    metadata,
  })),
  repositories_QueryPackageVersions: byAll(ofPackage),
  repositories_ResolveVersionByPath: cases(
    everybody,
    [(scene) => ({ ...path(scene), tag: 'v1' }), 'Found'],
    [(scene) => ({ ...path(scene), tag: 'v2' }), 'NotFound'],
  ),
  repositories_GetVersionDetails: byAll(ofVersion),
  repositories_CreateVersion: cases(
    people,
    [(scene) => ({ ...ofPackage(scene), tags: [] }), 'Created'],
    [(scene) => ({ ...ofPackage(scene), name: '1.2', tags: tags('v2'), metadata }), 'Created'],
  ),
  repositories_DeleteVersion: byPeople(ofVersion),
  repositories_SetVersionName: byPeople((scene) => ({ ...ofVersion(scene), name: '1.2' }), ofVersion),
  repositories_SetVersionMetadata: byPeople((scene) => ({ ...ofVersion(scene), metadata })),
  repositories_TagVersion: byPeople((scene) => ({ ...ofVersion(scene), tags: tags('v3') })),
  repositories_UntagVersion: byPeople((scene) => ({ ...ofVersion(scene), tags: [{ tag: 'v1' }] })),
  repositories_AddVersionAsset: cases(
    people,
    [file(ofVersion, 'y', { metadata }), 'Added'],
    [file(ofVersion, 'x'), 'FilenameAlreadyExists'],
  ),
  repositories_RemoveVersionAsset: byPeople((scene) => ({ ...ofVersion(scene), filename: 'x' })),
  repositories_SetVersionAssetMetadata: byPeople((scene) => ({
    ...ofVersion(scene),
    filename: 'x',
    metadata,
  })),
  repositories_ResolveVersionAssetByPath: cases(
    everybody,
    [(scene) => ({ ...path(scene), tag: 'v1', filename: 'x' }), 'Found'],
    [(scene) => ({ ...path(scene), tag: 'v1', filename: 'y' }), 'NotFound'],
  ),
};
