import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { useDialogTarget } from '../../../parts/use-dialog-target.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { jsonText } from '../../../ui/text/json-text.ts';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { setProperty } from '../mutations.ts';
import { devicePropertiesQuery } from '../queries.ts';
import { deviceCopy } from './copy.ts';
import { EditValueDialog, type EditedValue, typedValue } from './EditValueDialog.tsx';
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
          <Properties items={shown.map((property) => itemOf(property, history, edit))} />
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
  return {
    key: name,
    name: (
      <span className="flex flex-col items-start gap-1">
        <span dir="ltr">{name}</span>
        <RelativeTime at={lastUpdated} className="text-small" />
        {isProtected && <Badge tone="mute">{words.isProtected}</Badge>}
      </span>
    ),
    value: (
      <span className="flex items-start justify-between gap-2">
        <PropertyValue value={value} numbers={history.get(name)} />
        {!isProtected && isShown(value) && (
          <Button
            size="small"
            variant="quiet"
            isWrite
            label={words.edit(name)}
            icon={<Pencil size={14} aria-hidden />}
            onClick={() => onEdit(property)}
          />
        )}
      </span>
    ),
  };
}

const isShown = (value: Property['value']): boolean => jsonText(value).length <= longestShown;

function PropertyValue({
  value,
  numbers,
}: {
  value: Property['value'];
  numbers: readonly number[] | undefined;
}) {
  const length = useMemo(() => jsonText(value).length, [value]);
  if (length > longestShown) return <span className="text-ink3">{words.tooLong(formatSize(length))}</span>;
  if (numbers === undefined || numbers.length < 2)
    return (
      <span className="min-w-0">
        <JsonView value={value} />
      </span>
    );
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map((number) =>
    number.toLocaleString('en'),
  );
  const range = words.range(`${low}`, `${high}`);
  return (
    <span className="grid min-w-0 flex-1 grid-cols-[minmax(4rem,1fr)_minmax(0,10rem)_minmax(4rem,auto)] items-center gap-3 max-sm:grid-cols-1">
      <strong className="tabular font-head">
        <JsonView value={value} />
      </strong>
      <Sparkline values={numbers} label={words.lastDay(numbers.length, range)} />
      <span className="tabular text-small text-ink3 sm:text-end">{range}</span>
    </span>
  );
}
