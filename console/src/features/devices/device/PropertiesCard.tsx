import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { EditValueDialog, type EditedValue, typedValue } from '../../../parts/metadata/EditValueDialog.tsx';
import { ValueLine } from '../../../parts/metadata/ValueLine.tsx';
import { useDialogTarget } from '../../../parts/use-dialog-target.ts';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { jsonText } from '../../../ui/text/json-text.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { setProperty } from '../mutations.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { deviceCopy } from './copy.ts';
import { type NumberHistory, useNumberHistory } from './use-number-history.ts';
import { ShowMore } from './ShowMore.tsx';

type Property = Output<'devices_QueryDeviceProperties'>['properties'][string];

const words = deviceCopy.properties;
const shownAtFirst = 10;
/** Characters of a value, as JSON, beyond which a browser would be slow to show it. */
const longestShown = 20_000;

/** What the programs of a device and its operators have stored under names. */
export function PropertiesCard({ deviceId }: { deviceId: Id<'device'> }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const { data, error, refetch } = useQuery(devicePropertiesQuery(deviceId));
  const properties = Object.values(data?.properties ?? {}).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const history = useNumberHistory(deviceId);
  const run = useRun();
  const editing = useDialogTarget<EditedValue>();
  const edit: Edit = ({ name, value, version }) =>
    editing.open({
      name,
      value,
      title: words.edit(name),
      hint: words.hint,
      save: async (_name, typed) => {
        const wanted = {
          deviceId,
          name,
          value: typedValue(typed) as Property['value'],
          expectedVersion: version,
        };
        const { result } = await run(setProperty, wanted);
        if (result !== 'Set') throw new Error(words.changedMeanwhile);
      },
    });
  const shown = isExpanded ? properties : properties.slice(0, shownAtFirst);
  return (
    <Card isFlush title={words.title}>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {properties.length === 0 ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {data === undefined ? words.loading : words.empty}
          </p>
        ) : (
          <Properties layout="wide names" items={shown.map((property) => itemOf(property, history, edit))} />
        )}
        {properties.length > shownAtFirst && (
          <ShowMore
            hidden={properties.length - shown.length}
            isExpanded={isExpanded}
            onToggle={() => setIsExpanded(!isExpanded)}
          />
        )}
      </ErrorBoundary>
      <EditValueDialog dialog={editing} />
    </Card>
  );
}

type Edit = (property: Property) => void;

function itemOf(property: Property, history: NumberHistory, onEdit: Edit) {
  const { name, value, protected: isProtected, lastUpdated } = property;
  const length = jsonText(value).length;
  const numbers = history.get(name) ?? [];
  const hasPicture = typeof value === 'number' && numbers.length >= 2;
  const edit =
    isProtected || length > longestShown
      ? undefined
      : { label: words.edit(name), onEdit: () => onEdit(property) };
  return {
    key: name,
    name: (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span dir="ltr" className="font-mono text-mono">
          {name}
        </span>
        {isProtected && <Badge tone="mute">{words.isProtected}</Badge>}
      </span>
    ),
    value: (
      <ValueLine
        value={
          length > longestShown
            ? { shown: <span className="text-ink3">{words.tooLong(formatSize(length))}</span> }
            : hasPicture
              ? { shown: <strong className="tabular font-head">{value}</strong> }
              : { json: value }
        }
        {...(hasPicture && {
          picture: <Sparkline values={numbers} label={words.lastDay(numbers.length, rangeOf(numbers))} />,
        })}
        note={hasPicture ? rangeOf(numbers) : <RelativeTime at={lastUpdated} />}
        edit={edit}
      />
    ),
  };
}

function rangeOf(numbers: readonly number[]): string {
  const [low = '', high = ''] = [Math.min(...numbers), Math.max(...numbers)].map((number) =>
    number.toLocaleString('en'),
  );
  return words.range(low, high);
}
