import type { Id } from '@corral/contract';
import { boolean, check, object, picklist, pipe, string } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { publishingCopy } from './publishing-copy.ts';
import { addPublisher, conditionsOf } from './publishing.ts';

const words = publishingCopy.dialog;
const kinds = ['GitHub', 'GitLab', 'Forgejo', 'Other'] as const;
const isPairs = (text: string): boolean =>
  text.trim() === '' || text.split(',').every((pair) => /^\s*[^=\s]+\s*=\s*\S/.test(pair));

const schema = object({
  name: string(),
  kind: picklist(kinds),
  issuer: string(),
  projectId: string(),
  ownerId: string(),
  ref: string(),
  environment: string(),
  workflow: string(),
  claims: pipe(
    string(),
    check(isPairs, () => words.claimsInvalid),
  ),
  allowsPullRequests: boolean(),
});

/** Allows jobs of a CI to publish to a repository. The hub says which conditions are missing. */
export function PublisherDialog({
  repositoryId,
  issuers,
  open,
  onOpenChange,
}: {
  repositoryId: Id<'repository'>;
  issuers: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const text = { autoCapitalize: 'none', spellCheck: false, required: false } as const;
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      draft={`publisher of ${repositoryId}`}
      title={publishingCopy.add}
      description={words.text}
      submitLabel={publishingCopy.add}
      fields={{
        name: { label: words.name, required: true },
        kind: {
          kind: 'select',
          label: words.kind,
          options: kinds.map((kind) => ({ value: kind, label: publishingCopy.kinds[kind] })),
          initial: 'GitHub',
        },
        issuer: {
          kind: 'select',
          label: words.issuer,
          options: issuers.map((issuer) => ({ value: issuer, label: issuer })),
          initial: issuers[0] ?? '',
        },
        projectId: { ...text, label: words.projectId, hint: words.projectIdHint, inputMode: 'numeric' },
        ownerId: { ...text, label: words.ownerId, hint: words.ownerIdHint, inputMode: 'numeric' },
        ref: { ...text, label: words.ref, hint: words.refHint },
        environment: { ...text, label: words.environment },
        workflow: { ...text, label: words.workflow, hint: words.workflowHint },
        claims: { ...text, label: words.claims, hint: words.claimsHint },
        allowsPullRequests: { kind: 'checkbox', label: words.pullRequests, hint: words.pullRequestsHint },
      }}
      schema={schema}
      onSubmit={({ name, kind, issuer, allowsPullRequests, ...fields }) =>
        run(addPublisher, {
          repositoryId,
          name,
          kind,
          issuer,
          allowsPullRequests,
          conditions: conditionsOf(kind, fields),
        })
      }
    />
  );
}
