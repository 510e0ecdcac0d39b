import { type Id, labelProblem, pathNameProblem } from '@corral/contract';
import { useRouter } from '@tanstack/react-router';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../copy/problems.ts';
import { terms } from '../../copy/terms.ts';
import { useRun } from '../../data/action-mutation.ts';
import { follows } from '../../parts/follows.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { packagesCopy } from './copy.ts';
import { createPackage } from './mutations.ts';
import { packageLink } from './package-columns.tsx';

const words = packagesCopy.newPackage;
const verbatim = { spellCheck: false, autoCapitalize: 'none' } as const;
const schema = object({
  name: follows((typed) => pathNameProblem(typed, 'packageName'), problemCopy),
  kind: pipe(
    follows((typed) => labelProblem(typed, 'packageKind'), problemCopy),
    trim(),
  ),
});

/** Creates a package and goes to it. The dialog stays open with what was typed when the name is taken. */
export function NewPackageDialog({
  repositoryId,
  open,
  onOpenChange,
}: {
  repositoryId: Id<'repository'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const router = useRouter();
  const run = useRun();
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      title={terms.create.packages}
      description={words.text}
      submitLabel={terms.create.packages}
      draft={`new package ${repositoryId}`}
      fields={{
        name: { label: terms.name, hint: words.nameHint, required: true, ...verbatim },
        kind: { label: words.kind, hint: words.kindHint, required: false, ...verbatim },
      }}
      schema={schema}
      onSubmit={async ({ name, kind }) => {
        const input = { repositoryId, name, ...(kind === '' ? {} : { kind }) };
        const created = await run(createPackage, input);
        if (created.result === 'NameAlreadyExists') throw new Error(words.taken(name));
        showToast(words.done(name), { tone: 'ok' });
        onOpenChange(false);
        await router.navigate(packageLink(repositoryId, created.packageId));
      }}
    />
  );
}
