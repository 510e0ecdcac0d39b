import {
  type CallInput,
  type Output,
  quotaAssetsProblem,
  quotaBytesProblem,
  readCount,
  readSize,
  writeSize,
} from '@corral/contract';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { object } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { follows } from '../../parts/follows.ts';
import { submitUndoable } from '../../parts/undoable.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { repositorySettingsCopy } from './copy.ts';
import { setQuota } from './mutations.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.usage;
const schema = object({
  size: follows(quotaBytesProblem, problemCopy),
  assets: follows(quotaAssetsProblem, problemCopy),
});

/** The button that changes the quotas of a repository in a dialog, with Undo. For administrators. */
export function EditQuotas({ repository }: { repository: Repository }) {
  const [isOpen, setIsOpen] = useState(false);
  const run = useRun();
  const { repositoryId, name, maxBytes, maxAssets } = repository;
  const text = { required: false, spellCheck: false, autoCapitalize: 'none' } as const;
  return (
    <>
      <Button size="small" isWrite icon={<Pencil size={15} aria-hidden />} onClick={() => setIsOpen(true)}>
        {words.edit}
      </Button>
      <FieldsDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={words.editTitle(name)}
        description={words.editText}
        size="small"
        submitLabel={terms.save}
        fields={{
          size: {
            ...text,
            label: words.size,
            hint: words.sizeHint,
            initial: maxBytes === undefined ? '' : writeSize(maxBytes),
          },
          assets: {
            ...text,
            label: words.assets,
            hint: words.assetsHint,
            inputMode: 'numeric',
            initial: maxAssets === undefined ? '' : String(maxAssets),
          },
        }}
        schema={schema}
        onSubmit={({ size, assets }) =>
          submitUndoable(run, setQuota, quotaOf(repositoryId, readSize(size), readCount(assets)), {
            inverse: quotaOf(repositoryId, maxBytes, maxAssets),
            done: words.saved(name),
            failed: words.failed,
          })
        }
      />
    </>
  );
}

function quotaOf(
  repositoryId: Repository['repositoryId'],
  maxBytes: number | undefined,
  maxAssets: number | undefined,
): CallInput<'repositories_SetQuota'> {
  return {
    repositoryId,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(maxAssets === undefined ? {} : { maxAssets }),
  };
}
