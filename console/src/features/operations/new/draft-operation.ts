import type { Id, Json } from '@corral/contract';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { TypedInput } from '../../../parts/operation/schema-fields.ts';
import { omitUndefined } from '../../../parts/search-values.ts';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';
import type { NewOperationSearch } from './new-operation-search.ts';

/** A step that is being composed: a command with its typed input, or a property with its value as JSON. */
export type DraftStep =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly typed: TypedInput;
      readonly timeoutSecs: string;
    }
  | { readonly kind: 'set'; readonly name: string; readonly value: string };

/** An operation that is being composed, as it was typed. */
export interface DraftOperation {
  /** Empty for the name that follows from what it does. */
  readonly name: string;
  readonly kind: 'install' | 'steps';
  readonly repositoryId: Id<'repository'> | undefined;
  readonly packageId: Id<'package'> | undefined;
  readonly versionId: Id<'packageVersion'> | undefined;
  readonly steps: readonly DraftStep[];
  readonly filter: string;
  /** Instead of a filter. */
  readonly deviceIds: readonly Id<'device'>[] | undefined;
  readonly stages: readonly string[];
  readonly goesOn: boolean;
  readonly waitSecs: string;
  readonly maxInFlight: string;
  readonly pauseAbove: string;
  readonly deliverSecs: string;
}

/** Changes parts of an operation that is being composed. */
export type ChangeDraft = (parts: Partial<DraftOperation>) => void;

/** A command that is not named yet. */
export const newRun: DraftStep = { kind: 'run', command: '', typed: {}, timeoutSecs: '600' };
/** A property that is not named yet. */
export const newSet: DraftStep = { kind: 'set', name: '', value: '' };

const nothing: DraftOperation = {
  name: '',
  kind: 'steps',
  repositoryId: undefined,
  packageId: undefined,
  versionId: undefined,
  steps: [newRun],
  filter: '',
  deviceIds: undefined,
  stages: ['1', '10', '100'],
  goesOn: true,
  waitSecs: '600',
  maxInFlight: '50',
  pauseAbove: '5',
  deliverSecs: '604800',
};

/** What a command takes by its schema, where a device has told it. */
export type Schemas = ReadonlyMap<string, Json | undefined>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The devices that were chosen in the list for a new operation. */
    deviceIds?: Id<'device'>[];
  }
}

/** The operation that the user composes in a project. It stays when the page is left, until it begins or is discarded by `end`; what another page hands over comes first. */
export function useDraftOperation(
  projectId: Id<'project'>,
  search: NewOperationSearch,
): { draft: DraftOperation; change: ChangeDraft; end: () => void } {
  const { deviceIds } = useLocation().state;
  const kept = useDraft<DraftOperation>(`new operation ${projectId}`);
  const [draft, setDraft] = useState<DraftOperation>(() => ({
    ...nothing,
    ...kept.read(),
    ...handedOver(search, deviceIds),
  }));
  useDraftOnClosing(kept, true, () => (draft === nothing ? ({} as DraftOperation) : draft));
  return {
    draft,
    change: (parts) => setDraft((before) => ({ ...before, ...parts })),
    end: () => kept.end(),
  };
}

const fewDevices = 10;

function handedOver(
  { kind, q, command, repository, package: packageId, version }: NewOperationSearch,
  deviceIds: Id<'device'>[] | undefined,
): Partial<DraftOperation> {
  return omitUndefined({
    kind: kind === undefined ? undefined : kind === 'install' ? 'install' : ('steps' as const),
    steps:
      command !== undefined
        ? [{ ...newRun, command }]
        : kind === 'set'
          ? [newSet]
          : kind === 'run'
            ? [newRun]
            : undefined,
    repositoryId: repository,
    packageId,
    versionId: version,
    filter: deviceIds === undefined ? q : undefined,
    deviceIds,
    // So few devices need no stages.
    stages: deviceIds !== undefined && deviceIds.length <= fewDevices ? ['100'] : undefined,
  }) as Partial<DraftOperation>;
}
