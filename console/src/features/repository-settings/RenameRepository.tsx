import { type Output, repositoryNameProblem } from '@corral/contract';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { follows } from '../../parts/follows.ts';
import { RenameCard } from '../../parts/RenameCard.tsx';
import { repositorySettingsCopy } from './copy.ts';
import { renameRepository } from './mutations.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.rename;
const schema = object({ name: pipe(follows(repositoryNameProblem, problemCopy), trim()) });

/** The name of a repository, which changes after the consequences for addresses and clients were said. */
export function RenameRepository({ repository }: { repository: Repository }) {
  const { repositoryId, name, isOwner } = repository;
  return (
    <RenameCard
      {...{ name, words, schema }}
      consequences={consequencesOf(repository)}
      mutation={renameRepository}
      inputOf={(displayName) => ({ repositoryId, displayName })}
      ownerOnly={isOwner ? undefined : words.ownerOnly}
    />
  );
}

/** What a new name means for those who use the present one. */
function consequencesOf({ name, visibility }: Repository): string {
  const addresses = visibility === 'Public' ? [words.addresses] : [];
  return [...addresses, words.clients, words.oldName(name)].join(' ');
}
