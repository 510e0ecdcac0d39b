import { foldText, type Output } from '@corral/contract';
import { Boxes, Globe, Lock } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { SearchFields } from './rank.ts';

/** A repository of the user, as the palette searches it. */
export type FoundRepository = Output<'users_QueryUserRepositories'>['repositories'][number];
/** A package of the open repository. */
export type FoundPackage = Output<'repositories_QueryRepositoryPackages'>['packages'][number];

/** The search fields of a repository. */
export function repositorySearchFields({ name, repositoryId, visibility }: FoundRepository): SearchFields {
  return { label: foldText(name), id: repositoryId.toLowerCase(), words: visibility.toLowerCase() };
}

/** The line of a repository. */
export function repositoryEntry({ repositoryId, name, visibility }: FoundRepository): PaletteEntry {
  const Icon = visibility === 'Public' ? Globe : Lock;
  return {
    id: repositoryId,
    label: name,
    icon: <Icon size={16} aria-hidden />,
    tag: { value: repositoryId, what: terms.ids.repository },
    target: { path: `/repositories/${repositoryId}/packages` },
  };
}

/** The search fields of a package. */
export function packageSearchFields({ name, packageId, kind = '' }: FoundPackage): SearchFields {
  return { label: foldText(name), id: packageId.toLowerCase(), words: foldText(kind) };
}

/** The line of a package. */
export function packageEntry(repositoryId: string, { packageId, name, kind }: FoundPackage): PaletteEntry {
  return {
    id: packageId,
    label: name,
    icon: <Boxes size={16} aria-hidden />,
    tag: { value: packageId, what: terms.ids.package },
    meta: kind,
    target: { path: `/repositories/${repositoryId}/packages/${packageId}` },
  };
}
