import { type Output, repositoryNameProblem } from '@corral/contract';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { follows } from '../../parts/follows.ts';
import { useUndoableSubmit } from '../../parts/use-undoable-run.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { repositorySettingsCopy } from './copy.ts';
import { renameRepository } from './mutations.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.rename;
const schema = object({ name: pipe(follows(repositoryNameProblem, problemCopy), trim()) });

/** The name of a repository, and the button that changes it after the consequences for addresses and clients were said. */
export function RenameCard({ repository }: { repository: Repository }) {
  const [isOpen, setOpen] = useState(false);
  const { isOwner } = repository;
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{words.text}</p>
        <Button
          icon={<Pencil size={15} aria-hidden />}
          isWrite
          disabledReason={isOwner ? undefined : words.ownerOnly}
          onClick={() => setOpen(true)}
        >
          {words.verb}
        </Button>
      </div>
      <RenameDialog repository={repository} open={isOpen} onOpenChange={setOpen} />
    </Card>
  );
}

function RenameDialog({
  repository,
  open,
  onOpenChange,
}: {
  repository: Repository;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const submit = useUndoableSubmit();
  const { repositoryId, name: former } = repository;
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      title={words.dialogTitle(former)}
      description={consequences(repository)}
      submitLabel={words.verb}
      fields={{
        name: {
          label: terms.name,
          required: true,
          initial: former,
          spellCheck: false,
          autoCapitalize: 'none',
        },
      }}
      schema={schema}
      onSubmit={({ name }) =>
        name === former
          ? undefined
          : submit(
              renameRepository,
              { repositoryId, displayName: name },
              {
                inverse: { repositoryId, displayName: former },
                done: words.renamed(name),
                failed: words.failed,
              },
            )
      }
    />
  );
}

/** What a new name means for those who use the present one. */
function consequences({ name, visibility }: Repository): string {
  const addresses = visibility === 'Public' ? [words.addresses] : [];
  return [...addresses, words.clients, words.oldName(name)].join(' ');
}
