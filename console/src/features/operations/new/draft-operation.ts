import type { Id, Json } from '@corral/contract';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LeftOperation } from '../../../parts/operation/create-and-start.ts';
import type { TypedInput } from '../../../parts/operation/schema-fields.ts';
import { omitUndefined } from '../../../parts/search-values.ts';
import { type TypedWindow, usualWindow } from '../../../parts/WindowFields.tsx';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';
import type { NewOperationSearch } from './new-operation-search.ts';

/** A step that is being composed: a command with its typed input, or a property with its value as JSON. */
export type DraftStep =
  | {
      readonly kind: 'run';
      readonly command: string;
      readonly typed: TypedInput;
      /** The command and the schema of the form into which it was typed. */
      readonly form?: { readonly command: string; readonly schema: Json | undefined };
      readonly timeoutSecs: string;
    }
  | { readonly kind: 'set'; readonly name: string; readonly value: string };

/** An operation that is being composed, as it was typed. */
export interface DraftOperation extends TypedWindow {
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
  readonly isInWindow: boolean;
  /** A start of it that failed. */
  readonly left: LeftOperation<Id<'fleetOperation'>> | undefined;
}

/** Changes parts of an operation that is being composed. */
export type ChangeDraft = (parts: Partial<DraftOperation>) => void;

/** A command that is not named yet. */
export const newRun: DraftStep = { kind: 'run', command: '', typed: {}, timeoutSecs: '600' };
/** A property that is not named yet. */
export const newSet: DraftStep = { kind: 'set', name: '', value: '' };

/** The stages of an operation on more than a few devices. */
export const defaultStages: readonly string[] = ['1', '10', '100'];

const nothing: DraftOperation = {
  name: '',
  kind: 'steps',
  repositoryId: undefined,
  packageId: undefined,
  versionId: undefined,
  steps: [newRun],
  filter: '',
  deviceIds: undefined,
  stages: defaultStages,
  goesOn: true,
  waitSecs: '600',
  maxInFlight: '50',
  pauseAbove: '5',
  deliverSecs: '604800',
  isInWindow: false,
  ...usualWindow(),
  left: undefined,
};

/** Whether how fast it goes is as at first. */
export function hasUsualPace(draft: DraftOperation): boolean {
  const parts = ['waitSecs', 'maxInFlight', 'pauseAbove', 'deliverSecs', 'isInWindow'] as const;
  return parts.every((part) => draft[part] === nothing[part]);
}

/** The commands that devices were found to offer, with what they take. */
export interface OfferedForms {
  readonly schemas: ReadonlyMap<string, Json | undefined>;
  /** Whether devices are still asked. */
  readonly isReading: boolean;
}

/** The form of a step that runs a command, with what was typed into it; that of the devices which were meant at the time, where those that are meant now describe none. */
export function formOf(
  { command, typed, form }: Extract<DraftStep, { kind: 'run' }>,
  { schemas, isReading }: OfferedForms,
): { name: string; schema: Json | undefined; typed: TypedInput; isReading: boolean } {
  const name = command.trim();
  const kept = form?.command === name ? form : undefined;
  return {
    name,
    schema: schemas.get(name) ?? kept?.schema,
    // JSON may be meant for the command whose name is corrected.
    typed: kept !== undefined ? typed : typed[''] === undefined ? {} : { '': typed[''] },
    isReading: isReading && !schemas.has(name) && kept === undefined,
  };
}

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
  const navigate = useNavigate();
  const kept = useDraft<DraftOperation>(`new operation ${projectId}`);
  const [draft, setDraft] = useState<DraftOperation>(() => ({
    ...nothing,
    ...kept.read(),
    ...handedOver(search, deviceIds),
  }));
  useDraftOnClosing(kept, true, () => (draft === nothing ? ({} as DraftOperation) : draft));
  // Once: who comes back to the page later finds what was composed.
  const forgetHandedOver = useEffectEvent(() => {
    if (deviceIds === undefined && Object.keys(search).length === 0) return;
    void navigate({ to: '.', search: {}, state: {}, replace: true, resetScroll: false } as never);
  });
  useEffect(() => forgetHandedOver(), []);
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
  const whom = {
    filter: deviceIds === undefined ? q : '',
    deviceIds,
    // So few devices need no stages.
    stages: deviceIds !== undefined && deviceIds.length <= fewDevices ? ['100'] : defaultStages,
  };
  const what = omitUndefined({
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
  });
  return { ...what, ...(deviceIds === undefined && q === undefined ? {} : whom) } as Partial<DraftOperation>;
}
