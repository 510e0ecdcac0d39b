import { type CallInput, type Id, parseExactJson } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useDebounced } from '../../../parts/use-debounced.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { previewQuery } from '../fleet-operations.ts';
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

/** How long nobody typed before the preview is read. */
const previewDelayMs = 300;

/** Begins an operation: what is done, on whom, and how, beside what the hub says would happen. */
export function NewOperationPage({ projectId }: { projectId: Id<'project'> }) {
  const [search] = useUrlSearch<NewOperationSearch>();
  const { draft, change, end } = useDraftOperation(projectId, search);
  const offered = useOfferedCommands(projectId, draft);
  const version = useNamedVersion(draft);
  const read = readDraft(projectId, draft, offered, version.label);
  // The name changes nothing of what is shown.
  const wanted = JSON.stringify(read.definition && { ...read.definition, name: words.title });
  const asked = useDebounced(wanted, previewDelayMs);
  const preview = useQuery({
    ...previewQuery(parseExactJson(asked ?? '{}') as CallInput<'fleet_PreviewOperation'>),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = asked === wanted && !preview.isPlaceholderData;
  return (
    <Page>
      <SectionHeader title={words.title} name={words.title} meta={words.text} />
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card isFlush isUnclipped>
            <div className="px-4.5 pt-4.5 pb-5">
              <TextField
                label={words.name}
                required={false}
                autoComplete="off"
                maxLength={128}
                placeholder={suggestedName(draft, version.label)}
                value={draft.name}
                onValueChange={(name) => change({ name })}
              />
            </div>
            <WhatStep {...{ projectId, draft, change, offered }} />
            <WhomStep {...{ projectId, draft, change }} />
            <HowStep {...{ draft, change }} />
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-5">
          <Preview
            {...{ projectId }}
            problem={read.problem}
            preview={read.definition === undefined ? undefined : preview.data}
            error={read.definition === undefined ? null : preview.error}
            isCurrent={isCurrent}
          />
          <StartActions
            {...{ projectId, draft, change, end, read, offered }}
            versionPath={version.path}
            preview={isCurrent ? preview.data : undefined}
            error={isCurrent ? preview.error : null}
          />
        </div>
      </div>
    </Page>
  );
}
