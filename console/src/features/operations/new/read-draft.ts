import { type CallInput, deviceFields, type Id } from '@corral/contract';
import { mistakeIn } from '../../../parts/filter-mistake.ts';
import { parseJson, readInput } from '../../../parts/operation/schema-fields.ts';
import { windowOf } from '../../../parts/WindowFields.tsx';
import { newOperationCopy } from './copy.ts';
import { type DraftOperation, type DraftStep, formOf, type OfferedForms } from './draft-operation.ts';

type Definition = CallInput<'fleet_PreviewOperation'>;
type Step = Definition['steps'][number];

/** What the hub is asked for, or why what was typed says nothing yet. */
export type ReadDraft =
  | { readonly definition: Definition; readonly problem?: undefined }
  | { readonly definition?: undefined; readonly problem: string };

class Unfinished extends Error {}

/** The operation that was typed. `version` names the one that it installs. */
export function readDraft(
  projectId: Id<'project'>,
  draft: DraftOperation,
  offered: OfferedForms,
  version: string,
): ReadDraft {
  try {
    const isInstall = draft.kind === 'install';
    return {
      definition: {
        projectId,
        name: (draft.name.trim() || suggestedName(draft, version)).slice(0, 128),
        steps: isInstall ? [] : draft.steps.map((step) => stepOf(step, offered)),
        ...(isInstall ? { install: { versionId: versionOf(draft) } } : {}),
        selector: selectorOf(draft),
        stages: stagesOf(draft),
        maxInFlight: wholeNumber(draft.maxInFlight, 1, 10_000, newOperationCopy.whyNot.inFlight),
        pauseOnFailurePercent: failuresOf(draft.pauseAbove),
        deliverWithinSecs: Number(draft.deliverSecs),
        ...(draft.isInWindow ? { window: hoursOf(draft) } : {}),
      },
    };
  } catch (error) {
    if (error instanceof Unfinished) return { problem: error.message };
    throw error;
  }
}

/** The name of an operation that was given none. */
export function suggestedName({ kind, steps }: DraftOperation, version: string): string {
  const { names } = newOperationCopy;
  if (kind === 'install') return version === '' ? '' : names.install(version);
  const [step] = steps;
  if (step === undefined) return '';
  if (step.kind === 'run') return step.command.trim() === '' ? '' : names.run(step.command.trim());
  return step.name.trim() === '' ? '' : names.set(step.name.trim());
}

function versionOf({ versionId }: DraftOperation): Id<'packageVersion'> {
  if (versionId === undefined) throw new Unfinished(newOperationCopy.whyNot.package);
  return versionId;
}

function stepOf(step: DraftStep, offered: OfferedForms): Step {
  const words = newOperationCopy.whyNot;
  if (step.kind === 'run') {
    const { name: command, schema, typed, isReading } = formOf(step, offered);
    if (command === '') throw new Unfinished(words.command);
    if (isReading) throw new Unfinished(words.offered);
    const { input, problems } = readInput(schema, typed);
    if (problems !== undefined) throw new Unfinished(words.input([...problems.values()][0] ?? ''));
    return { kind: 'DeviceCommand', command, input, timeoutSecs: Number(step.timeoutSecs) };
  }
  const name = step.name.trim();
  if (name === '') throw new Unfinished(words.property);
  const read = parseJson(step.value);
  if (read === undefined) throw new Unfinished(words.value);
  return { kind: 'SetDeviceProperty', name, value: read.value };
}

function selectorOf({ deviceIds, filter }: DraftOperation): Definition['selector'] {
  const words = newOperationCopy.whyNot;
  if (deviceIds !== undefined) return { deviceIds: [...deviceIds], predicates: [] };
  const query = filter.trim();
  if (query === '') throw new Unfinished(words.whom);
  const mistake = query === 'all' ? undefined : mistakeIn(query, deviceFields, 0);
  if (mistake !== undefined) throw new Unfinished(words.filter(mistake.sentence));
  return { query, predicates: [] };
}

function stagesOf({ stages, goesOn, waitSecs, pauseAbove }: DraftOperation): Definition['stages'] {
  const percentages = stages.map((typed) => wholeNumber(typed, 1, 100, newOperationCopy.whyNot.stages));
  const isRising = percentages.every((one, index) => index === 0 || one > (percentages[index - 1] ?? 0));
  if (!isRising || percentages.at(-1) !== 100) throw new Unfinished(newOperationCopy.whyNot.stages);
  return percentages.map((percentage, index) => ({
    name: `${percentage} %`,
    percentage,
    ...(goesOn && index < percentages.length - 1
      ? {
          autoAdvance: true,
          ...(waitSecs === '0' ? {} : { soakSecs: Number(waitSecs) }),
          // A stage of one device tolerates its failure: without a guard all others would follow it.
          guard: { maxFailurePercent: Math.max(20, failuresOf(pauseAbove)), gates: [] },
        }
      : {}),
  }));
}

function hoursOf(draft: DraftOperation) {
  const window = windowOf(draft);
  if (window === undefined) throw new Unfinished(newOperationCopy.whyNot.window);
  return window;
}

const failuresOf = (typed: string): number => wholeNumber(typed, 0, 100, newOperationCopy.whyNot.failures);

function wholeNumber(typed: string, least: number, most: number, problem: string): number {
  const number = /^\d{1,6}$/u.test(typed.trim()) ? Number(typed) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Unfinished(problem);
  return number;
}
