import { deviceFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeviceFilterField } from '../../../parts/device-filter/DeviceFilterField.tsx';
import { deviceLabelsQuery } from '../../../parts/device-filter/queries.ts';
import { documentPath } from '../../../parts/document-path.ts';
import { mistakeIn } from '../../../parts/filter-mistake.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { MistakeInFilter } from '../../../ui/table/MistakeInFilter.tsx';
import { newOperationCopy } from './copy.ts';
import { type ChangeDraft, defaultStages, type DraftOperation } from './draft-operation.ts';

const words = newOperationCopy.whom;
const errorId = 'whom-mistake';
const suggestedLabels = 3;

/** On whom: a filter as in the list of devices, or the devices that were chosen there. */
export function WhomStep({
  projectId,
  draft: { filter, deviceIds },
  change,
}: {
  projectId: Id<'project'>;
  draft: DraftOperation;
  change: ChangeDraft;
}) {
  const [isCompleting, setIsCompleting] = useState(false);
  const query = filter.trim();
  const mistake =
    query === '' || query === 'all' || isCompleting ? undefined : mistakeIn(filter, deviceFields, 0);
  if (deviceIds !== undefined)
    return (
      <NumberedStep number={2} title={words.title} text={words.text}>
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-line-strong px-3 py-2">
          <span className="text-body font-head">{words.chosen(deviceIds.length)}</span>
          <Button size="small" onClick={() => change({ deviceIds: undefined, stages: defaultStages })}>
            {words.clear}
          </Button>
        </div>
      </NumberedStep>
    );
  return (
    <NumberedStep number={2} title={words.title} text={words.text}>
      <DeviceFilterField
        {...{ projectId }}
        label={words.filter}
        placeholder={words.placeholder}
        value={filter}
        onValueChange={(next) => change({ filter: next })}
        errorId={mistake && errorId}
        onListChange={setIsCompleting}
      />
      {mistake !== undefined && (
        <div className="mt-2">
          <MistakeInFilter id={errorId} mistake={mistake} />
        </div>
      )}
      <Narrow {...{ projectId, filter }} onAdd={(next) => change({ filter: next })} />
    </NumberedStep>
  );
}

/** Conditions to add with a click, `all`, and where the grammar is told. */
function Narrow({
  projectId,
  filter,
  onAdd,
}: {
  projectId: Id<'project'>;
  filter: string;
  onAdd: (filter: string) => void;
}) {
  const { data } = useQuery(deviceLabelsQuery(projectId));
  const labels = (data?.labels ?? [])
    .flatMap(({ name, values }) => values.slice(0, 1).map((value) => `label.${name}:${written(value)}`))
    .slice(0, suggestedLabels);
  const query = filter.trim();
  const conditions = ['connected', ...labels].filter((one) => !query.includes(one));
  return (
    <p className="mt-2 flex flex-wrap items-baseline gap-x-3.5 gap-y-1 text-small text-ink2">
      {words.narrow}
      {query === '' && <Condition text={words.all} title={words.allHint} onClick={() => onAdd(words.all)} />}
      {conditions.map((text) => (
        <Condition
          key={text}
          text={text}
          onClick={() => onAdd(query === '' || query === 'all' ? text : `${query} ${text}`)}
        />
      ))}
      <Link
        to={documentPath('filters')}
        className="touch-area ms-auto rounded-control text-ink underline decoration-line-strong underline-offset-3 hover:text-denim"
      >
        {words.help}
      </Link>
    </p>
  );
}

function Condition({ text, title, onClick }: { text: string; title?: string; onClick: () => void }) {
  return (
    <button
      type="button"
      dir="ltr"
      title={title}
      onClick={onClick}
      className="touch-area rounded-control font-mono text-denim underline decoration-line-strong underline-offset-3 hover:text-denim-hover"
    >
      {text}
    </button>
  );
}

const written = (value: string): string => (/^[\w.-]+$/u.test(value) ? value : JSON.stringify(value));
