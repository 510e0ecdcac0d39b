import type { Id } from '@corral/contract';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { usePreview } from '../../../parts/use-preview.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { FormBesidePreview } from '../../../ui/layout/FormBesidePreview.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { newOperationCopy as words } from './copy.ts';
import { useDraftOperation } from './draft-operation.ts';
import { HowStep } from './HowStep.tsx';
import type { NewOperationSearch } from './new-operation-search.ts';
import { Preview } from './Preview.tsx';
import { readDraft, suggestedName } from './read-draft.ts';
import { StartActions } from './StartActions.tsx';
import { useOfferedCommands } from './use-offered-commands.ts';
import { useNamedVersion } from './use-named-version.ts';
import { WhatStep } from './WhatStep.tsx';
import { WhomStep } from './WhomStep.tsx';

/** Begins an operation: what is done, on whom, and how, beside what the hub says would happen. */
export function NewOperationPage({ projectId }: { projectId: Id<'project'> }) {
  const [search] = useUrlSearch<NewOperationSearch>();
  const { draft, change, end } = useDraftOperation(projectId, search);
  const offered = useOfferedCommands(projectId, draft);
  const version = useNamedVersion(draft);
  const read = readDraft(projectId, draft, offered, version.label);
  // The name changes nothing of what is shown.
  // The name changes nothing of what is shown.
  const preview = usePreview(
    'fleet_PreviewOperation',
    read.definition && { ...read.definition, name: words.title },
  );
  return (
    <Page>
      <SectionHeader title={words.title} name={words.title} meta={words.text} />
      <FormBesidePreview
        name={
          <TextField
            label={words.name}
            required={false}
            autoComplete="off"
            maxLength={128}
            placeholder={suggestedName(draft, version.label)}
            value={draft.name}
            onValueChange={(name) => change({ name })}
          />
        }
        preview={
          <>
            <Preview {...{ projectId }} problem={read.problem} {...preview} />
            <StartActions
              {...{ projectId, draft, change, end, read, offered }}
              versionPath={version.path}
              preview={preview.isCurrent ? preview.preview : undefined}
              error={preview.isCurrent ? preview.error : null}
            />
          </>
        }
      >
        <WhatStep {...{ projectId, draft, change, offered }} />
        <WhomStep {...{ projectId, draft, change }} />
        <HowStep {...{ draft, change }} />
      </FormBesidePreview>
    </Page>
  );
}
